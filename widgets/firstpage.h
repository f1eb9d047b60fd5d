// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QPushButton;

namespace tokenpace {

/// What was looked for before the first page came up: shown at its bottom.
struct FirstPageFacts {
    QStringList settingsPlaces; ///< paths, with words around them where needed: "./settings.json and the folders above"
    QString settingsFound; ///< what was found there; empty: none found
    QStringList variables; ///< names of the variables that were looked at
    QStringList variablesSet; ///< those of them that are set (never their values)
};

class FirstPageCard;

/// The page of a first start: try the simulated endpoint, connect an endpoint, open a log. Does nothing by itself; the
/// keys it shows belong to the window's actions.
class FirstPage final : public QWidget {
    Q_OBJECT
public:
    explicit FirstPage(QWidget* parent = nullptr);

    void setFacts(const FirstPageFacts& facts);
    /// Puts the keyboard on Start; also done when the page is first shown.
    void focusStart();

    [[nodiscard]] QPushButton* startButton() const;
    [[nodiscard]] QPushButton* connectButton() const;
    [[nodiscard]] QPushButton* openButton() const;

signals:
    void tryItRequested();
    void connectRequested();
    void openLogRequested();
    void logDropped(const QString& path); ///< a local file was dropped on the page

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makeFacts();
    void refreshFacts();
    void fitMargins();
    FirstPageFacts m_facts;
    FirstPageCard* m_tryIt = nullptr;
    FirstPageCard* m_connect = nullptr;
    FirstPageCard* m_open = nullptr;
    QWidget* m_column = nullptr;
    QLabel* m_settingsText = nullptr;
    QLabel* m_variablesText = nullptr;
    bool m_shownBefore = false;
};

} // namespace tokenpace
