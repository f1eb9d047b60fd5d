// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/stylesheet.h"

#include <QHash>
#include <QRegularExpression>

namespace tokenpace {

namespace {

// `@name` is a colour of the theme, `@theme` the folder of its pictures. Fields have no `color`: it would make their
// placeholders half transparent; text, placeholder and disabled text come from the palette. Check boxes and radio
// buttons have no rule at all, so that the style is asked for them.
constexpr const char* rules = R"(
QMainWindow::separator { background: @bg; width: 8px; height: 8px }
QSplitter::handle { background: @bg; image: none }
QFrame[pane="true"] { background: @panel; border: 1px solid @line; border-radius: 8px }
QDialog, QMessageBox { background: @panel }

QPushButton, QComboBox { background: @ctl; color: @text; border: 1px solid @controlLine; border-radius: 6px;
    padding: 0 12px; min-height: 26px; max-height: 26px; outline: 0 }
QPushButton { font-weight: 500 }
QPushButton[small="true"] { padding: 0 8px; min-height: 22px; max-height: 22px; font-size: 12px }
QPushButton[head="true"] { padding: 0 8px; min-height: 20px; max-height: 20px; font-size: 12px }
QPushButton[large="true"] { padding: 0 16px; min-height: 30px; max-height: 30px }
QPushButton:hover, QComboBox:hover { background: @hover }
QPushButton:pressed { background: @press }
QPushButton:checked { background: @hover }
QPushButton:disabled, QComboBox:disabled { color: @disabled; border-color: @line; background: transparent }
QPushButton[main="true"]:enabled { background: @accent; border-color: @accent; color: #ffffff }
QPushButton[main="true"]:enabled:hover { background: @accentHover; border-color: @accentHover }
QPushButton[main="true"]:enabled:pressed { background: @accentPress; border-color: @accentPress }
QPushButton[flat="true"], QPushButton[plain="true"] { background: transparent; border-color: transparent;
    color: @accentText; padding: 0 }

QComboBox { padding: 0 4px 0 9px }
QComboBox:editable { background: @field }
QComboBox:editable:focus { border: 2px solid @accentLine; padding: 0 3px 0 8px; min-height: 24px; max-height: 24px }
QComboBox[bad="true"] { border-color: @error }
QComboBox::drop-down { border: 0; width: 24px }
QComboBox::down-arrow { image: url(:/@theme/down.svg); width: 14px; height: 14px }
QComboBox::down-arrow:disabled { image: url(:/@theme/down-disabled.svg) }
QComboBox QAbstractItemView { background: @panel; border: 1px solid @controlLine; border-radius: 6px; padding: 3px;
    outline: 0 }
QComboBox QAbstractItemView::item { min-height: 26px; padding: 0 8px; border-radius: 4px; color: @text }
QComboBox QAbstractItemView::item:selected { background: @selection }

QToolButton { background: transparent; border: 0; border-radius: 4px; padding: 0 }
QToolButton:hover, QToolButton:checked { background: @hover }
QToolButton:pressed { background: @press }
QToolButton::menu-indicator { image: none; width: 0 }

QTabBar { font-size: 13px; font-weight: 500 }
QTabBar::tab { height: 27px; margin: 0 8px; padding: 2px 4px 0 4px; color: @text2; background: transparent; border: 0;
    border-bottom: 2px solid transparent }
QTabBar[pane="true"] { font-size: 12px }
QTabBar[pane="true"]::tab { height: 26px }
QTabBar::tab:hover { color: @text }
QTabBar::tab:selected { color: @text; border-bottom-color: @accentLine }

QLineEdit, QAbstractSpinBox { background: @field; border: 1px solid @controlLine; border-radius: 6px; padding: 0 7px;
    min-height: 26px; max-height: 26px }
QLineEdit:focus, QAbstractSpinBox:focus { border: 2px solid @accentLine; padding: 0 6px; min-height: 24px;
    max-height: 24px }
QLineEdit:disabled, QAbstractSpinBox:disabled { border-color: @line; background: transparent }
QLineEdit[small="true"] { min-height: 20px; max-height: 20px; border-radius: 6px; font-size: 12px }
QLineEdit[small="true"]:focus { min-height: 18px; max-height: 18px }
QLineEdit[bad="true"], QAbstractSpinBox[bad="true"] { border-color: @error }
QComboBox QLineEdit, QComboBox QLineEdit:focus { background: transparent; border: 0; padding: 0; min-height: 0 }
QPlainTextEdit, QTextEdit { background: @field; border: 1px solid @controlLine; border-radius: 6px; padding: 6px 8px }
QPlainTextEdit:focus, QTextEdit:focus { border: 2px solid @accentLine; padding: 5px 7px }

QTableView { border: 0; background: transparent; outline: 0 }
QHeaderView { background: transparent; border: 0 }
QAbstractScrollArea::corner { background: transparent; border: 0 }
QScrollBar:vertical { background: transparent; width: 10px; border: 0 }
QScrollBar:horizontal { background: transparent; height: 10px; border: 0 }
QScrollBar::handle:vertical { background: @press; min-height: 24px; margin: 2px; border-radius: 3px }
QScrollBar::handle:horizontal { background: @press; min-width: 24px; margin: 2px; border-radius: 3px }
QScrollBar::handle:hover { background: @controlLine }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0 }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent }

QMenu { background: @panel; border: 1px solid @controlLine; border-radius: 6px; padding: 4px }
QMenu::item { padding: 5px 24px 5px 10px; border-radius: 4px; color: @text }
QMenu::item:selected { background: @hover }
QMenu::item:disabled { color: @disabled }
QMenu::separator { height: 1px; background: @line; margin: 4px 6px }
QToolTip { background: @ctl; color: @text; border: 1px solid @controlLine; border-radius: 6px; padding: 3px;
    font-size: 12px }
)";

