// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "experiment/checkconnection.h"

#include <algorithm>

#include <QCoreApplication>
#include <QDateTime>

namespace tokenpace {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(CheckConnection)
};

/// A network that names a proxy may let nothing out beside it.
std::optional<CheckAdvice> unusedProxyAdvice(const CheckSituation& situation, const QString& meaning)
{
    const auto& named = situation.environmentProxy;
    if (!named || named->excluded || situation.endpoint.proxy != QStringLiteral("none")) {
        return std::nullopt;
    }
    return CheckAdvice{
        meaning,
        Words::tr("%1 names the proxy %2, which is not used: if this network needs it, set \"proxy\" to \"system\".")
            .arg(named->variable, named->place),
        SettingChange{QStringLiteral("proxy"), QStringLiteral("system")}};
}

QString dateText(const QDateTime& time)
{
    return time.toUTC().toString(QStringLiteral("yyyy-MM-dd"));
}

QString authorityText(const QSslCertificate& certificate)
{
    for (const auto info : {QSslCertificate::CommonName, QSslCertificate::Organization}) {
        if (const QStringList names = certificate.issuerInfo(info); !names.isEmpty()) {
            return names.first();
        }
    }
    return Words::tr("an authority without a name");
}

CheckAdvice certificateAdvice(QSslError::SslError error, const QSslCertificate& certificate,
                              const CheckSituation& situation)
{
    switch (error) {
    case QSslError::CertificateExpired:
        return {Words::tr("the certificate expired on %1").arg(dateText(certificate.expiryDate())),
                Words::tr("Renew the server's certificate, and check this machine's clock."),
                {}};
    case QSslError::CertificateNotYetValid:
        return {Words::tr("the certificate is not valid before %1").arg(dateText(certificate.effectiveDate())),
                Words::tr("Check this machine's clock, and the server's certificate."),
                {}};
    case QSslError::HostNameMismatch: {
        QStringList names = certificate.subjectAlternativeNames().values();
        names = names.isEmpty() ? certificate.subjectInfo(QSslCertificate::CommonName) : names;
        names.sort();
        return {
            Words::tr("the certificate is for %1, not for %2")
                .arg(names.isEmpty() ? Words::tr("no host") : names.join(QStringLiteral(", ")), situation.url.host()),
            Words::tr("Write the host as the certificate has it into \"baseUrl\"."),
            {}};
    }
    case QSslError::CertificateRevoked:
        return {Words::tr("the certificate was revoked"), Words::tr("Renew the server's certificate."), {}};
    default:
        return {Words::tr("the certificate's authority, \"%1\", is not known here").arg(authorityText(certificate)),
                Words::tr("Set \"caFile\" to a PEM file with that authority; for a test only, \"insecure\" to true."),
                {}};
    }
}

} // namespace

QString certificateText(const ProbeResult& result)
{
    if (result.certificate.isNull()) {
        return result.tlsVersion;
    }
    return Words::tr("%1, certificate by %2, valid until %3")
        .arg(result.tlsVersion, authorityText(result.certificate), dateText(result.certificate.expiryDate()));
}

std::optional<SettingChange> schemeChange(const EndpointSettings& endpoint, const QString& scheme)
{
    QUrl url(endpoint.baseUrl.trimmed());
    if (!url.userInfo().isEmpty() || url.hasQuery()) {
        return std::nullopt;
    }
    url.setScheme(scheme);
    return SettingChange{QStringLiteral("baseUrl"), url.toString()};
}

CheckAdvice adviceForConnection(const ProbeResult& result, const CheckSituation& situation)
{
    const bool proxied = situation.endpoint.proxy != QStringLiteral("none");
    if (result.outcome == ProbeResult::Outcome::TimedOut || result.error == QAbstractSocket::SocketTimeoutError) {
        const QString meaning = Words::tr("nothing answers: a firewall, or a host that is off");
        const auto unused = unusedProxyAdvice(situation, meaning);
        return unused ? *unused
                      : CheckAdvice{meaning,
                                    Words::tr("Check host and port in \"baseUrl\", or raise "
                                              "\"request.connectTimeoutMs\"."),
                                    {}};
    }
    if (result.error == QAbstractSocket::ConnectionRefusedError) {
        return {Words::tr("nothing listens on this port"),
                proxied ? Words::tr("Is the proxy running? Check \"proxy\".")
                        : Words::tr("Is the server running at this host and port? Check \"baseUrl\"."),
                {}};
    }
    const QString meaning = Words::tr("no way leads there");
    const auto unused = unusedProxyAdvice(situation, meaning);
    return unused ? *unused
                  : CheckAdvice{meaning,
                                proxied ? Words::tr("Check \"proxy\" and the network.")
                                        : Words::tr("Check host and port in \"baseUrl\", and the network."),
                                {}};
}

CheckAdvice adviceForTls(const ProbeResult& result, const CheckSituation& situation)
{
    // What a person must mend first comes first: a foreign authority is only said when nothing else is wrong.
    for (const QSslError::SslError first : {QSslError::CertificateExpired, QSslError::CertificateNotYetValid,
                                            QSslError::HostNameMismatch, QSslError::CertificateRevoked}) {
        const auto found = std::find_if(result.tlsErrors.begin(), result.tlsErrors.end(), [&](const QSslError& error) {
            return error.error() == first;
        });
        if (found != result.tlsErrors.end()) {
            return certificateAdvice(first, result.certificate, situation);
        }
    }
    if (!result.tlsErrors.isEmpty()) {
        return certificateAdvice(result.tlsErrors.first().error(), result.certificate, situation);
    }
    if (result.outcome == ProbeResult::Outcome::TimedOut) {
        return {Words::tr("the server does not answer the handshake"),
                Words::tr("Does it speak TLS on this port? Else write http:// in \"baseUrl\"."),
                schemeChange(situation.endpoint, QStringLiteral("http"))};
    }
    switch (result.error) {
    case QAbstractSocket::ProxyAuthenticationRequiredError:
    case QAbstractSocket::ProxyConnectionRefusedError:
    case QAbstractSocket::ProxyConnectionClosedError:
    case QAbstractSocket::ProxyConnectionTimeoutError:
    case QAbstractSocket::ProxyNotFoundError:
    case QAbstractSocket::ProxyProtocolError:
        return {Words::tr("the proxy does not let it through"),
                Words::tr("Check \"proxy\": user, password, and whether it may go to this host and port."),
                {}};
    default:
        break;
    }
    const QString said = result.errorText.toLower();
    if (result.error == QAbstractSocket::RemoteHostClosedError
        || saysOneOf(said, {"wrong version", "packet length", "unexpected eof", "http request"})) {
        return {Words::tr("the server does not speak TLS on this port"), Words::tr("Write http:// in \"baseUrl\"."),
                schemeChange(situation.endpoint, QStringLiteral("http"))};
    }
    return {Words::tr("no secure connection"),
            Words::tr("Check \"baseUrl\"; a proxy or a firewall may break TLS on the way."),
            {}};
}

} // namespace tokenpace
