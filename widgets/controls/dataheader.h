// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QHeaderView>
#include <QList>

class QMenu;

namespace tokenpace {

/// Paints column titles in 12/500 with the sort arrow before the text; right-aligned where the model says so. Its
/// context menu shows and hides columns.
class DataHeader final : public QHeaderView {
    Q_OBJECT
public:
    explicit DataHeader(QWidget* parent = nullptr);

    void setLocked(int section); ///< never hidden by the menu

    [[nodiscard]] QSize sizeHint() const override;

    /// Fills a menu with one tick per column: what the context menu shows; also for a menu button elsewhere.
    void fillMenu(QMenu* menu);

signals:
    void columnShownChanged(int section, bool shown); ///< by the menu only

protected:
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;
    [[nodiscard]] QSize sectionSizeFromContents(int logicalIndex) const override;
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    [[nodiscard]] QString title(int section) const;
    QList<int> m_locked;
};

} // namespace tokenpace
