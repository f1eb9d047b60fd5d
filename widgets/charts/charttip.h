// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QPointF>
#include <QRectF>

#include "theme/theme.h"

class QPainter;

namespace tokenpace {

class RequestsModel;

/// Paints what is known of a request beside its dot at `anchor`, inside `bounds`: name, number, prompt, TTFT and TPOT
/// with all digits, and why it does not count.
void paintRequestTip(QPainter& painter, const RequestsModel& requests, int row, QPointF anchor, QRectF bounds,
                     const Theme& theme);

} // namespace tokenpace
