// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QWidget>

namespace tokenpace {

/// First line of the inspector: dot, model, place in the plan, prompt and output tokens.
class InspectorHead final : public QWidget {
    Q_OBJECT
public:
    explicit InspectorHead(QWidget* parent = nullptr);

    void setRequest(int series, const QString& name, const QString& seq, const QString& tokens);
    [[nodiscard]] QString text() const;

    [[nodiscard]] QSize sizeHint() const override { return {296, 22}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, 22}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int m_series = -1;
    QString m_name;
    QString m_seq;
    QString m_tokens;
};

} // namespace tokenpace
