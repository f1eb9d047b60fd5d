// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "connectdialog.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include "checkpanel.h"
#include "controls/formparts.h"
#include "experiment/endpointcheck.h"
#include "settings/baseurl.h"
#include "settingssaver.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

const auto fileName = QStringLiteral("settings.json");

} // namespace

ConnectDialog::ConnectDialog(Places places, QWidget* parent)
    : QDialog(parent)
    , m_places(std::move(places))
{
    if (!m_places.environment) {
        m_places.environment = processEnvironment();
    }
    setWindowTitle(tr("Connect an endpoint"));
    resize(840, 560);

    m_panel = new CheckPanel(this);
    m_panel->showIdle(tr("Looks at each step on the way to the endpoint, then sends four requests of a few tokens."));
    auto* middle = new QHBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(makeForm(), 1);
    middle->addWidget(m_panel);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(middle, 1);
    column->addWidget(makeFoot());

    connect(m_panel, &CheckPanel::testRequested, this, &ConnectDialog::startTest);
    connect(m_panel, &CheckPanel::cancelRequested, this, &ConnectDialog::cancelTest);
    connect(m_baseUrl, &QLineEdit::textChanged, this, &ConnectDialog::onEdited);
    connect(m_key, &QLineEdit::textChanged, this, &ConnectDialog::onEdited);
    connect(m_model, &QComboBox::editTextChanged, this, &ConnectDialog::onEdited);
    connect(m_placeGroup, &QButtonGroup::idToggled, this, &ConnectDialog::validate);

    // A key that is there already is most likely the one for this.
    for (const auto& name : {QStringLiteral("TAOTOKEN_API_KEY"), QStringLiteral("OPENAI_API_KEY")}) {
        if (keyValue(name)) {
            m_key->setText(QStringLiteral("${%1}").arg(name));
            break;
        }
    }
    validate();
    m_baseUrl->setFocus(Qt::OtherFocusReason);
}

ConnectDialog::~ConnectDialog() = default;

QWidget* ConnectDialog::makeForm()
{
    auto* page = new QWidget(this);
    m_form = new FormColumn(page);
    m_form->addGroup(tr("Endpoint"));
    m_baseUrl = new QLineEdit(m_form);
    m_baseUrl->setPlaceholderText(QStringLiteral("http://127.0.0.1:8080/v1"));
    m_baseUrl->setInputMethodHints(Qt::ImhUrlCharactersOnly | Qt::ImhNoPredictiveText);
    m_baseUrlHelp = m_form->addRow(tr("Base URL"), m_baseUrl);
    m_key = new StateField(m_form);
    m_key->setPlaceholderText(tr("${NAME}, or empty for no key"));
    m_key->setFont(codeFont(12));
    m_key->setInputMethodHints(Qt::ImhNoPredictiveText | Qt::ImhSensitiveData);
    m_keyHelp = m_form->addRow(tr("Key’s variable"), m_key);
    m_model = new QComboBox(m_form);
    m_model->setEditable(true);
    m_model->setInsertPolicy(QComboBox::NoInsert);
    m_model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_modelHelp = m_form->addRow(tr("Model"), m_model);
    m_form->addGroup(tr("Save to"));
    m_placeHelp = m_form->addRow(fileName, makePlaces());

    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(20, 16, 24, 12);
    layout->addWidget(m_form);
    layout->addStretch(1);
    return page;
}

QWidget* ConnectDialog::makePlaces()
{
    auto* box = new QWidget(m_form);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 5, 0, 2);
    column->setSpacing(10);
    m_placeGroup = new QButtonGroup(this);
    const auto add = [&](Place place, const QString& text) {
        auto* radio = new QRadioButton(text, box);
        m_placeGroup->addButton(radio, static_cast<int>(place));
        column->addWidget(radio);
        return radio;
    };
    add(Place::User, tr("For every folder"))->setToolTip(m_places.configFile);
    add(Place::WorkingFolder, tr("For this folder"))->setToolTip(QDir(m_places.workingFolder).filePath(fileName));
    m_otherPlace = add(Place::OtherFolder, tr("In another folder…"));
    add(Place::Session, tr("Not saved, for this session only"));
    m_placeGroup->button(static_cast<int>(Place::User))->setChecked(true);
    connect(m_otherPlace, &QRadioButton::clicked, this, &ConnectDialog::browse);
    return box;
}

