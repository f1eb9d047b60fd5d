// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <QString>
#include <QUrl>

namespace tokenpace {

/// Takes secrets out of everything on its way to a file, the screen or the clipboard, by value: every known secret of
/// 8 characters and more becomes `[redacted]`, also in its percent-encoded, JSON-escaped and HTML-escaped forms; where
/// secrets overlap, all of both goes. A value, immutable once filled: copies may be used on any thread.
class Redactor {
public:
    static constexpr int minimumLength = 8;

    /// Trimmed as keys are before they are sent; shorter ones are left out, or common words would vanish.
    void addSecret(const QString& secret);
    /// Password, user and query values of a URL; short ones only where they stand as `user:password@` or, under a name
    /// that says secret, as `name=value`. `api-version` is none.
    void addUrlSecrets(const QUrl& url);

    [[nodiscard]] bool empty() const { return m_needles.empty(); }
    [[nodiscard]] std::string redacted(std::string_view text) const;
    [[nodiscard]] QString redacted(const QString& text) const;
    /// Every string in a document, keys included; keys that would become one are numbered.
    void redact(nlohmann::ordered_json& json) const;

private:
    void addForms(const QString& secret);
    void addNeedle(std::string needle);

    std::vector<std::string> m_needles; ///< longest first
};

} // namespace tokenpace
