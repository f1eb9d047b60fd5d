// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "experiment/endpointcheck.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include <QHostAddress>
#include <QHostInfo>
#include <QPromise>
#include <QThreadPool>
#include <QTimer>

#include "experiment/checkconnection.h"
#include "experiment/requestbuilder.h"
#include "measure/metrics.h"
#include "net/manager.h"
#include "net/transporterror.h"
#include "settings/baseurl.h"

namespace tokenpace {

namespace {

constexpr qsizetype addressesShown = 4;

QString stageName(const char* id)
{
    struct Name {
        const char* id;
        const char* name;
    };
    static constexpr std::array<Name, 14> names{{
        {"settings", QT_TRANSLATE_NOOP("tokenpace::EndpointCheck", "Settings")},
        {"url", QT_TRANSLATE_NOOP("tokenpace::EndpointCheck", "URL")},
        {"proxy", QT_TRANSLATE_NOOP("tokenpace::EndpointCheck", "Proxy")},
        {"dns", QT_TRANSLATE_NOOP("tokenpace::EndpointCheck", "Name look-up")},
        {"tcp", QT_TRANSLATE_NOOP("tokenpace::EndpointCheck", "TCP connection")},
        {"tls", QT_TRANSLATE_NOOP("tokenpace::EndpointCheck", "TLS")},
        {"key", QT_TRANSLATE_NOOP("tokenpace::EndpointCheck", "Key")},
        {"models", QT_TRANSLATE_NOOP("tokenpace::EndpointCheck", "List of models")},
        {"request", QT_TRANSLATE_NOOP("tokenpace::EndpointCheck", "Request")},
        {"stream", QT_TRANSLATE_NOOP("tokenpace::EndpointCheck", "Streamed request")},
        {"parallel", QT_TRANSLATE_NOOP("tokenpace::EndpointCheck", "Two at once")},
        {"usage", QT_TRANSLATE_NOOP("tokenpace::EndpointCheck", "Usage")},
        {"streaming", QT_TRANSLATE_NOOP("tokenpace::EndpointCheck", "Streaming")},
        {"served-model", QT_TRANSLATE_NOOP("tokenpace::EndpointCheck", "Model that answered")},
    }};
    const auto found = std::find_if(names.begin(), names.end(), [id](const Name& name) {
        return qstrcmp(name.id, id) == 0;
    });
    return found == names.end() ? QString() : EndpointCheck::tr(found->name);
}

QString addressText(const QHostAddress& address)
{
    const bool six = address.protocol() == QAbstractSocket::IPv6Protocol;
    return QStringLiteral("%1 (%2)").arg(address.toString(), six ? QStringLiteral("IPv6") : QStringLiteral("IPv4"));
}

} // namespace

EndpointCheck::EndpointCheck(EndpointSettings endpoint, QString model, QObject* parent)
    : QObject(parent)
    , m_environment(processEnvironment())
{
    m_situation.model = std::move(model);
    m_situation.protocol = endpoint.protocol.value_or(protocolFor(endpoint.baseUrl, endpoint.path));
    m_situation.url = requestUrl(endpoint.baseUrl, m_situation.protocol, endpoint.path).url;
    addSecrets(m_redactor, endpoint);
    m_situation.endpoint = std::move(endpoint);
}

EndpointCheck::~EndpointCheck()
{
    if (m_lookup >= 0) {
        QHostInfo::abortHostLookup(m_lookup);
    }
}

void EndpointCheck::setEnvironment(EnvironmentLookup environment)
{
    m_environment = std::move(environment);
}

bool EndpointCheck::ok() const
{
    return m_finished && std::all_of(m_steps.begin(), m_steps.end(), [](const CheckStep& step) {
               return step.ok();
           });
}

std::optional<CheckStep> EndpointCheck::trouble() const
{
    std::optional<CheckStep> found;
    for (const CheckStep& step : m_steps) {
        if (step.state == CheckState::Failed || step.state == CheckState::Noted) {
            found = step;
        }
    }
    return found; // nothing is noted after a step that failed
}

QString EndpointCheck::url() const
{
    return m_situation.url.isEmpty() ? QString() : m_redactor.redacted(displayUrl(m_situation.url));
}

void EndpointCheck::start()
{
    std::vector<Stage> stages{{"url", &EndpointCheck::checkUrl},
                              {"proxy", &EndpointCheck::checkProxy},
                              {"dns", &EndpointCheck::lookUpName},
                              {"tcp", &EndpointCheck::connectTcp},
                              {"tls", &EndpointCheck::shakeHands},
                              {"key", &EndpointCheck::askForModels},
                              {"models", &EndpointCheck::compareModels},
                              {"request", &EndpointCheck::askWhole},
                              {"stream", &EndpointCheck::askStreamed},
                              {"parallel", &EndpointCheck::askTwice},
                              {"usage", &EndpointCheck::checkUsage},
                              {"streaming", &EndpointCheck::checkStreaming},
                              {"served-model", &EndpointCheck::checkServedModel}};
    if (!m_situation.endpoint.problems.isEmpty()) {
        stages.insert(stages.begin(), {"settings", &EndpointCheck::checkSettings});
    }
    begin(std::move(stages));
}

void EndpointCheck::startModelsOnly()
{
    std::vector<Stage> stages{{"url", &EndpointCheck::checkUrl},
                              {"proxy", &EndpointCheck::checkProxy},
                              {"key", &EndpointCheck::askForModels},
                              {"models", &EndpointCheck::compareModels}};
    if (!m_situation.endpoint.problems.isEmpty()) {
        stages.insert(stages.begin(), {"settings", &EndpointCheck::checkSettings});
    }
    begin(std::move(stages));
}

void EndpointCheck::begin(std::vector<Stage> stages)
{
    m_stages = std::move(stages);
    wire::ChatRequest chat;
    chat.model = m_situation.model.toStdString();
    BuiltRequest built = buildRequest(m_situation.endpoint, chat);
    m_request = std::move(built.request);
    m_requestProblem = built.problem;
    QMetaObject::invokeMethod(this, &EndpointCheck::runNext, Qt::QueuedConnection);
}

void EndpointCheck::runNext()
{
    if (m_stage == m_stages.size()) {
        m_finished = true;
        emit finished();
        return;
    }
    m_stepStart = steadyNow();
    if (!m_failedStep.isEmpty()) {
        end(CheckState::Skipped, tr("skipped, since \"%1\" failed").arg(m_failedStep));
        return;
    }
    // Queued, since a slot of stepStarted may delete the check.
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_stepStart = steadyNow(); // what the slots do is no part of the step
            (this->*m_stages[m_stage].run)();
        },
        Qt::QueuedConnection);
    emit stepStarted(stageName(m_stages[m_stage].id));
}

