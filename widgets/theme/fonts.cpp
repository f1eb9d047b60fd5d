// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/fonts.h"

#include <dlfcn.h>

#include <QFontDatabase>
#include <QStringList>

#include "theme/theme.h"

namespace tokenpace {

namespace {

/// Those of the wanted families that are there, the desktop's own face after them, then the Chinese one: a missing
/// family in the list would be replaced by whatever fontconfig thinks near.
QStringList presentFamilies(const QStringList& wanted, QFontDatabase::SystemFont fallBack)
{
    QStringList families;
    for (const QString& family : wanted) {
        if (QFontDatabase::hasFamily(family)) {
            families << family;
        }
    }
    const QString desktop = QFontDatabase::systemFont(fallBack).family();
    if (families.isEmpty() && !desktop.isEmpty()) {
        families << desktop;
    }
    const auto chinese = QStringLiteral("Noto Sans CJK SC");
    if (QFontDatabase::hasFamily(chinese)) {
        families << chinese;
    }
    return families;
}

QFont makeFont(const QStringList& families, int px, QFont::Weight weight)
{
    QFont font;
    font.setFamilies(families);
    font.setPixelSize(px);
    font.setWeight(weight);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

} // namespace

QFont textFont(int px, QFont::Weight weight)
{
    static const QStringList families = presentFamilies({QStringLiteral("Inter")}, QFontDatabase::GeneralFont);
    return makeFont(families, px, weight);
}

QFont numberFont(int px, QFont::Weight weight)
{
    static const QStringList families =
        presentFamilies({QStringLiteral("Noto Sans"), QStringLiteral("DejaVu Sans")}, QFontDatabase::GeneralFont);
    return makeFont(families, px, weight);
}

QFont codeFont(int px)
{
    static const QStringList families = presentFamilies(
        {QStringLiteral("Noto Sans Mono"), QStringLiteral("DejaVu Sans Mono")}, QFontDatabase::FixedFont);
    QFont font = makeFont(families, px, QFont::Normal);
    font.setStyleHint(QFont::Monospace);
    return font;
}

void prepareTextOfThread()
{
    // Looked up by name: neither function is in a header of Qt's, and a build of Qt without FreeType has none of them.
    using GetLibrary = void* (*)();
    using SetProperty = int (*)(void* library, const char* module, const char* property, const void* value);
    const auto getLibrary = reinterpret_cast<GetLibrary>(dlsym(RTLD_DEFAULT, "_Z14qt_getFreetypev"));
    const auto setProperty = reinterpret_cast<SetProperty>(dlsym(RTLD_DEFAULT, "FT_Property_Set"));
    if (getLibrary == nullptr || setProperty == nullptr) {
        return;
    }
    if (void* library = getLibrary()) {
        const unsigned char yes = 1; // FT_Bool
        setProperty(library, "cff", "no-stem-darkening", &yes);
    }
}

} // namespace tokenpace
