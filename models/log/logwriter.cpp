// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "log/logwriter.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace tokenpace {

namespace {

constexpr int filePermissions = 0600; // answers and hosts are the user's own business

QString errorText(const QString& what, const QString& path, int code)
{
    return QStringLiteral("%1 %2: %3").arg(what, path, QString::fromLocal8Bit(std::strerror(code)));
}

} // namespace

/// The side of LogWriter that lives on the log thread; owns the open file.
class LogWorker final : public QObject {
public:
    LogWorker(QString path, LogWriter::Formatter formatter)
        : m_path(std::move(path))
        , m_formatter(std::move(formatter))
    {
    }

    ~LogWorker() override { closeFile(); }

    void write(const Timeline& timeline, const LogWriter::Done& done)
    {
        if (m_path.isEmpty()) {
            done({});
            return;
        }
        done(writeLine(m_formatter(timeline)));
    }

private:
    QString writeLine(std::string line)
    {
        if (const QString error = ensureOpen(); !error.isEmpty()) {
            return error;
        }
        line.push_back('\n');
        if (endsTorn()) {
            line.insert(line.begin(), '\n');
        }
        ssize_t written = -1;
        do {
            written = ::write(m_file, line.data(), line.size());
        } while (written < 0 && errno == EINTR);
        if (written < 0) {
            return errorText(QStringLiteral("cannot write to"), m_path, errno);
        }
        if (static_cast<std::size_t>(written) != line.size()) {
            // What is there is a torn line; the next record starts on a new one.
            return QStringLiteral("cannot write to %1: only part of a line fitted (is the disk full?)").arg(m_path);
        }
        return {};
    }

    /// Opens the file, again when it was deleted or replaced while we held it.
    QString ensureOpen()
    {
        const QByteArray name = QFile::encodeName(m_path);
        struct stat onDisk { };
        if (m_file >= 0) {
            const bool same =
                ::stat(name.constData(), &onDisk) == 0 && onDisk.st_dev == m_device && onDisk.st_ino == m_inode;
            if (same) {
                return {};
            }
            closeFile();
        }
        const QString folder = QFileInfo(m_path).absolutePath();
        if (!QDir().mkpath(folder)) {
            return QStringLiteral("cannot make the folder %1").arg(folder);
        }
        m_file = ::open(name.constData(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, filePermissions);
        if (m_file < 0) {
            return errorText(QStringLiteral("cannot open"), m_path, errno);
        }
        if (::fstat(m_file, &onDisk) == 0) {
            m_device = onDisk.st_dev;
            m_inode = onDisk.st_ino;
        }
        return {};
    }

    /// The file ends in the middle of a line: a crash, or another program's torn write.
    [[nodiscard]] bool endsTorn() const
    {
        struct stat onDisk { };
        char last = '\n';
        return ::fstat(m_file, &onDisk) == 0 && onDisk.st_size > 0 && ::pread(m_file, &last, 1, onDisk.st_size - 1) == 1
            && last != '\n';
    }

    void closeFile()
    {
        if (m_file >= 0) {
            ::close(m_file);
            m_file = -1;
        }
    }

    QString m_path;
    LogWriter::Formatter m_formatter;
    int m_file = -1;
    dev_t m_device = 0;
    ino_t m_inode = 0;
};

void LogWriter::QuitWaitDelete::operator()(QThread* thread) const
{
    thread->quit();
    thread->wait();
    delete thread;
}

LogWriter::LogWriter(QString path, Formatter formatter)
    : m_path(std::move(path))
    , m_thread(new QThread)
{
    m_worker = new LogWorker(m_path, std::move(formatter));
    m_worker->moveToThread(m_thread.get());
    QObject::connect(m_thread.get(), &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread->setObjectName(QStringLiteral("log"));
    m_thread->start();
}

LogWriter::~LogWriter()
{
    // Everything handed over is written first: a queued quit comes behind it.
    QMetaObject::invokeMethod(
        m_worker,
        [thread = m_thread.get()] {
            thread->quit();
        },
        Qt::QueuedConnection);
    m_thread->wait();
}

void LogWriter::append(std::shared_ptr<const Timeline> timeline, Done done)
{
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, timeline = std::move(timeline), done = std::move(done)] {
            worker->write(*timeline, done);
        },
        Qt::QueuedConnection);
}

} // namespace tokenpace