QString named(const QColor& colour)
{
    return colour.name(QColor::HexRgb);
}

} // namespace

QPalette paletteOf(const Theme& theme)
{
    QPalette palette;
    const auto set = [&palette](QPalette::ColorRole role, const QColor& colour) {
        palette.setColor(role, colour);
    };
    set(QPalette::Window, theme.bg);
    set(QPalette::WindowText, theme.text);
    set(QPalette::Base, theme.field);
    set(QPalette::AlternateBase, theme.alt);
    set(QPalette::Text, theme.text);
    set(QPalette::PlaceholderText, theme.muted);
    set(QPalette::Button, theme.ctl);
    set(QPalette::ButtonText, theme.text);
    set(QPalette::BrightText, theme.error);
    set(QPalette::Light, theme.ctl);
    set(QPalette::Midlight, theme.hover);
    set(QPalette::Mid, theme.line);
    set(QPalette::Dark, theme.controlLine);
    set(QPalette::Shadow, theme.bg);
    set(QPalette::Highlight, theme.selection);
    set(QPalette::HighlightedText, theme.text);
    set(QPalette::Link, theme.accentText);
    set(QPalette::LinkVisited, theme.accentText);
    set(QPalette::ToolTipBase, theme.ctl);
    set(QPalette::ToolTipText, theme.text);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::PlaceholderText, QPalette::ButtonText,
                            QPalette::HighlightedText, QPalette::ToolTipText}) {
        palette.setColor(QPalette::Disabled, role, theme.disabled);
    }
    return palette;
}

QString styleSheetOf(const Theme& theme)
{
    const QHash<QString, QString> values{
        {QStringLiteral("theme"), theme.dark ? QStringLiteral("dark") : QStringLiteral("light")},
        {QStringLiteral("bg"), named(theme.bg)},
        {QStringLiteral("panel"), named(theme.panel)},
        {QStringLiteral("field"), named(theme.field)},
        {QStringLiteral("ctl"), named(theme.ctl)},
        {QStringLiteral("hover"), named(theme.hover)},
        {QStringLiteral("press"), named(theme.press)},
        {QStringLiteral("line"), named(theme.line)},
        {QStringLiteral("controlLine"), named(theme.controlLine)},
        {QStringLiteral("text"), named(theme.text)},
        {QStringLiteral("text2"), named(theme.text2)},
        {QStringLiteral("disabled"), named(theme.disabled)},
        {QStringLiteral("accent"), named(theme.accent)},
        // White on these is more contrast than on accent itself.
        {QStringLiteral("accentHover"), named(theme.accent.darker(108))},
        {QStringLiteral("accentPress"), named(theme.accent.darker(118))},
        {QStringLiteral("accentLine"), named(theme.accentLine)},
        {QStringLiteral("accentText"), named(theme.accentText)},
        {QStringLiteral("selection"), named(theme.selection)},
        {QStringLiteral("error"), named(theme.error)},
    };
    static const QRegularExpression name(QStringLiteral("@(\\w+)"));
    const QString text = QString::fromLatin1(rules);
    QString sheet;
    qsizetype from = 0;
    for (auto it = name.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        sheet += QStringView(text).mid(from, match.capturedStart() - from);
        Q_ASSERT(values.contains(match.captured(1)));
        sheet += values.value(match.captured(1));
        from = match.capturedEnd();
    }
    sheet += QStringView(text).mid(from);
    return sheet;
}

} // namespace tokenpace
