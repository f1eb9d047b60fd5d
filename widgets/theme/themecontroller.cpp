// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QApplication>
#include <QPalette>

#include "theme/desktopscheme.h"
#include "theme/focusring.h"
#include "theme/fonts.h"
#include "theme/stylesheet.h"
#include "theme/theme.h"
#include "theme/tokenpacestyle.h"

// The pictures are in a static library: without this the linker would leave them out. At file scope, as the macro
// wants.
static void initPictures()
{
    Q_INIT_RESOURCE(tokenpace);
}

namespace tokenpace {

ThemeController::ThemeController(QObject* parent)
    : QObject(parent)
    , m_paletteWasDark(QApplication::palette().color(QPalette::Window).lightness() < 128)
{
    initPictures();
    prepareTextOfThread();
    QApplication::setStyle(new TokenpaceStyle); // the application owns it
    QApplication::setFont(textFont(13));
    new FocusRing(this);
    apply();
    auto* desktop = new DesktopScheme(this);
    connect(desktop, &DesktopScheme::changed, this, [this, desktop] {
        setDesktopPrefersDark(desktop->prefersDark());
    });
    desktop->start();
}

ThemeController::~ThemeController() = default;

void ThemeController::setChoice(Choice choice)
{
    m_choice = choice;
    apply();
}

void ThemeController::toggle()
{
    setChoice(m_theme->dark ? Choice::Light : Choice::Dark);
}

void ThemeController::setDesktopPrefersDark(std::optional<bool> dark)
{
    m_desktopPrefersDark = dark;
    apply();
}

void ThemeController::apply()
{
    bool dark = m_choice == Choice::Dark;
    if (m_choice == Choice::FollowDesktop) {
        dark = m_desktopPrefersDark.value_or(m_paletteWasDark);
    }
    const Theme* theme = dark ? &darkTheme() : &lightTheme();
    if (theme == m_theme) {
        return; // setting the same sheet again would cost as much as a switch
    }
    m_theme = theme;
    QApplication::setPalette(paletteOf(*theme));
    qApp->setStyleSheet(styleSheetOf(*theme));
    emit changed();
}

} // namespace tokenpace
