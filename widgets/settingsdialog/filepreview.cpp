// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settingsdialog/filepreview.h"

#include <algorithm>

#include <QEvent>
#include <QPainter>
#include <QTextBlock>

#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int margin = 12;
constexpr int markWidth = 3;

} // namespace

FilePreview::FilePreview(QWidget* parent)
    : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setFont(codeFont(12));
    setLineWrapMode(NoWrap);
    setFrameShape(NoFrame);
    setAccessibleName(tr("The file that will be written"));
    document()->setDocumentMargin(margin);
}

void FilePreview::showLines(const QList<SettingsLine>& lines)
{
    m_lines = lines;
    QStringList text;
    text.reserve(lines.size());
    for (const SettingsLine& line : lines) {
        text << line.text;
    }
    const QString all = text.join(QLatin1Char('\n'));
    if (all != toPlainText()) {
        setPlainText(all);
    }
    mark();
}

int FilePreview::markedLines() const
{
    return static_cast<int>(std::ranges::count_if(m_lines, &SettingsLine::isChanged));
}

void FilePreview::mark()
{
    QList<QTextEdit::ExtraSelection> marks;
    for (int i = 0; i < m_lines.size(); ++i) {
        if (!m_lines.at(i).isChanged) {
            continue;
        }
        QTextEdit::ExtraSelection line;
        line.cursor = QTextCursor(document()->findBlockByNumber(i));
        line.format.setBackground(activeTheme().selection);
        line.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks << line;
    }
    setExtraSelections(marks);
}

void FilePreview::paintEvent(QPaintEvent* event)
{
    QPlainTextEdit::paintEvent(event);
    // Beside the text, so that copying it copies the file and nothing else.
    QPainter painter(viewport());
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF box = blockBoundingGeometry(block).translated(contentOffset());
        if (box.top() > viewport()->height()) {
            break;
        }
        if (block.blockNumber() < m_lines.size() && m_lines.at(block.blockNumber()).isChanged) {
            painter.fillRect(QRectF(0, box.top(), markWidth, box.height()), activeTheme().accentLine);
        }
    }
}

void FilePreview::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        mark();
    }
}

} // namespace tokenpace
