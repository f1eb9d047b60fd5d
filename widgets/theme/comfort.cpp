// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/comfort.h"

#include <algorithm>

#include <QApplication>
#include <QSettings>
#include <QString>

namespace tokenpace {

namespace {

const QString textSizeKey = QStringLiteral("window/textSize");
constexpr char scaleVariable[] = "QT_SCALE_FACTOR";
bool motionIsReduced = false;

} // namespace

bool reducedMotion()
{
    return motionIsReduced;
}

void setReducedMotion(bool reduced)
{
    motionIsReduced = reduced;
    for (const Qt::UIEffect effect : {Qt::UI_AnimateMenu, Qt::UI_AnimateCombo, Qt::UI_AnimateTooltip}) {
        QApplication::setEffectEnabled(effect, !reduced);
    }
}

int storedTextSize(const QSettings& settings)
{
    const int stored = settings.value(textSizeKey, textSizes.front()).toInt();
    const bool known = std::find(textSizes.begin(), textSizes.end(), stored) != textSizes.end();
    return known ? stored : textSizes.front();
}

void storeTextSize(QSettings& settings, int percent)
{
    if (percent == textSizes.front()) {
        settings.remove(textSizeKey);
    } else {
        settings.setValue(textSizeKey, percent);
    }
}

void applyTextSize(const QSettings& settings)
{
    const int percent = storedTextSize(settings);
    if (percent != textSizes.front() && !qEnvironmentVariableIsSet(scaleVariable)) {
        qputenv(scaleVariable, QByteArray::number(percent / 100.0));
    }
}

} // namespace tokenpace
