// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <csignal>
#include <thread>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "settings/settingsfile.h"

using namespace tokenpace;

namespace {

constexpr uid_t nobody = 65534;

/// While it lives, root is somebody without rights, as modes do not bind root.
class WithoutRights {
public:
    WithoutRights()
        : m_wasRoot(::geteuid() == 0)
    {
        if (m_wasRoot && ::seteuid(nobody) != 0) {
            qFatal("no other user to be");
        }
    }
    ~WithoutRights()
    {
        if (m_wasRoot && ::seteuid(0) != 0) {
            qFatal("no way back to root");
        }
    }

private:
    bool m_wasRoot;
};

/// While it lives, no file can grow beyond so many bytes, as on a full disk.
class SmallFiles {
public:
    explicit SmallFiles(rlim_t bytes)
    {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit small{bytes, m_before.rlim_max};
        std::signal(SIGXFSZ, SIG_IGN); // an error of write() in its place
        ::setrlimit(RLIMIT_FSIZE, &small);
    }
    ~SmallFiles()
    {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, SIG_DFL);
    }

private:
    rlimit m_before{};
};

int modeOf(const QString& file)
{
    struct stat info { };
    return ::stat(QFile::encodeName(file).constData(), &info) == 0 ? static_cast<int>(info.st_mode & 0777) : -1;
}

} // namespace

class SettingsFileTest final : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void aFileThatIsNotThereIsNoError();
    void aNewFileIsForItsOwnerOnly();
    void theModeOfAFileIsKept();
    void aFileWithAKeyIsClosedToOthers();
    void aLinkStaysALink();
    void sameBytesAreNotWritten();
    void whatSomebodyElseWroteIsNotOverwritten();
    void ofTwoWindowsOnlyOneSaves();
    void aFullDiskLeavesTheFileAsItWas();
    void aKilledSaverLeavesOneWholeFile();
    void aLockThatNamesNobodyIsRemoved();
    void withoutRightsNothingIsWrittenOrRead();
    void aKeyInAGitWorkTreeIsWarnedOf();
    void aCopyIsKeptUnderAFreeName();

private:
    void put(const QByteArray& bytes, int mode = 0644);
    [[nodiscard]] QByteArray held() const;

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_file;
};

void SettingsFileTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QCOMPARE(::chmod(QFile::encodeName(m_folder->path()).constData(), 0755), 0); // others may look in
    m_file = m_folder->filePath(QStringLiteral("settings.json"));
}

void SettingsFileTest::cleanup()
{
    m_folder.reset();
}

void SettingsFileTest::put(const QByteArray& bytes, int mode)
{
    QFile file(m_file);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
    file.close();
    QCOMPARE(::chmod(QFile::encodeName(m_file).constData(), static_cast<mode_t>(mode)), 0);
}

QByteArray SettingsFileTest::held() const
{
    return loadSettingsFile(m_file).bytes.value_or(QByteArray("nothing"));
}

void SettingsFileTest::aFileThatIsNotThereIsNoError()
{
    const SettingsFileContent content = loadSettingsFile(m_file);
    QVERIFY(!content.bytes);
    QVERIFY(content.error.isEmpty());
    QVERIFY(!loadSettingsFile(m_folder->path()).error.isEmpty());
}

void SettingsFileTest::aNewFileIsForItsOwnerOnly()
{
    m_file = m_folder->filePath(QStringLiteral("a/b/settings.json"));
    QCOMPARE(saveSettingsFile(m_file, "{}", std::nullopt, false).outcome, SaveOutcome::Saved);
    QCOMPARE(held(), QByteArray("{}"));
    QCOMPARE(modeOf(m_file), 0600);
    QCOMPARE(QDir(m_folder->filePath(QStringLiteral("a/b"))).entryList(QDir::Files | QDir::Hidden).size(), 1);
}

