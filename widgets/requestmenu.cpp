// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "requestmenu.h"

#include <algorithm>
#include <functional>

#include <QClipboard>
#include <QGuiApplication>

#include "definitions.h"
#include "inspector.h"
#include "numbertext.h"
#include "session.h"

namespace tokenpace {

namespace {

std::vector<int> rowsWhere(const RequestsModel& requests, const std::function<bool(const RequestsModel::Row&)>& is)
{
    std::vector<int> rows;
    for (int row = 0; row < requests.rowCount(); ++row) {
        if (is(requests.row(row))) {
            rows.push_back(row);
        }
    }
    return rows;
}

} // namespace

RequestMenu::RequestMenu(Session& session, Inspector& inspector, QWidget* parent)
    : QMenu(parent)
    , m_session(session)
    , m_inspector(inspector)
{
    setToolTipsVisible(true);
    connect(this, &QMenu::aboutToShow, this, &RequestMenu::fill);
}

void RequestMenu::fill()
{
    qDeleteAll(findChildren<QMenu*>(Qt::FindDirectChildrenOnly)); // clear() leaves a menu of before
    clear();
    const QItemSelectionModel& selection = m_session.selection();
    const int row = selection.currentIndex().row();
    if (row < 0 || !selection.hasSelection()) {
        addAction(tr("No request is selected"))->setEnabled(false);
        return;
    }
    fillAlike(row);
    fillExclusion();
    addSeparator();
    fillCopies(row);
}

void RequestMenu::fillAlike(int row)
{
    const RequestsModel& requests = m_session.requests();
    const RequestsModel::Row pattern = requests.row(row);
    const QString model = m_session.series().at(pattern.series).label;
    QMenu* menu = addMenu(tr("Select alike"));
    const auto add = [&](const QString& text, const std::function<bool(const RequestsModel::Row&)>& is) {
        const std::vector<int> rows = rowsWhere(requests, is);
        QAction* action = menu->addAction(
            tr("%1 (%2)", "what is selected, and how many").arg(text, countText(static_cast<qint64>(rows.size()))));
        connect(action, &QAction::triggered, this, [this, rows, row] {
            m_session.selection().select(m_session.requests().selectionOf(rows),
                                         QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
            m_session.selection().setCurrentIndex(m_session.requests().index(row, 0), QItemSelectionModel::NoUpdate);
        });
    };
    if (const auto length = pattern.promptTokensTarget) {
        add(tr("%1 at %2 prompt tokens").arg(model, countText(*length)), [=](const RequestsModel::Row& each) {
            return each.series == pattern.series && each.promptTokensTarget == length;
        });
        add(tr("All models at %1 prompt tokens").arg(countText(*length)), [=](const RequestsModel::Row& each) {
            return each.promptTokensTarget == length;
        });
    }
    add(tr("All of %1").arg(model), [=](const RequestsModel::Row& each) {
        return each.series == pattern.series;
    });
    if (pattern.finished()) {
        const Status status = pattern.timeline->status;
        add(tr("All that ended so: %1").arg(statusText(status)), [=](const RequestsModel::Row& each) {
            return each.finished() && each.timeline->status == status;
        });
        for (const std::string_view word : names(pattern.timeline->flags)) {
            const Flag flag = flagFromName(word).value_or(Flag::Excluded);
            add(tr("All flagged %1").arg(flagWord(flag)), [=](const RequestsModel::Row& each) {
                return each.finished() && each.timeline->flags.has(flag);
            });
        }
    }
}

void RequestMenu::fillExclusion()
{
    QList<int> counting;
    QList<int> excluded;
    for (const QModelIndex& index : m_session.selection().selectedRows()) {
        const RequestsModel& requests = m_session.requests();
        if (requests.isExcluded(index.row())) {
            excluded.append(index.row());
        } else if (requests.row(index.row()).finished()) {
            counting.append(index.row());
        }
    }
    if (!counting.isEmpty() || excluded.isEmpty()) {
        QAction* out = addAction(tr("Exclude from the figures"));
        out->setEnabled(!counting.isEmpty());
        out->setToolTip(tr("They stay in sight, hollow, and in the log as they are; medians, bands and tables are "
                           "computed without them."));
        connect(out, &QAction::triggered, this, [this, counting] {
            m_session.requests().setExcluded(counting, true);
        });
    }
    if (!excluded.isEmpty()) {
        connect(addAction(tr("Include in the figures again")), &QAction::triggered, this, [this, excluded] {
            m_session.requests().setExcluded(excluded, false);
        });
    }
}

void RequestMenu::fillCopies(int row)
{
    const auto selected = m_session.selection().selectedRows().size();
    QAction* record = addAction(selected == 1 ? tr("Copy the record")
                                              : tr("Copy %n records as CSV", nullptr, static_cast<int>(selected)));
    connect(record, &QAction::triggered, &m_inspector, &Inspector::copy);
    record->setEnabled(m_session.requests().row(row).finished());

    const auto curl = m_session.curlOf(row);
    QAction* asCurl = addAction(tr("Copy as curl"));
    asCurl->setEnabled(curl.has_value());
    asCurl->setToolTip(curl ? tr("The request as a command; the key is a variable in it.")
                            : tr("Its prompt is not known here: a log keeps no prompts."));
    connect(asCurl, &QAction::triggered, this, [curl] {
        QGuiApplication::clipboard()->setText(curl.value_or(QString()));
    });
}

} // namespace tokenpace
