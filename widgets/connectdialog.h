// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <optional>

#include <QDialog>

#include "settings/environment.h"
#include "settings/settings.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace tokenpace {

class EndpointCheck;
class CheckPanel;
struct CheckStep;

/// "Connect an endpoint": base URL, name of the key's variable, model; a test that says what works and what to fix;
/// saves to a new settings.json. A settings file that is there already is never changed. The key itself is never shown,
/// stored or copied into a file: only `${NAME}`.
class ConnectDialog final : public QDialog {
    Q_OBJECT
public:
    struct Places {
        QString configFile; ///< absolute: $XDG_CONFIG_HOME/tokenpace/settings.json
        QString workingFolder; ///< absolute
        EnvironmentLookup environment; ///< empty: the process's own
    };
    explicit ConnectDialog(Places places, QWidget* parent = nullptr);
    ~ConnectDialog() override;

    /// After accept(): what to use; `apiKey` is expanded.
    [[nodiscard]] const std::optional<EndpointSettings>& endpoint() const { return m_endpoint; }
    /// After accept(): the file that was written, or empty when the endpoint is for this session only.
    [[nodiscard]] const QString& savedFile() const { return m_savedFile; }

signals:
    void endpointChosen(const tokenpace::EndpointSettings& endpoint, const QString& savedFile);

private:
    Places m_places;
    std::optional<EndpointSettings> m_endpoint;
    QString m_savedFile;
};

} // namespace tokenpace