QWidget* ConnectDialog::makeFoot()
{
    auto* foot = new DialogFoot(this);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(16, 1, 16, 0);
    row->setSpacing(8);
    m_footText = new RoleLabel({}, RoleLabel::Role::Muted, codeFont(12), foot);
    m_footText->setMinimumWidth(40);
    m_footText->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* cancel = new QPushButton(tr("Cancel"), foot);
    cancel->setAutoDefault(false);
    m_save = new QPushButton(foot);
    m_save->setProperty("main", true);
    m_save->setDefault(true);
    row->addWidget(m_footText, 1);
    row->addWidget(cancel);
    row->addWidget(m_save);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &ConnectDialog::accept);
    return foot;
}

void ConnectDialog::choosePlace(Place place)
{
    m_placeGroup->button(static_cast<int>(place))->setChecked(true);
}

void ConnectDialog::setOtherFolder(const QString& folder)
{
    m_otherFolder = folder;
    m_otherPlace->setText(folder.isEmpty() ? tr("In another folder…") : tr("In %1").arg(shortPath(folder)));
    choosePlace(Place::OtherFolder);
    validate();
}

void ConnectDialog::browse()
{
    auto* dialog = new QFileDialog(this, tr("Folder for settings.json"), m_places.workingFolder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, &ConnectDialog::setOtherFolder);
    dialog->open();
}

QString ConnectDialog::targetFile() const
{
    switch (static_cast<Place>(m_placeGroup->checkedId())) {
    case Place::User:
        return m_places.configFile;
    case Place::WorkingFolder:
        return QDir(m_places.workingFolder).filePath(fileName);
    case Place::OtherFolder:
        return m_otherFolder.isEmpty() ? QString() : QDir(m_otherFolder).filePath(fileName);
    case Place::Session:
        break;
    }
    return {};
}

std::optional<QString> ConnectDialog::keyValue(const QString& variable) const
{
    std::optional<QString> value = m_places.environment(variable);
    return value && !value->trimmed().isEmpty() ? value : std::nullopt;
}

EndpointDraft ConnectDialog::draft() const
{
    return {m_baseUrl->text().trimmed(), variableName(m_key->text()), m_model->currentText().trimmed()};
}

bool ConnectDialog::validateUrl()
{
    const QString text = m_baseUrl->text().trimmed();
    if (text.isEmpty()) {
        setBad(m_baseUrl, false);
        m_baseUrlHelp->setHelp(tr("Where the server listens; /v1 is added where it is missing."));
        return false;
    }
    const RequestUrl url = requestUrl(text, protocolFor(text));
    if (!url.problem.isEmpty()) {
        setBad(m_baseUrl, true);
        m_baseUrlHelp->setHelp(url.problem, HelpLine::Kind::Error);
        return false;
    }
    setBad(m_baseUrl, false);
    m_baseUrlHelp->setHelp(tr("Sends to %1").arg(displayUrl(url.url)));
    return true;
}

bool ConnectDialog::validateKey()
{
    const QString typed = m_key->text().trimmed();
    if (typed.isEmpty()) {
        setBad(m_key, false);
        m_key->setState({}, false);
        m_keyHelp->setHelp(tr("The variable’s name is saved, never the key. A local server needs none."));
        return true;
    }
    const QString name = variableName(typed);
    if (name.isEmpty()) {
        setBad(m_key, true);
        m_key->setState({}, false);
        m_keyHelp->setHelp(tr("Type the name of the variable that holds the key, such as OPENAI_API_KEY, not the key."),
                           HelpLine::Kind::Error);
        return false;
    }
    const std::optional<QString> value = keyValue(name);
    if (!value) {
        setBad(m_key, true);
        m_key->setState(tr("not set"), false);
        m_keyHelp->setHelp(tr("Set this variable, then start Tokenpace again: export %1=…")
                               .arg(name.size() > 40 ? QStringLiteral("NAME") : name),
                           HelpLine::Kind::Error);
        return false;
    }
    setBad(m_key, false);
    m_key->setState(value->size() == 1 ? tr("set, 1 character") : tr("set, %1 characters").arg(value->size()), true);
    m_keyHelp->setHelp(tr("The variable’s name is saved, never the key."));
    return true;
}

void ConnectDialog::showModelHelp()
{
    const QString model = m_model->currentText().trimmed();
    setBad(m_model, false);
    if (m_listed.isEmpty()) {
        m_modelHelp->setHelp(m_testFinished ? tr("The endpoint lists no models: type the model’s name.")
                                            : tr("As the server names it. The test fills this list."));
    } else if (model.isEmpty()) {
        m_modelHelp->setHelp(tr("Choose one of the %1 models on this endpoint.").arg(m_listed.size()));
    } else if (!m_listed.contains(model)) {
        setBad(m_model, true);
        m_modelHelp->setHelp(tr("Not on this endpoint’s list: %1").arg(model), HelpLine::Kind::Warning);
    } else {
        m_modelHelp->setHelp(m_listed.size() == 1 ? tr("The one model on this endpoint.")
                                                  : tr("One of %1 models on this endpoint.").arg(m_listed.size()));
    }
}

