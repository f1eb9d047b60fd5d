// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/headervalue.h"

#include <QCoreApplication>
#include <QList>

namespace tokenpace {

namespace {

constexpr char32_t firstGraphic = U'!';
constexpr char32_t lastGraphic = U'~';

QString codePoint(char32_t character)
{
    constexpr int digits = 4;
    constexpr int hexadecimal = 16;
    return QStringLiteral("U+%1").arg(
        QString::number(static_cast<uint>(character), hexadecimal).toUpper().rightJustified(digits, u'0'));
}

bool isControl(char32_t character)
{
    constexpr char32_t firstPrintable = 0x20;
    constexpr char32_t deleteCharacter = 0x7F;
    constexpr char32_t lastC1 = 0x9F;
    return character < firstPrintable || (character >= deleteCharacter && character <= lastC1);
}

/// What is wrong with that character, in words that never repeat the value.
QString badCharacter(qsizetype position, char32_t character)
{
    const QString name = codePoint(character);
    if (isControl(character)) {
        return QCoreApplication::translate("HeaderValue", "character %1 is %2, a control character")
            .arg(position)
            .arg(name);
    }
    if (character == U' ') {
        return QCoreApplication::translate("HeaderValue", "character %1 is %2, a space").arg(position).arg(name);
    }
    return QCoreApplication::translate("HeaderValue", "character %1 is %2, which cannot be sent: only ASCII can")
        .arg(position)
        .arg(name);
}

HeaderValue checked(const QString& text, bool blanksInside)
{
    HeaderValue result;
    const QString value = text.trimmed(); // QChar::isSpace() holds for NBSP too
    result.trimmed = value.size() != text.size();
    qsizetype position = 0;
    for (const uint character : value.toUcs4()) {
        ++position;
        const bool blank = character == U' ' || character == U'\t';
        if (character < firstGraphic || character > lastGraphic) {
            if (blank && blanksInside) {
                continue;
            }
            result.problem = badCharacter(position, character);
            return result;
        }
    }
    result.value = value.toLatin1();
    return result;
}

} // namespace

HeaderValue keyValue(const QString& text)
{
    HeaderValue result = checked(text, false);
    const QByteArray& value = result.value;
    const bool quoted =
        value.size() > 1 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front();
    if (quoted) {
        result.problem = QCoreApplication::translate("HeaderValue", "it stands in quotes; remove them");
    }
    return result;
}

HeaderValue headerValue(const QString& text)
{
    return checked(text, true);
}

} // namespace tokenpace
