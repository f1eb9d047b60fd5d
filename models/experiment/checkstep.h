// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>

#include <QString>

namespace tokenpace {

/// A change that would mend an endpoint: a key of the endpoint's own object in settings.json, such as `path`,
/// `request.stream` or `concurrency.maxParallel`, and its new value as plain text. Holds no secret.
struct SettingChange {
    QString key;
    QString value;
    QString replaces = {}; ///< for a model: the name that is there now

    friend bool operator==(const SettingChange&, const SettingChange&) = default;
};

enum class CheckState {
    Passed,
    Noted, ///< worth knowing, forbids nothing
    NotNeeded, ///< there is nothing to try, such as TLS where the URL says http
    Failed,
    Skipped ///< not tried, because it builds on a step that failed
};

/// One step of a check: what was tried, how it went, what to do. A value, free of secrets.
struct CheckStep {
    QString id; ///< stable, for programs: `url`, `proxy`, `dns`, `tcp`, `tls`, `key`, ...
    QString name; ///< for people
    CheckState state = CheckState::Passed;
    double ms = 0;
    QString message;
    QString fix; ///< which setting to change, or empty
    std::optional<SettingChange> change; ///< what `fix` says, where a program could do it

    /// Nothing stands in the way as far as this step goes.
    [[nodiscard]] bool ok() const { return state != CheckState::Failed && state != CheckState::Skipped; }
};

} // namespace tokenpace
