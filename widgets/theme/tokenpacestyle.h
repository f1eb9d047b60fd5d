// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QProxyStyle>

namespace tokenpace {

/// Fusion with the check marks, sizes and habits of the program: what the style sheet can't say. Colours come from
/// activeTheme(), so a switch needs no new style.
class TokenpaceStyle final : public QProxyStyle {
    Q_OBJECT
public:
    TokenpaceStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* returnData) const override;
};

} // namespace tokenpace
