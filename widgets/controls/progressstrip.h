// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QStringList>
#include <QWidget>

namespace tokenpace {

/// "120 of 180 requests · 3 min 28 s left  ▬▬▬▬──  67 %", or without a bar after the end. The first part is in `text`,
/// the others in text2; parts that find no room are left out from the end.
class ProgressStrip final : public QWidget {
    Q_OBJECT
public:
    explicit ProgressStrip(QWidget* parent = nullptr);

    void setParts(const QStringList& parts);
    [[nodiscard]] QStringList parts() const { return m_parts; }
    void setFraction(double fraction); ///< 0 to 1; below 0: no bar
    [[nodiscard]] double fraction() const { return m_fraction; }
    void setIconName(const QString& name); ///< such as `circle-check` after a run; empty: none

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int fixedWidth() const;
    QStringList m_parts;
    double m_fraction = -1;
    QString m_iconName;
};

} // namespace tokenpace
