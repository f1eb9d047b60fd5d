// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "lengthlist.h"

#include <limits>

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

namespace tokenpace {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("LengthList", text);
}

} // namespace

LengthList parseLengths(const QString& text)
{
    static const QRegularExpression separators(QStringLiteral("[,;\\s]+"));
    static const QRegularExpression number(QStringLiteral("^(\\d+(?:\\.\\d+)?)([kK])?$"));
    LengthList list;
    for (const QString& word : text.split(separators, Qt::SkipEmptyParts)) {
        const QRegularExpressionMatch match = number.match(word);
        const double value = match.captured(1).toDouble() * (match.captured(2).isEmpty() ? 1 : 1000);
        if (!match.hasMatch() || value < 1 || value > std::numeric_limits<int>::max()
            || static_cast<double>(static_cast<int>(value)) != value) {
            list.problem = tr("“%1” is no length: write whole numbers of tokens, such as 100, 1000, 10k").arg(word);
            return list;
        }
        if (list.lengths.contains(static_cast<int>(value))) {
            list.problem = tr("%1 stands there twice").arg(word);
            return list;
        }
        list.lengths.append(static_cast<int>(value));
    }
    if (list.lengths.isEmpty()) {
        list.problem = tr("Write at least one length in tokens, such as 1000");
    }
    return list;
}

QString lengthsText(const QList<int>& lengths)
{
    QStringList words;
    for (const int length : lengths) {
        words.append(QString::number(length));
    }
    return words.join(QStringLiteral(", "));
}

} // namespace tokenpace
