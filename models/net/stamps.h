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
    /// Of the last byte read; of the head while none was read.
    [[nodiscard]] virtual Stamp arrival() const = 0;
    [[nodiscard]] virtual bool kernelStamp() const = 0; ///< that stamp came from the kernel
    [[nodiscard]] virtual PhaseDurations phases() const = 0; ///< without `queued`
    [[nodiscard]] virtual std::optional<Stamp> sentAt() const = 0; ///< its last byte was handed to the system
};

/// Arrival of the last byte read from `reply`: its own stamp where its manager keeps one, else `fallback`, the clock
/// taken first thing in the slot. The reader of a reply asks here and never knows which manager made it.
[[nodiscard]] Stamp arrivalOf(const QNetworkReply& reply, Stamp fallback);

/// When the last byte of the request was handed over: as the manager saw it, else `fallback`.
[[nodiscard]] Stamp sentOf(const QNetworkReply& reply, Stamp fallback);

/// Did the kernel stamp the last byte read? False where the manager keeps no stamps.
[[nodiscard]] bool hasKernelStamps(const QNetworkReply& reply);

/// The phases as the reply's own manager saw them; none where it keeps none and its signals must do.
[[nodiscard]] std::optional<PhaseDurations> phasesOf(const QNetworkReply& reply);

} // namespace tokenpace
