// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <QString>

namespace tokenpace {

/// An entry of the desktop's keychain, as settings name it: `keychain:SERVICE/NAME`.
struct KeychainName {
    QString service;
    QString name;

    friend bool operator==(const KeychainName&, const KeychainName&) = default;
};

/// Is the text meant as a reference, be it a good one or not?
[[nodiscard]] bool isKeychainReference(const QString& text);
/// None when it is no good reference: both parts are needed; the name may hold further slashes.
[[nodiscard]] std::optional<KeychainName> keychainName(const QString& text);
[[nodiscard]] QString keychainReference(const KeychainName& entry);

/// Entries are read and written here; none of it blocks. Lives on the thread of its event loop.
class Keychain {
public:
    Keychain() = default;
    virtual ~Keychain() = default;
    Keychain(const Keychain&) = delete;
    Keychain& operator=(const Keychain&) = delete;

    struct Answer {
        std::optional<QString> value;
        bool isMissing = false; ///< the keychain was asked and has no such entry
        QString problem; ///< why there is no value, and what to do about it; never a secret
    };
    /// Each function is called once, from the event loop, also when nobody answers in time; not after the keychain is
    /// gone.
    virtual void read(const KeychainName& entry, std::function<void(const Answer&)> answered) = 0;
    /// Writes, over an entry of the same name as well. The text given back is empty when it is stored.
    virtual void write(const KeychainName& entry, const QString& value,
                       std::function<void(const QString& problem)> written) = 0;
};

/// The one of this desktop: the Secret Service (GNOME and others), KWallet, macOS's or Windows' own, through
/// QtKeychain. Where no such service runs, each answer says so.
[[nodiscard]] std::unique_ptr<Keychain> desktopKeychain();

} // namespace tokenpace
