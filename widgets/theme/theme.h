// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>

#include <QColor>
#include <QFont>
#include <QObject>
#include <QString>

namespace tokenpace {

/// The colours of one theme, by role. Everything that is painted takes its colours from here. A value.
struct Theme {
    bool dark = true;
    QColor bg; ///< gaps between panes, the page behind
    QColor panel; ///< tool bar, panes, charts, tables, status bar
    QColor field; ///< line edits, unticked boxes
    QColor alt;
    QColor ctl; ///< buttons, combos, ticked chips, tooltips
    QColor hover;
    QColor press;
    QColor line; ///< pane borders, rows, separators
    QColor controlLine; ///< borders of controls
    QColor box; ///< border of an unticked check box
    QColor text;
    QColor text2; ///< labels, headers, subtitles
    QColor muted; ///< help, units, unknown values
    QColor disabled;
    QColor accent; ///< the one main button
    QColor accentLine; ///< tab underline, focus ring, progress, brush
    QColor accentText; ///< links
    QColor selection; ///< ground of selected rows
    QColor error;
    QColor errorGround;
    QColor warning;
    QColor warningGround;
    QColor good;
    QColor axis;
    QColor grid; ///< with alpha
    QColor fineGrid; ///< with alpha

    /// Colour of a series, for lines, dots and fills; from the ninth on the same colours come again (with another dash
    /// and marker).
    [[nodiscard]] QColor series(int number) const;
    /// The same for text on `panel`: contrast at least 4.5.
    [[nodiscard]] QColor seriesText(int number) const;

    static constexpr int seriesColours = 8;
};

[[nodiscard]] const Theme& darkTheme();
[[nodiscard]] const Theme& lightTheme();
/// The one whose palette the application wears now: for painting by hand on the GUI thread. Widgets are repainted by
/// the palette's change; what caches colours follows ThemeController::changed().
[[nodiscard]] const Theme& activeTheme();

/// Faces of the program, in logical px. Text: Inter, else the desktop's face. Numbers in tables and read-outs: a face
/// with digits of one width. Code: paths, JSON, `${NAME}`.
[[nodiscard]] QFont textFont(int px, QFont::Weight weight = QFont::Normal);
[[nodiscard]] QFont numberFont(int px, QFont::Weight weight = QFont::Normal);
[[nodiscard]] QFont codeFont(int px);

/// Which theme is on; sets style, font, palette and style sheet of the application, and the latter two once per switch.
/// Following the desktop means: what the desktop's portal says, else the lightness of the palette that the application
/// started with, else light. One per application, owned by main(); lives on the GUI thread.
class ThemeController final : public QObject {
    Q_OBJECT
public:
    enum class Choice { FollowDesktop, Dark, Light };
    Q_ENUM(Choice)

    explicit ThemeController(QObject* parent = nullptr);
    ~ThemeController() override;

    [[nodiscard]] const Theme& theme() const { return *m_theme; }
    [[nodiscard]] Choice choice() const { return m_choice; }
    void setChoice(Choice choice);
    void toggle(); ///< dark to light and back, as an explicit choice
    /// What the desktop prefers, none for no preference: normally told by the portal.
    void setDesktopPrefersDark(std::optional<bool> dark);

signals:
    void changed(); ///< after palette and sheet are set; everything painted by hand follows this

private:
    void apply();
    const Theme* m_theme = nullptr; // one of the two constants
    Choice m_choice = Choice::FollowDesktop;
    std::optional<bool> m_desktopPrefersDark;
    bool m_paletteWasDark = false; ///< of the palette before ours
};

} // namespace tokenpace