bool ConnectDialog::validatePlace()
{
    const QString file = targetFile();
    const bool session = m_placeGroup->checkedId() == static_cast<int>(Place::Session);
    m_save->setText(session ? tr("Open") : tr("Save and open"));
    m_footText->setText(session ? tr("not saved") : shortPath(file));
    m_footText->setToolTip(file);
    if (session) {
        m_placeHelp->setHelp(tr("Nothing is written; the next start asks again."));
        return true;
    }
    if (file.isEmpty()) {
        m_placeHelp->setHelp(tr("Choose a folder."));
        return false;
    }
    if (pathIsTaken(file)) {
        m_placeHelp->setHelp(
            tr("%1 is there already and is not changed. Choose another folder, or go on for this session "
               "without saving.")
                .arg(shortPath(file)),
            HelpLine::Kind::Error);
        return false;
    }
    m_placeHelp->setHelp(tr("A new file, %1, that only you can read.").arg(shortPath(file)));
    return true;
}

void ConnectDialog::validate()
{
    const bool url = validateUrl();
    const bool key = validateKey();
    const bool place = validatePlace();
    showModelHelp();
    m_panel->setTestEnabled(url && key);
    m_save->setEnabled(url && key && place && !m_model->currentText().trimmed().isEmpty());
}

void ConnectDialog::onEdited()
{
    if (m_check) {
        cancelTest();
    }
    if (sender() != m_model) {
        m_listed.clear(); // of another server, perhaps
        m_testFinished = false;
    }
    validate();
}

std::optional<EndpointSettings> ConnectDialog::readBack(QString* problem) const
{
    const QString file = targetFile();
    const SettingsResult result =
        readSettings(settingsText(draft()), file.isEmpty() ? m_places.configFile : file, m_places.environment);
    if (!result.settings || result.settings->endpoints.isEmpty()) {
        *problem = result.error;
        return std::nullopt;
    }
    const EndpointSettings& endpoint = result.settings->endpoints.first();
    if (!endpoint.problems.isEmpty()) {
        *problem = endpoint.problems.join(QLatin1Char('\n'));
        return std::nullopt;
    }
    return endpoint;
}

void ConnectDialog::startTest()
{
    QString problem;
    const std::optional<EndpointSettings> endpoint = readBack(&problem);
    m_panel->showRunning();
    if (!endpoint) {
        m_panel->addStep({QStringLiteral("settings"), tr("Settings"), CheckState::Failed, 0, problem, {}, {}});
        m_panel->showFinished(false);
        return;
    }
    m_check = std::make_unique<EndpointCheck>(*endpoint, draft().model);
    m_check->setEnvironment(m_places.environment);
    connect(m_check.get(), &EndpointCheck::stepStarted, m_panel, &CheckPanel::showStarted);
    connect(m_check.get(), &EndpointCheck::stepFinished, m_panel, &CheckPanel::addStep);
    connect(m_check.get(), &EndpointCheck::finished, this, &ConnectDialog::onTestFinished);
    m_check->start();
}

void ConnectDialog::cancelTest()
{
    m_check.reset();
    m_panel->showCancelled();
}

void ConnectDialog::onTestFinished()
{
    // Deleted later: this is its own signal.
    EndpointCheck* check = m_check.release();
    check->deleteLater();
    m_listed = check->models();
    m_testFinished = true;
    m_panel->showFinished(check->ok());
    {
        const QSignalBlocker blocker(m_model);
        QString model = m_model->currentText();
        if (model.trimmed().isEmpty() && m_listed.size() == 1) {
            model = m_listed.first();
        }
        m_model->clear();
        m_model->addItems(m_listed);
        m_model->setEditText(model);
    }
    validate();
}

void ConnectDialog::accept()
{
    if (!m_save->isEnabled()) {
        return;
    }
    QString problem;
    m_endpoint = readBack(&problem);
    const QString file = targetFile();
    if (m_endpoint && !file.isEmpty()) {
        problem = saveNewSettings(file, settingsText(draft()));
    }
    if (!problem.isEmpty() || !m_endpoint) {
        m_endpoint.reset();
        m_placeHelp->setHelp(problem, HelpLine::Kind::Error);
        return;
    }
    m_savedFile = file;
    m_check.reset();
    QDialog::accept();
    emit endpointChosen(*m_endpoint, m_savedFile);
}

} // namespace tokenpace
