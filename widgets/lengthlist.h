// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QList>
#include <QString>

namespace tokenpace {

/// A list of prompt lengths as people type it: "100, 300, 1000, 3k". `problem` says what can't be read.
struct LengthList {
    QList<int> lengths;
    QString problem;
};
[[nodiscard]] LengthList parseLengths(const QString& text);
[[nodiscard]] QString lengthsText(const QList<int>& lengths);

} // namespace tokenpace
