// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QCoreApplication>

namespace tokenpace {

/// The translation context of everything that charts say outside a QObject.
struct Charts {
    Q_DECLARE_TR_FUNCTIONS(tokenpace::Charts)
};

} // namespace tokenpace
