// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settingsdialog/settingsdialog.h"

#include <array>

#include <QPointer>
#include <QRegularExpression>

#include "checkpanel.h"
#include "experiment/endpointcheck.h"
#include "settings/baseurl.h"
#include "settings/messagefilter.h"
#include "settings/redactor.h"
#include "settingsdialog/pagelist.h"
#include "settingsdialog/settingsnotice.h"

// What the dialog says of the endpoint that is shown: its final URL, its key, its models, its test.
namespace tokenpace {

namespace {

const std::array keyVariables{QStringLiteral("TAOTOKEN_API_KEY"), QStringLiteral("OPENAI_API_KEY"),
                              QStringLiteral("ANTHROPIC_API_KEY")};
constexpr qsizetype reachSize = 10;
constexpr int mostKeyNames = 20; // tried for a free name in the keychain

const auto ownService = QStringLiteral("tokenpace");

QString sizeText(qsizetype size)
{
    return size == 1 ? SettingsDialog::tr("set, 1 character") : SettingsDialog::tr("set, %1 characters").arg(size);
}

/// Everything of an endpoint that a test depends on. Compared only, never shown.
QStringList reachOf(const EndpointSettings& endpoint)
{
    return {endpoint.baseUrl,
            endpoint.path,
            endpoint.apiKey,
            endpoint.apiKeySource,
            endpoint.proxy,
            endpoint.caFile,
            endpoint.limitField,
            endpoint.extraBody,
            QString::number(endpoint.protocol ? static_cast<int>(*endpoint.protocol) : -1),
            QString::number(int(endpoint.insecure) + 2 * int(endpoint.http2) + 4 * int(endpoint.streamOptions)
                            + 8 * int(endpoint.request.stream))};
}

QStringList triedOf(const EndpointSettings& endpoint)
{
    QStringList all = reachOf(endpoint);
    for (const ModelSettings& model : endpoint.models) {
        all << model.name;
    }
    return all;
}

/// The name of an endpoint as a name of an entry: what every keychain's own tools show well.
QString entryName(const EndpointSettings& endpoint)
{
    static const QRegularExpression other(QStringLiteral("[^A-Za-z0-9._-]+"));
    QString name = endpoint.name;
    name.replace(other, QStringLiteral("-"));
    return name.isEmpty() || name == QStringLiteral("-") ? QStringLiteral("key") : name;
}

} // namespace

QString SettingsDialog::typedKey() const
{
    const auto key = m_editor->state(m_fields->target(), settingKey("apiKey")).value;
    return key && key->is_string() ? QString::fromStdString(key->get<std::string>()).trimmed() : QString();
}

void SettingsDialog::showNotes()
{
    const int index = m_fields->target().endpoint;
    const auto& settings = m_editor->settings();
    const bool known = settings && index >= 0 && index < settings->endpoints.size();
    m_check->setTestEnabled(known && settings->endpoints.at(index).problems.isEmpty() && m_fields->badCount() == 0);
    if (!known) {
        return;
    }
    const EndpointSettings& endpoint = settings->endpoints.at(index);
    const Protocol protocol = endpoint.protocol.value_or(protocolFor(endpoint.baseUrl, endpoint.path));
    const RequestUrl url = requestUrl(endpoint.baseUrl, protocol, endpoint.path);
    m_form->setNote(QStringLiteral("baseUrl"),
                    url.problem.isEmpty() ? tr("Sends to %1").arg(displayUrl(url.url)) : QString());
    const std::string_view spoken = name(protocol);
    m_form->setNote(QStringLiteral("protocol"),
                    endpoint.protocol
                        ? QString()
                        : tr("%1, from the URL.").arg(QString::fromLatin1(spoken.data(), qsizetype(spoken.size()))));
    showKeyNotes(endpoint);
    showModelNotes(endpoint);
}

void SettingsDialog::showKeyNotes(const EndpointSettings& endpoint)
{
    const auto path = QStringLiteral("apiKey");
    const QString typed = typedKey();
    const auto say = [&](const QString& state, bool good, const QString& note) {
        m_form->setState(path, state, good);
        m_form->setNote(path, note);
    };
    m_form->setActions(path, keyActions(typed, endpoint));
    if (typed.isEmpty()) {
        say({}, false, tr("${NAME} of a variable that holds the key; empty for a server that needs none."));
        return;
    }
    if (isKeychainReference(typed)) {
        const auto answer = m_keychainAnswers.find(typed);
        if (!keychainName(typed)) {
            say(tr("not found"), false, endpoint.problems.join(QLatin1Char('\n')));
        } else if (answer == m_keychainAnswers.end()) {
            say({}, false, tr("Looking into the keychain…"));
            m_keychainPause.start();
        } else if (const auto& value = answer->second.value; value && !value->isEmpty()) {
            say(sizeText(value->size()), true, tr("Kept in the keychain; only the entry’s name is saved."));
        } else {
            say(tr("not found"), false, value ? tr("The entry is empty.") : answer->second.problem);
        }
        return;
    }
    if (typed.contains(QStringLiteral("${"))) {
        const qsizetype size = endpoint.apiKey.size();
        const QString name = typed.mid(2, typed.size() - 3);
        const bool isOfFile =
            size > 0 && endpoint.apiKeySource == typed && !m_variables->dotenvFile().isEmpty() && !m_environment(name);
        say(size == 0 ? tr("not set") : sizeText(size), size > 0,
            size == 0 ? endpoint.problems.join(QLatin1Char('\n'))
                : isOfFile ? tr("From the file .env beside the settings. The variable’s name is saved, never the key.")
                           : tr("The variable’s name is saved, never the key."));
        return;
    }
    say({}, false,
        tr("This is the key itself: it would be saved as it is, for you alone to read. Better keep it in the keychain, "
           "or set a variable and write ${NAME}."));
}

SettingsForm::Actions SettingsDialog::keyActions(const QString& typed, const EndpointSettings& endpoint)
{
    SettingsForm::Actions actions;
    const bool isVariable = typed.contains(QStringLiteral("${"));
    const bool isReference = isKeychainReference(typed);
    if (!typed.isEmpty() && !isVariable && !isReference) {
        actions.append({tr("Move it to the keychain"), [this, typed, name = entryName(endpoint)] {
                            moveKeyToKeychain(typed, name, 1);
                        }});
    }
    const bool isResolved = isVariable && endpoint.apiKey.size() > 0;
    if (isReference || isResolved) {
        return actions;
    }
    for (const QString& name : keyVariables) {
        const std::optional<QString> value = m_variables->lookup()(name);
        if (value && !value->trimmed().isEmpty()) {
            actions.append({tr("Use %1").arg(QStringLiteral("${%1}").arg(name)), [this, name] {
                                m_editor->endStep();
                                m_editor->set(m_fields->target(), settingKey("apiKey"),
                                              "\"${" + name.toStdString() + "}\"");
                            }});
        }
    }
    return actions;
}

void SettingsDialog::showModelNotes(const EndpointSettings& endpoint)
{
    QStringList missing;
    if (!m_listed.isEmpty() && m_listedAs == reachOf(endpoint)) {
        for (const ModelSettings& model : endpoint.models) {
            if (!m_listed.contains(model.name)) {
                missing << model.name;
            }
        }
    }
    const QString words =
        missing.isEmpty() ? QString() : tr("Not on this endpoint: %1").arg(missing.join(QStringLiteral(", ")));
    m_form->setNote(QStringLiteral("models"), tr("Enter adds a name. An alias or price that the file gives is kept."));
    m_form->setBadItems(QStringLiteral("models"), missing, words);
    m_form->setBadItems(QStringLiteral("model"), missing, words);
}

void SettingsDialog::readVariablesAnew()
{
    m_variables.emplace(m_file, m_environment);
    m_editor->setEnvironment(m_variables->lookup());
}

void SettingsDialog::lookIntoKeychain()
{
    const QString typed = typedKey();
    const std::optional<KeychainName> entry = keychainName(typed);
    if (!entry || m_keychainAnswers.contains(typed)) {
        return;
    }
    m_keychain->read(*entry, [self = QPointer(this), typed](const Keychain::Answer& answer) {
        if (self) {
            self->m_keychainAnswers[typed] = answer;
            self->showNotes();
        }
    });
}

// An entry that is there already with another key belongs to something else: the next free name is taken.
void SettingsDialog::moveKeyToKeychain(const QString& key, const QString& name, int attempt)
{
    const KeychainName entry{ownService, attempt == 1 ? name : QStringLiteral("%1-%2").arg(name).arg(attempt)};
    const int endpoint = m_fields->target().endpoint;
    const auto use = [self = QPointer(this), entry, key, endpoint](const QString& problem) {
        if (!self) {
            return;
        }
        if (!problem.isEmpty()) {
            self->m_notice->ask(
                SettingsNotice::Kind::Error,
                tr("The key can't be put into the keychain: %1. It is still in the form.").arg(problem));
            return;
        }
        if (self->m_fields->target().endpoint != endpoint || self->typedKey() != key) {
            return; // somebody went on typing
        }
        const QString reference = keychainReference(entry);
        self->m_keychainAnswers[reference] = {key, false, {}};
        self->m_editor->endStep();
        self->m_editor->set({endpoint}, settingKey("apiKey"), '"' + reference.toStdString() + '"');
    };
    m_keychain->read(entry, [self = QPointer(this), use, entry, key, name, attempt](const Keychain::Answer& answer) {
        if (!self) {
            return;
        }
        if (answer.value == key) {
            use({});
        } else if (answer.isMissing || (answer.value && answer.value->isEmpty())) {
            self->m_keychain->write(entry, key, use);
        } else if (answer.value && attempt < mostKeyNames) {
            self->moveKeyToKeychain(key, name, attempt + 1);
        } else {
            use(answer.value ? tr("there are too many entries named %1").arg(name) : answer.problem);
        }
    });
}

void SettingsDialog::startTest()
{
    const int index = m_fields->target().endpoint;
    const auto& settings = m_editor->settings();
    if (!settings || index < 0 || index >= settings->endpoints.size()) {
        return;
    }
    m_tested = index;
    m_tryingAs = triedOf(settings->endpoints.at(index));
    m_check->showRunning();
    Settings alone;
    alone.endpoints = {settings->endpoints.at(index)};
    m_keychainReader.fill(alone);
}

void SettingsDialog::runTest(const Settings& filled)
{
    const EndpointSettings& endpoint = filled.endpoints.first();
    hideInMessages(redactorFor(filled));
    m_running =
        std::make_unique<EndpointCheck>(endpoint, endpoint.models.isEmpty() ? QString() : endpoint.models.first().name);
    connect(m_running.get(), &EndpointCheck::stepFinished, m_check, &CheckPanel::addStep);
    connect(m_running.get(), &EndpointCheck::finished, this, &SettingsDialog::finishTest);
    m_running->start();
}

void SettingsDialog::finishTest()
{
    EndpointCheck* check = m_running.release();
    check->deleteLater(); // this is its own signal
    m_check->showFinished(check->ok());
    m_listed = check->models();
    m_pages->setState(m_tested, check->ok() ? PageList::State::Good : PageList::State::Bad);
    m_testedAs[m_tested] = m_tryingAs;
    m_listedAs = m_tryingAs.mid(0, reachSize);
    forgetChangedTests(); // it may have been changed meanwhile
    showNotes();
}

void SettingsDialog::stopTest()
{
    m_keychainReader.cancel();
    m_running.reset();
}

void SettingsDialog::takeChange(const SettingChange& change)
{
    if (m_fields->apply(m_tested, change)) {
        m_form->showField(change.key);
    } else {
        m_notice->ask(SettingsNotice::Kind::Warning, tr("%1 can't be set here: %2").arg(change.key, m_editor->error()));
    }
}

void SettingsDialog::forgetTests()
{
    stopTest();
    m_tested = -1;
    m_testedAs.clear();
    m_listed.clear();
    m_keychainAnswers.clear();
    m_pages->clearStates();
}

// A dot says how the endpoint as it stands did in its test, not how another one did.
void SettingsDialog::forgetChangedTests()
{
    const auto& settings = m_editor->settings();
    for (auto tested = m_testedAs.begin(); tested != m_testedAs.end();) {
        const int index = tested->first;
        const bool isThere = settings && index < settings->endpoints.size();
        if (isThere && triedOf(settings->endpoints.at(index)) == tested->second) {
            ++tested;
            continue;
        }
        m_pages->setState(index, PageList::State::Unknown);
        tested = m_testedAs.erase(tested);
    }
}

} // namespace tokenpace
