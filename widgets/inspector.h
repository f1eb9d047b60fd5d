// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QTimer>
#include <QWidget>

#include "requestsmodel.h"
#include "settings/redactor.h"

class QItemSelectionModel;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace tokenpace {

class LabeledValue;
class PhaseBars;
class ShareBars;
class InspectorHead;

/// What is selected, in full: one request with its phases and figures, or the count and medians of several. Follows
/// the shared selection over a RequestsModel. GUI thread; owns neither.
class Inspector final : public QWidget {
    Q_OBJECT
public:
    Inspector(RequestsModel& requests, QItemSelectionModel& selection, QWidget* parent = nullptr);

    void setRedactor(const Redactor& redactor) { m_redactor = redactor; }
    /// The selected records as JSON (one) or CSV (several); empty when nothing finished is selected.
    [[nodiscard]] QString copyText() const;
    void copy() const;

    /// What is shown, for tests and screen readers.
    [[nodiscard]] QString shownText() const;

    [[nodiscard]] QSize sizeHint() const override { return {320, 176}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 80}; }

signals:
    void subtitleChanged(const QString& subtitle); ///< "selection" for several, else empty

private:
    [[nodiscard]] QWidget* makeOne();
    [[nodiscard]] QWidget* makeMany();
    [[nodiscard]] std::vector<int> selectedRows() const;
    void scheduleRefresh();
    void refresh();
    void showOne(const RequestsModel::Row& row);
    void showFinished(const Timeline& timeline);
    void showRunning(const RequestsModel::Row& row);
    void showMany(const std::vector<int>& rows);

    RequestsModel& m_requests; // not owned
    QItemSelectionModel& m_selection; // not owned
    Redactor m_redactor;
    QTimer m_refresh; // single shot: a running request changes 30 times a second
    // All below are children of this widget.
    QStackedWidget* m_pages = nullptr;
    InspectorHead* m_head = nullptr;
    PhaseBars* m_phases = nullptr;
    LabeledValue* m_ttft = nullptr;
    LabeledValue* m_tpot = nullptr;
    LabeledValue* m_e2e = nullptr;
    LabeledValue* m_finish = nullptr;
    LabeledValue* m_connection = nullptr;
    QLabel* m_outcome = nullptr;
    QLabel* m_advice = nullptr;
    QLabel* m_flags = nullptr;
    LabeledValue* m_count = nullptr;
    LabeledValue* m_ttftP50 = nullptr;
    LabeledValue* m_ttftP95 = nullptr;
    LabeledValue* m_tpotP50 = nullptr;
    ShareBars* m_shares = nullptr;
};

} // namespace tokenpace
