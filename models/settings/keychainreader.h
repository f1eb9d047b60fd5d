// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>

#include <QObject>

#include "settings/keychain.h"
#include "settings/settings.h"

namespace tokenpace {

/// Does an endpoint of these settings wait for a value from the keychain?
[[nodiscard]] bool waitsForKeychain(const Settings& settings);

/// Puts what settings keep in the desktop's keychain where it belongs: the key of an endpoint, values of headers. Each
/// entry is read once a filling. One that cannot be had is a problem of its endpoint. Never blocks; on the thread of
/// its event loop.
class KeychainReader final : public QObject {
    Q_OBJECT

public:
    /// `keychain` is not owned and outlives the reader.
    explicit KeychainReader(Keychain& keychain, QObject* parent = nullptr);
    ~KeychainReader() override;

    /// Begins; a filling that goes on is forgotten.
    void fill(const Settings& settings);
    [[nodiscard]] bool filling() const { return m_work != nullptr; }
    void cancel();

signals:
    /// Once a filling, from the event loop; none of the settings' endpoints waits any longer.
    void filled(const tokenpace::Settings& settings);

private:
    struct Work;
    void take(const KeychainName& entry, const Keychain::Answer& answer);

    Keychain& m_keychain;
    std::shared_ptr<Work> m_work; ///< null while there is nothing to do
};

} // namespace tokenpace