void EndpointCheck::end(CheckState state, const QString& message, const CheckAdvice& advice)
{
    const Stage& stage = m_stages[m_stage];
    CheckStep step;
    step.id = QString::fromLatin1(stage.id);
    step.name = stageName(stage.id);
    step.state = state;
    step.ms = state == CheckState::Skipped ? 0 : toMs(steadyNow() - m_stepStart);
    step.message = m_redactor.redacted(message);
    step.fix = m_redactor.redacted(advice.fix);
    if (advice.change && m_redactor.redacted(advice.change->value) == advice.change->value) {
        step.change = advice.change;
    }
    if (state == CheckState::Failed) {
        m_failedStep = step.name;
    }
    ++m_stage;
    m_steps.append(step);
    QMetaObject::invokeMethod(this, &EndpointCheck::runNext, Qt::QueuedConnection);
    emit stepFinished(step);
}

void EndpointCheck::endFailed(const QString& seen, const CheckAdvice& advice, CheckState state)
{
    const bool two = !seen.isEmpty() && !advice.meaning.isEmpty();
    end(state, two ? tr("%1 – %2").arg(seen, advice.meaning) : seen + advice.meaning, advice);
}

std::chrono::milliseconds EndpointCheck::connectLimit() const
{
    return std::chrono::milliseconds(m_situation.endpoint.request.connectTimeoutMs);
}

QString EndpointCheck::place() const
{
    return proxied() ? tr("the proxy %1:%2").arg(m_proxy.hostName()).arg(m_proxy.port()) : placeOf(m_situation.url);
}

void EndpointCheck::checkSettings()
{
    end(CheckState::Failed, m_situation.endpoint.problems.join(QStringLiteral("; ")));
}

