// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <optional>

#include <QDialog>

#include "settings/environment.h"
#include "settings/settings.h"

class QButtonGroup;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;

namespace tokenpace {

class CheckPanel;
class EndpointCheck;
class FormColumn;
class HelpLine;
class StateField;
struct EndpointDraft;

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

    [[nodiscard]] QLineEdit* baseUrlField() const { return m_baseUrl; }
    [[nodiscard]] StateField* keyField() const { return m_key; }
    [[nodiscard]] QComboBox* modelField() const { return m_model; }
    [[nodiscard]] CheckPanel* checkPanel() const { return m_panel; }
    [[nodiscard]] QPushButton* saveButton() const { return m_save; }
    [[nodiscard]] HelpLine* baseUrlHelp() const { return m_baseUrlHelp; }
    [[nodiscard]] HelpLine* keyHelp() const { return m_keyHelp; }
    [[nodiscard]] HelpLine* modelHelp() const { return m_modelHelp; }
    [[nodiscard]] HelpLine* placeHelp() const { return m_placeHelp; }

    /// Where to save. `Session`: nowhere.
    enum class Place { User, WorkingFolder, OtherFolder, Session };
    void choosePlace(Place place);
    void setOtherFolder(const QString& folder); ///< and chooses it
    /// The file that would be written, or empty.
    [[nodiscard]] QString targetFile() const;

    void accept() override;

signals:
    void endpointChosen(const tokenpace::EndpointSettings& endpoint, const QString& savedFile);

private:
    QWidget* makeForm();
    QWidget* makePlaces();
    QWidget* makeFoot();
    void validate();
    bool validateUrl();
    bool validateKey();
    bool validatePlace();
    void showModelHelp();
    void onEdited();
    void startTest();
    void cancelTest();
    void onTestFinished();
    void browse();
    [[nodiscard]] EndpointDraft draft() const;
    [[nodiscard]] std::optional<QString> keyValue(const QString& variable) const;
    /// The endpoint as a saved file would give it; none, with the reason, when it can't be used.
    [[nodiscard]] std::optional<EndpointSettings> readBack(QString* problem) const;

    Places m_places;
    std::optional<EndpointSettings> m_endpoint;
    QString m_savedFile;
    QString m_otherFolder;
    QStringList m_listed; ///< models that the endpoint listed in the last test
    bool m_testFinished = false;
    FormColumn* m_form = nullptr;
    QLineEdit* m_baseUrl = nullptr;
    StateField* m_key = nullptr;
    QComboBox* m_model = nullptr;
    HelpLine* m_baseUrlHelp = nullptr;
    HelpLine* m_keyHelp = nullptr;
    HelpLine* m_modelHelp = nullptr;
    HelpLine* m_placeHelp = nullptr;
    QButtonGroup* m_placeGroup = nullptr;
    QRadioButton* m_otherPlace = nullptr;
    QLabel* m_footText = nullptr;
    QPushButton* m_save = nullptr;
    CheckPanel* m_panel = nullptr;
    std::unique_ptr<EndpointCheck> m_check; ///< while testing
};

} // namespace tokenpace
