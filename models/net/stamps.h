// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>

#include "measure/timeline.h"

class QNetworkReply;

namespace tokenpace {

/// What a manager made for measuring knows of its reply beyond QNetworkReply: implemented by that manager's reply
/// class beside QNetworkReply.
class Stamped {
public:
    virtual ~Stamped() = default;
    [[nodiscard]] virtual Stamp arrival() const = 0; ///< of the last byte read
    [[nodiscard]] virtual bool kernelStamp() const = 0; ///< that stamp came from the kernel
    [[nodiscard]] virtual PhaseDurations phases() const = 0;
};

/// Arrival of the last byte read from `reply`: its own stamp where its manager keeps one, else `fallback`, the clock
/// taken first thing in the slot. The reader of a reply asks here and never knows which manager made it.
[[nodiscard]] Stamp arrivalOf(const QNetworkReply& reply, Stamp fallback);

/// Did the kernel stamp the last byte read? False where the manager keeps no stamps.
[[nodiscard]] bool hasKernelStamps(const QNetworkReply& reply);

/// The phases as the reply's own manager saw them; none where it keeps none and its signals must do.
[[nodiscard]] std::optional<PhaseDurations> phasesOf(const QNetworkReply& reply);

} // namespace tokenpace