void EndpointCheck::checkUrl()
{
    const EndpointSettings& endpoint = m_situation.endpoint;
    const RequestUrl url = requestUrl(endpoint.baseUrl, m_situation.protocol, endpoint.path);
    if (!url.problem.isEmpty()) {
        endFailed(url.problem, {{}, tr("Change \"baseUrl\"."), {}});
        return;
    }
    const QString path = endpoint.path.isEmpty() ? QUrl(endpoint.baseUrl.trimmed()).path() : endpoint.path;
    if (const auto other = protocolOfPath(path, m_situation.protocol)) {
        const std::string_view word = name(*other);
        const QString value = QString::fromLatin1(word.data(), static_cast<qsizetype>(word.size()));
        endFailed(displayUrl(url.url),
                  {tr("the path that is set is one of another protocol"), tr("Set \"protocol\" to \"%1\".").arg(value),
                   SettingChange{QStringLiteral("protocol"), value}},
                  CheckState::Noted);
        return;
    }
    end(CheckState::Passed, displayUrl(url.url));
}

void EndpointCheck::checkProxy()
{
    m_situation.environmentProxy = environmentProxy(m_situation.url, m_environment);
    if (m_situation.endpoint.proxy == QStringLiteral("system")) {
        // The system may have to fetch a script from the network to know.
        const auto promise = std::make_shared<QPromise<QNetworkProxy>>();
        promise->future().then(this, [this](const QNetworkProxy& proxy) {
            onProxy(proxy);
        });
        QThreadPool::globalInstance()->start([promise, url = m_situation.url] {
            promise->start();
            const auto proxies = QNetworkProxyFactory::systemProxyForQuery(QNetworkProxyQuery(url));
            promise->addResult(proxies.isEmpty() ? QNetworkProxy(QNetworkProxy::NoProxy) : proxies.first());
            promise->finish();
        });
        return;
    }
    QNetworkProxy proxy(QNetworkProxy::NoProxy);
    if (m_request && m_request->route.proxyMode == Route::ProxyMode::Url) {
        Route route;
        route.proxyMode = Route::ProxyMode::Url;
        route.proxy = m_request->route.proxy;
        const Manager made = makeManager(route, m_situation.url);
        if (!made.access) {
            endFailed(made.problem, {{}, tr("Change \"proxy\"."), {}});
            return;
        }
        proxy = made.access->proxy();
    }
    onProxy(proxy);
}

void EndpointCheck::onProxy(const QNetworkProxy& proxy)
{
    m_proxy = proxy.type() == QNetworkProxy::DefaultProxy ? QNetworkProxy(QNetworkProxy::NoProxy) : proxy;
    const auto& named = m_situation.environmentProxy;
    const QString setting = m_situation.endpoint.proxy;
    if (proxied()) {
        end(CheckState::Passed, tr("all goes through %1").arg(place()));
    } else if (setting == QStringLiteral("system")) {
        end(CheckState::Passed, tr("\"proxy\" is \"system\", which names none for this host"));
    } else if (named) {
        end(CheckState::Passed,
            tr("%1 names %2: not used, since \"proxy\" is \"none\"").arg(named->variable, named->place));
    } else {
        end(CheckState::NotNeeded, tr("none is set, none is used"));
    }
}

void EndpointCheck::lookUpName()
{
    const QString host = proxied() ? m_proxy.hostName() : m_situation.url.host();
    if (!QHostAddress(host).isNull()) {
        end(CheckState::NotNeeded, tr("%1 is an address: nothing to look up").arg(host));
        return;
    }
    m_lookup = QHostInfo::lookupHost(host, this, &EndpointCheck::onName);
    if (connectLimit().count() > 0) {
        QTimer::singleShot(connectLimit(), Qt::PreciseTimer, this, [this, lookup = m_lookup] {
            if (m_lookup == lookup) {
                QHostInfo::abortHostLookup(lookup);
                m_lookup = -1;
                endFailed(tr("no answer within %1 ms").arg(connectLimit().count()),
                          {tr("the name server is silent"), tr("Check the network and its name server."), {}});
            }
        });
    }
}

