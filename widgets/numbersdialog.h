// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QDialog>

class QAbstractItemModel;
class QTextBrowser;

namespace tokenpace {

/// "What the numbers mean": the definitions that the tables' headers carry as tooltips, on one page. GUI thread.
class NumbersDialog final : public QDialog {
    Q_OBJECT
public:
    /// Reads the header tooltips of `models`, in their order; the models are not kept.
    explicit NumbersDialog(const QList<const QAbstractItemModel*>& models, QWidget* parent = nullptr);

    [[nodiscard]] QString text() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill();
    struct Entry {
        QString name;
        QString meaning;
    };
    QList<Entry> m_entries;
    QTextBrowser* m_page = nullptr;
};

} // namespace tokenpace
