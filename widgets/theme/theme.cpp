// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/theme.h"

#include <array>

#include <QGuiApplication>
#include <QPalette>

namespace tokenpace {

namespace {

using Colours = std::array<QRgb, Theme::seriesColours>;

// Okabe and Ito's colours with a blue and a grey beside them, apart from each other also for people who see fewer
// colours. The text colours are the same hues, darkened on light until they reach a contrast of 4.5.
constexpr Colours darkSeries{0xff56b4e9, 0xffe69f00, 0xff009e73, 0xffcc79a7,
                             0xffd55e00, 0xfff0e442, 0xff3d85d6, 0xffc9ced6};
constexpr Colours lightSeries{0xff0072b2, 0xffe69f00, 0xff009e73, 0xffcc79a7,
                              0xffd55e00, 0xff56b4e9, 0xffa5317f, 0xff3a3f46};
constexpr Colours lightSeriesText{0xff0072b2, 0xff8f6300, 0xff007a59, 0xffa4527f,
                                  0xffb04e00, 0xff2b7bb0, 0xffa5317f, 0xff3a3f46};

QColor pick(const Colours& colours, int number)
{
    const int index = number % Theme::seriesColours;
    return QColor::fromRgb(colours[static_cast<std::size_t>(index < 0 ? index + Theme::seriesColours : index)]);
}

QColor rgb(QRgb value, double alpha = 1)
{
    QColor colour = QColor::fromRgb(value);
    colour.setAlphaF(static_cast<float>(alpha));
    return colour;
}

Theme makeDark()
{
    Theme t;
    t.dark = true;
    t.bg = rgb(0x0f1216);
    t.panel = rgb(0x161a20);
    t.field = rgb(0x101418);
    t.alt = rgb(0x191e25);
    t.ctl = rgb(0x1f252d);
    t.hover = rgb(0x2a313b);
    t.press = rgb(0x343c48);
    t.line = rgb(0x262c35);
    t.controlLine = rgb(0x3a434f);
    t.box = rgb(0x77828f);
    t.text = rgb(0xe8ebef);
    t.text2 = rgb(0xa9b1bc);
    t.muted = rgb(0x949eab);
    t.disabled = rgb(0x59626e);
    t.accent = rgb(0x5b60db);
    t.accentLine = rgb(0x8f97ff);
    t.accentText = rgb(0xa5abff);
    t.selection = rgb(0x262b4c);
    t.error = rgb(0xf47b74);
    t.errorGround = rgb(0x2e1c1f);
    t.warning = rgb(0xe3b341);
    t.warningGround = rgb(0x2a2417);
    t.good = rgb(0x4cc38a);
    t.axis = rgb(0x4a525e);
    t.grid = rgb(0xffffff, 0.13);
    t.fineGrid = rgb(0xffffff, 0.05);
    return t;
}

Theme makeLight()
{
    Theme t;
    t.dark = false;
    t.bg = rgb(0xf3f4f6);
    t.panel = rgb(0xffffff);
    t.field = rgb(0xffffff);
    t.alt = rgb(0xf8f9fa);
    t.ctl = rgb(0xffffff);
    t.hover = rgb(0xe8ebef);
    t.press = rgb(0xdbdfe6);
    t.line = rgb(0xe1e4e9);
    t.controlLine = rgb(0xc5cbd4);
    t.box = rgb(0x7f8997);
    t.text = rgb(0x14171c);
    t.text2 = rgb(0x4b5563);
    t.muted = rgb(0x5f6875);
    t.disabled = rgb(0xa4acb8);
    t.accent = rgb(0x4a4fd0);
    t.accentLine = rgb(0x4a4fd0);
    t.accentText = rgb(0x4349c9);
    t.selection = rgb(0xe4e6fb);
    t.error = rgb(0xb4232a);
    t.errorGround = rgb(0xfceded);
    t.warning = rgb(0x8a5a00);
    t.warningGround = rgb(0xfbf3e0);
    t.good = rgb(0x17713f);
    t.axis = rgb(0xa4acb8);
    t.grid = rgb(0x14171c, 0.13);
    t.fineGrid = rgb(0x14171c, 0.05);
    return t;
}

} // namespace

QColor Theme::series(int number) const
{
    return pick(dark ? darkSeries : lightSeries, number);
}

QColor Theme::seriesText(int number) const
{
    if (!dark) {
        return pick(lightSeriesText, number);
    }
    return pick(darkSeries, number);
}

const Theme& darkTheme()
{
    static const Theme theme = makeDark();
    return theme;
}

const Theme& lightTheme()
{
    static const Theme theme = makeLight();
    return theme;
}

const Theme& activeTheme()
{
    // 128: the middle of 0 to 255, for a palette that isn't ours.
    return QGuiApplication::palette().color(QPalette::Window).lightness() < 128 ? darkTheme() : lightTheme();
}

} // namespace tokenpace