void SettingsFileTest::theModeOfAFileIsKept()
{
    for (const int mode : {0644, 0640, 0600, 0664}) {
        put("old", mode);
        QCOMPARE(saveSettingsFile(m_file, "new", "old", false).outcome, SaveOutcome::Saved);
        QCOMPARE(modeOf(m_file), mode);
    }
}

void SettingsFileTest::aFileWithAKeyIsClosedToOthers()
{
    put("old", 0644);
    const SaveResult result = saveSettingsFile(m_file, "old", "old", true);
    QCOMPARE(result.outcome, SaveOutcome::Saved);
    QCOMPARE(modeOf(m_file), 0600);
    QCOMPARE(result.warnings.size(), 1);
}

void SettingsFileTest::aLinkStaysALink()
{
    const QString real = m_folder->filePath(QStringLiteral("real.json"));
    QVERIFY(QFile::link(real, m_file)); // to nothing yet
    QCOMPARE(saveSettingsFile(m_file, "1", std::nullopt, false).outcome, SaveOutcome::Saved);
    QCOMPARE(saveSettingsFile(m_file, "2", "1", false).outcome, SaveOutcome::Saved);
    QVERIFY(QFileInfo(m_file).isSymLink());
    QCOMPARE(loadSettingsFile(real).bytes.value(), QByteArray("2"));
}

void SettingsFileTest::sameBytesAreNotWritten()
{
    put("old");
    const QDateTime before = QFileInfo(m_file).lastModified();
    WithoutRights nobodyCouldWrite;
    QCOMPARE(saveSettingsFile(m_file, "old", "old", false).outcome, SaveOutcome::Unchanged);
    QCOMPARE(QFileInfo(m_file).lastModified(), before);
}

void SettingsFileTest::whatSomebodyElseWroteIsNotOverwritten()
{
    put("theirs");
    QCOMPARE(saveSettingsFile(m_file, "mine", "old", false).outcome, SaveOutcome::ChangedOnDisk);
    QCOMPARE(saveSettingsFile(m_file, "mine", std::nullopt, false).outcome, SaveOutcome::ChangedOnDisk);
    QCOMPARE(held(), QByteArray("theirs"));
    QVERIFY(QFile::remove(m_file));
    QCOMPARE(saveSettingsFile(m_file, "mine", "old", false).outcome, SaveOutcome::ChangedOnDisk);
}

void SettingsFileTest::ofTwoWindowsOnlyOneSaves()
{
    for (int round = 0; round < 50; ++round) {
        put("old");
        SaveResult a;
        SaveResult b;
        std::thread other([&] {
            a = saveSettingsFile(m_file, "a", "old", false);
        });
        b = saveSettingsFile(m_file, "b", "old", false);
        other.join();
        QVERIFY((a.outcome == SaveOutcome::Saved) != (b.outcome == SaveOutcome::Saved));
        QCOMPARE(held(), QByteArray(a.outcome == SaveOutcome::Saved ? "a" : "b"));
    }
}

void SettingsFileTest::aFullDiskLeavesTheFileAsItWas()
{
    put("old");
    SaveResult result;
    {
        const SmallFiles limit(4096);
        result = saveSettingsFile(m_file, QByteArray(100'000, 'x'), "old", false);
    }
    QCOMPARE(result.outcome, SaveOutcome::Failed);
    QVERIFY2(result.error.contains(m_file), qPrintable(result.error));
    QCOMPARE(held(), QByteArray("old"));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden),
             QStringList{QStringLiteral("settings.json")});
}

