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
    QStringList settingsPlaces; ///< as people write them: `./settings.json`
    QString settingsFound; ///< what was found there; empty: none found
    QStringList variables; ///< names of the variables that were looked at
    QStringList variablesSet; ///< those of them that are set (never their values)
};

/// The page of a first start: try the simulated endpoint, connect an endpoint, open a log. Does nothing by itself.
class FirstPage final : public QWidget {
    Q_OBJECT
public:
    explicit FirstPage(QWidget* parent = nullptr);

    void setFacts(const FirstPageFacts& facts);
    /// Puts the keyboard on Start.
    void focusStart();

    [[nodiscard]] QPushButton* startButton() const { return m_start; }
    [[nodiscard]] QPushButton* connectButton() const { return m_connect; }
    [[nodiscard]] QPushButton* openButton() const { return m_open; }

signals:
    void tryItRequested();
    void connectRequested();
    void openLogRequested();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void refreshFacts();
    FirstPageFacts m_facts;
    QPushButton* m_start = nullptr;
    QPushButton* m_connect = nullptr;
    QPushButton* m_open = nullptr;
    QLabel* m_settingsText = nullptr;
    QLabel* m_variablesText = nullptr;
};

} // namespace tokenpace
