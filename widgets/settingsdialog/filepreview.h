// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QList>
#include <QPlainTextEdit>

#include "settings/settingseditor.h"

namespace tokenpace {

/// The text that will be written, to read and to copy from: changed lines have a ground and a mark at their left. A key
/// that stands in it as such is masked.
class FilePreview final : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit FilePreview(QWidget* parent = nullptr);

    void showLines(const QList<SettingsLine>& lines);
    [[nodiscard]] int markedLines() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void mark();

    QList<SettingsLine> m_lines;
};

} // namespace tokenpace