void SettingsFileTest::aKilledSaverLeavesOneWholeFile()
{
    const QByteArray odd(200'000, 'o');
    const QByteArray even(300'000, 'e');
    put(even, 0600);
    for (int saves = 1; saves <= 12; ++saves) {
        const QByteArray before = held();
        int told[2];
        QCOMPARE(::pipe(told), 0);
        const pid_t child = ::fork();
        QVERIFY(child >= 0);
        if (child == 0) {
            QByteArray now = before;
            for (;;) {
                const QByteArray& next = now == odd ? even : odd;
                const bool saved = saveSettingsFile(m_file, next, now, true).outcome == SaveOutcome::Saved;
                now = next;
                if (!saved || ::write(told[1], "s", 1) != 1) {
                    ::_exit(1);
                }
            }
        }
        ::close(told[1]);
        char byte = 0;
        for (int i = 0; i < saves; ++i) {
            QCOMPARE(::read(told[0], &byte, 1), ssize_t{1});
        }
        ::kill(child, SIGKILL); // somewhere in the next saving
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        ::close(told[0]);
        QVERIFY(WIFSIGNALED(status));
        const QByteArray after = held();
        QVERIFY(after == odd || after == even);
        // What it left behind is nobody else's, and stands in nobody's way.
        const QStringList left = QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden);
        for (const QString& name : left) {
            if (!name.endsWith(QStringLiteral(".lock"))) {
                QCOMPARE(modeOf(m_folder->filePath(name)), 0600);
            }
        }
        QCOMPARE(saveSettingsFile(m_file, even, after, true).outcome == SaveOutcome::Saved, after != even);
    }
}

void SettingsFileTest::aLockThatNamesNobodyIsRemoved()
{
    put("old");
    QFile lock(m_file + QStringLiteral(".lock"));
    QVERIFY(lock.open(QIODevice::WriteOnly));
    lock.close();
    QCOMPARE(saveSettingsFile(m_file, "new", "old", false).outcome, SaveOutcome::Saved);
    QCOMPARE(held(), QByteArray("new"));
}

void SettingsFileTest::withoutRightsNothingIsWrittenOrRead()
{
    put("old");
    SaveResult saved;
    SaveResult unreadable;
    SettingsFileContent content;
    {
        const WithoutRights someone;
        saved = saveSettingsFile(m_file, "new", "old", false);
    }
    QCOMPARE(saved.outcome, SaveOutcome::Failed);
    QVERIFY(!saved.error.isEmpty());
    put("old", 0);
    {
        const WithoutRights someone;
        content = loadSettingsFile(m_file);
        unreadable = saveSettingsFile(m_file, "new", std::nullopt, false);
    }
    QVERIFY(!content.bytes && content.error.contains(m_file));
    QCOMPARE(unreadable.outcome, SaveOutcome::Failed);
    put("old");
    QCOMPARE(held(), QByteArray("old"));
}

void SettingsFileTest::aKeyInAGitWorkTreeIsWarnedOf()
{
    QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral(".git")));
    QCOMPARE(gitWorkTreeOf(m_file), QDir(m_folder->path()).absolutePath());
    QVERIFY(saveSettingsFile(m_file, "1", std::nullopt, false).warnings.isEmpty());
    const SaveResult result = saveSettingsFile(m_file, "2", "1", true);
    QCOMPARE(result.outcome, SaveOutcome::Saved);
    QCOMPARE(result.warnings.size(), 1);
    QVERIFY(result.warnings.first().contains(QStringLiteral("git")));
}

void SettingsFileTest::aCopyIsKeptUnderAFreeName()
{
    put("broken {");
    QString error;
    QCOMPARE(keepCopy(m_file, &error), m_file + QStringLiteral(".1"));
    const QString second = keepCopy(m_file, &error);
    QCOMPARE(second, m_file + QStringLiteral(".2"));
    QCOMPARE(loadSettingsFile(second).bytes.value(), QByteArray("broken {"));
    QCOMPARE(modeOf(second), 0600);
    QVERIFY(error.isEmpty());
    QVERIFY(keepCopy(m_folder->filePath(QStringLiteral("none")), &error).isEmpty());
    QVERIFY(!error.isEmpty());
}

QTEST_GUILESS_MAIN(SettingsFileTest)
#include "tst_settingsfile.moc"
