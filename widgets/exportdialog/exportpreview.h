// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QWidget>

#include "exportdialog/exportchoices.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QTextBrowser;
class QToolButton;

namespace tokenpace {

class RoleLabel;

/// The right side of the export dialog: what will be saved, drawn by the same code as the file, and what to know about
/// it. The content must outlive it. GUI thread.
class ExportPreview final : public QWidget {
    Q_OBJECT
public:
    explicit ExportPreview(const ExportContent& content, QWidget* parent = nullptr);

    void showChoices(const ExportChoices& choices);
    [[nodiscard]] double zoom() const { return m_zoom; } ///< of a picture's px at 1x
    void setZoom(double zoom);
    void fit();
    [[nodiscard]] QImage picture() const; ///< the first one shown
    [[nodiscard]] QString text() const; ///< of what is shown as text

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeHead();
    void refresh();
    void refreshNotes();
    void showPage();
    [[nodiscard]] double fittingZoom() const;

    const ExportContent& m_content; // not owned
    ExportChoices m_choices;
    double m_zoom = 1;
    bool m_fitted = true;
    QStackedWidget* m_stack; // children of this
    QScrollArea* m_scroll;
    QWidget* m_sheet;
    QPlainTextEdit* m_text;
    QTextBrowser* m_page;
    QToolButton* m_smaller;
    QToolButton* m_larger;
    QPushButton* m_fit;
    QLabel* m_percent;
    QWidget* m_sizeNote;
    QLabel* m_sizeIcon;
    RoleLabel* m_sizeText;
    QLabel* m_secretIcon;
    RoleLabel* m_secretText;
};

} // namespace tokenpace
