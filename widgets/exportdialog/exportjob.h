// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QImage>
#include <QObject>
#include <QStringList>
#include <QThreadPool>

#include "exportdialog/exportchoices.h"

namespace tokenpace {

/// The text that an export of text consists of; empty for pictures. Secrets are out. GUI thread.
[[nodiscard]] QByteArray exportText(const ExportContent& content, const ExportChoices& choices,
                                    const QList<ChartSpec>& charts);

/// The files that choices lead to under a name: one, or one a chart where a file holds only one.
[[nodiscard]] QStringList exportPaths(const ExportContent& content, const ExportChoices& choices, const QString& path);

/// Makes the files of an export one after the other: drawn on the GUI thread, compressed and written on another, each
/// file whole or not at all. The content must outlive it.
class ExportJob final : public QObject {
    Q_OBJECT
public:
    ExportJob(const ExportContent& content, const ExportChoices& choices, const QStringList& paths,
              QObject* parent = nullptr);
    ~ExportJob() override;

    /// Without writing, only to learn how many bytes it would be.
    void start(bool write);
    /// Ends after the file in work; what is written stays.
    void cancel() { m_cancelled = true; }

signals:
    void progressed(int done, int of);
    /// `why` is empty when all went well.
    void finished(const QString& why, const QStringList& written, qint64 bytes);

private:
    struct Part {
        QByteArray bytes; ///< or, where they still are to be made, the picture
        QImage image;
        QString title;
    };
    void next();
    [[nodiscard]] Part make(int file) const;
    void onDone(const QString& why, qint64 bytes);

    const ExportContent& m_content; // not owned
    ExportChoices m_choices;
    QStringList m_paths;
    QStringList m_written;
    qint64 m_bytes = 0;
    int m_next = 0;
    bool m_write = true;
    bool m_cancelled = false;
    QThreadPool m_pool; // one thread; waited for in the destructor
};

} // namespace tokenpace