void EndpointCheck::onName(const QHostInfo& info)
{
    if (m_lookup < 0) {
        return;
    }
    m_lookup = -1;
    const QList<QHostAddress> addresses = info.addresses();
    if (info.error() != QHostInfo::NoError || addresses.isEmpty()) {
        CheckAdvice advice{{},
                           proxied() ? tr("Check the host in \"proxy\".")
                                     : tr("Check the spelling of the host in \"baseUrl\", and the network."),
                           {}};
        const auto& named = m_situation.environmentProxy;
        if (named && !named->excluded && !proxied()) {
            advice.fix +=
                tr(" %1 names a proxy: if this network needs it, set \"proxy\" to \"system\".").arg(named->variable);
            advice.change = SettingChange{QStringLiteral("proxy"), QStringLiteral("system")};
        }
        endFailed(tr("no host is called %1").arg(info.hostName()), advice);
        return;
    }
    QStringList texts;
    for (const QHostAddress& address : addresses.mid(0, addressesShown)) {
        texts << addressText(address);
    }
    if (addresses.size() > addressesShown) {
        texts << tr("%1 more").arg(addresses.size() - addressesShown);
    }
    end(CheckState::Passed, tr("%1 is %2").arg(info.hostName(), texts.join(QStringLiteral(", "))));
}

void EndpointCheck::probe(const ProbeTarget& target, void (EndpointCheck::*then)(const ProbeResult&))
{
    m_probe = std::make_unique<SocketProbe>();
    connect(m_probe.get(), &SocketProbe::finished, this, then);
    m_probe->start(target);
}

void EndpointCheck::connectTcp()
{
    ProbeTarget target;
    target.host = proxied() ? m_proxy.hostName() : m_situation.url.host();
    target.port = proxied() ? m_proxy.port() : portOf(m_situation.url);
    target.limit = connectLimit();
    probe(target, &EndpointCheck::onTcp);
}

void EndpointCheck::onTcp(const ProbeResult& result)
{
    m_stepStart = steadyNow() - result.took;
    if (result.outcome == ProbeResult::Outcome::Connected) {
        end(CheckState::Passed, tr("connected to %1").arg(place()));
        return;
    }
    const QString seen = result.outcome == ProbeResult::Outcome::TimedOut
        ? tr("no answer from %1 within %2 ms").arg(place()).arg(connectLimit().count())
        : tr("%1: %2").arg(place(), result.errorText);
    endFailed(seen, adviceForConnection(result, m_situation));
}

void EndpointCheck::shakeHands()
{
    if (m_situation.url.scheme() != u"https") {
        end(CheckState::NotNeeded, tr("the URL says http: nothing is encrypted"));
        return;
    }
    Route route;
    route.caFile = m_situation.endpoint.caFile;
    const Manager made = makeManager(route, m_situation.url);
    if (!made.problem.isEmpty()) {
        endFailed(made.problem, {{}, tr("Change \"caFile\"."), {}});
        return;
    }
    ProbeTarget target;
    target.host = m_situation.url.host();
    target.port = portOf(m_situation.url);
    target.proxy = m_proxy;
    target.tls = made.tls;
    target.insecure = m_situation.endpoint.insecure;
    target.limit = connectLimit();
    probe(target, &EndpointCheck::onTls);
}

void EndpointCheck::onTls(const ProbeResult& result)
{
    m_stepStart = steadyNow() - result.took;
    const bool good = result.outcome == ProbeResult::Outcome::Connected;
    if (good && !m_situation.endpoint.insecure) {
        end(CheckState::Passed, certificateText(result));
    } else if (good) {
        const CheckAdvice advice = result.tlsErrors.isEmpty() ? CheckAdvice{} : adviceForTls(result, m_situation);
        endFailed(tr("the certificate is not checked, since \"insecure\" is true"),
                  {advice.meaning, tr("Set \"insecure\" to false, with \"caFile\" for an authority of your own."), {}},
                  CheckState::Noted);
    } else if (result.outcome == ProbeResult::Outcome::TimedOut) {
        endFailed(tr("no handshake with %1 within %2 ms").arg(placeOf(m_situation.url)).arg(connectLimit().count()),
                  adviceForTls(result, m_situation));
    } else {
        // The system's words for a certificate say less than ours.
        endFailed(result.tlsErrors.isEmpty() ? result.errorText : QString(), adviceForTls(result, m_situation));
    }
}

} // namespace tokenpace
