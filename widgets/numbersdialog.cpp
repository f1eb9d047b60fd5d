// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "numbersdialog.h"

#include <QAbstractItemModel>
#include <QDialogButtonBox>
#include <QEvent>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "definitions.h"
#include "theme/theme.h"

namespace tokenpace {

NumbersDialog::NumbersDialog(const QList<const QAbstractItemModel*>& models, QWidget* parent)
    : QDialog(parent)
    , m_page(new QTextBrowser)
{
    setWindowTitle(tr("What the numbers mean"));
    resize(720, 560);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 12);
    layout->setSpacing(12);
    m_page->setFrameShape(QFrame::NoFrame);
    m_page->viewport()->setAutoFillBackground(false);
    m_page->setAccessibleName(windowTitle());
    layout->addWidget(m_page, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);

    m_entries = {
        {tr("TTFT"), definition(Figure::Ttft)},
        {tr("TPOT"), definition(Figure::Tpot)},
        {tr("E2E"), definition(Figure::E2e)},
        {tr("ITL"), definition(Figure::Itl)},
        {tr("Time zero"),
         tr("The last byte of the request has been handed to a ready connection. Queueing, name "
            "look-up, connecting and TLS are shown as phases before it and are in no TTFT. All times "
            "come from one monotonic clock.")},
        {tr("Percentiles"),
         tr("Interpolated between the two neighbouring requests. A P95 is shown from 20 requests on, "
            "a P99 from 100; below that a dash stands there.")},
        {tr("Not counted"),
         tr("Warm-ups, retried, resent and flagged requests are shown, hollow in charts, and are in "
            "no aggregate.")},
    };
    for (const QAbstractItemModel* model : models) {
        for (int column = 0; column < model->columnCount(); ++column) {
            const QString name = model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
            const QString meaning = model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
            const bool known = std::any_of(m_entries.begin(), m_entries.end(), [&](const Entry& entry) {
                return entry.name == name || entry.meaning == meaning;
            });
            if (!meaning.isEmpty() && !known) {
                m_entries.append({name, meaning});
            }
        }
    }
    fill();
}

void NumbersDialog::fill()
{
    const Theme& theme = activeTheme();
    QString html;
    for (const Entry& entry : m_entries) {
        html += QStringLiteral("<p style=\"margin:0 0 2px 0;color:%1\"><b>%2</b></p>"
                               "<p style=\"margin:0 0 12px 0;color:%3\">%4</p>")
                    .arg(theme.text.name(), entry.name.toHtmlEscaped(), theme.text2.name(),
                         Qt::mightBeRichText(entry.meaning) ? entry.meaning : entry.meaning.toHtmlEscaped());
    }
    m_page->setHtml(html);
}

QString NumbersDialog::text() const
{
    return m_page->toPlainText();
}

void NumbersDialog::changeEvent(QEvent* event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_page) {
        fill();
    }
}

} // namespace tokenpace
