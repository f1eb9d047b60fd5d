// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/keychainreader.h"

#include <algorithm>
#include <utility>

#include <QCoreApplication>
#include <QTimer>

namespace tokenpace {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Keychain)
};

void put(EndpointSettings& endpoint, const KeychainUse& use, const Keychain::Answer& answer)
{
    if (!answer.value || answer.value->isEmpty()) {
        const QString why = answer.value
            ? Words::tr("the entry is empty")
            : Words::tr("%1; store it there, or write ${NAME} of a variable").arg(answer.problem);
        endpoint.problems << QStringLiteral("%1: %2").arg(use.place, why);
        return;
    }
    endpoint.secrets << *answer.value;
    if (use.header.isEmpty()) {
        endpoint.apiKey = *answer.value;
        return;
    }
    for (auto& [header, value] : endpoint.extraHeaders) {
        if (header == use.header) {
            value = *answer.value;
        }
    }
}

} // namespace

struct KeychainReader::Work {
    Settings settings;
    QList<KeychainName> open; ///< entries without an answer
};

bool waitsForKeychain(const Settings& settings)
{
    return std::any_of(settings.endpoints.begin(), settings.endpoints.end(), [](const EndpointSettings& endpoint) {
        return !endpoint.keychain.isEmpty();
    });
}

KeychainReader::KeychainReader(Keychain& keychain, QObject* parent)
    : QObject(parent)
    , m_keychain(keychain)
{
}

KeychainReader::~KeychainReader() = default;

void KeychainReader::cancel()
{
    m_work.reset();
}

void KeychainReader::fill(const Settings& settings)
{
    m_work = std::make_shared<Work>();
    m_work->settings = settings;
    for (const EndpointSettings& endpoint : settings.endpoints) {
        for (const KeychainUse& use : endpoint.keychain) {
            if (!m_work->open.contains(use.entry)) {
                m_work->open << use.entry;
            }
        }
    }
    const std::weak_ptr<Work> work = m_work;
    if (m_work->open.isEmpty()) {
        QTimer::singleShot(0, this, [this, work] {
            if (const auto same = work.lock()) {
                m_work.reset();
                emit filled(same->settings);
            }
        });
        return;
    }
    const QList<KeychainName> entries = m_work->open;
    for (const KeychainName& entry : entries) {
        m_keychain.read(entry, [this, work, entry](const Keychain::Answer& answer) {
            if (!work.expired()) { // only this reader holds it
                take(entry, answer);
            }
        });
    }
}

void KeychainReader::take(const KeychainName& entry, const Keychain::Answer& answer)
{
    for (EndpointSettings& endpoint : m_work->settings.endpoints) {
        for (const KeychainUse& use : std::as_const(endpoint.keychain)) {
            if (use.entry == entry) {
                put(endpoint, use, answer);
            }
        }
        endpoint.keychain.removeIf([&entry](const KeychainUse& use) {
            return use.entry == entry;
        });
    }
    m_work->open.removeAll(entry);
    if (m_work->open.isEmpty()) {
        const std::shared_ptr<Work> done = std::move(m_work);
        m_work.reset();
        done->settings.hash = settingsHash(done->settings);
        emit filled(done->settings);
    }
}

} // namespace tokenpace
