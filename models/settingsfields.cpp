// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settingsfields.h"

#include <algorithm>

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

#include "settings/baseurl.h"

namespace tokenpace {

namespace {

using Json = nlohmann::ordered_json;

QString fromStd(const std::string& text)
{
    return QString::fromStdString(text);
}

/// `10,000` and `10 000` are typed as often as `10000`.
QString withoutGrouping(QString text)
{
    static const QRegularExpression grouping(QStringLiteral("(?<=\\d)[,\\x{00A0}\\x{202F} ](?=\\d{3}(?!\\d))"));
    return text.trimmed().remove(grouping);
}

QString grouped(const Json& number)
{
    return number.is_number_integer()
        ? QLocale(QLocale::English).toString(static_cast<qlonglong>(number.get<std::int64_t>()))
        : fromStd(number.dump());
}

QStringList listItems(const QString& text)
{
    static const QRegularExpression separator(QStringLiteral("[,;\\s]+"));
    return text.split(separator, Qt::SkipEmptyParts);
}

QString groupOf(const SettingKey& key)
{
    const std::string section = key.section();
    if (section.empty()) {
        return SettingsFields::tr("Endpoint");
    }
    if (section == "request") {
        return SettingsFields::tr("Request");
    }
    if (section == "concurrency") {
        return SettingsFields::tr("Concurrency");
    }
    if (section == "limits") {
        return SettingsFields::tr("Limits");
    }
    if (section == "telemetry") {
        return SettingsFields::tr("Log");
    }
    return section == "experiment" ? SettingsFields::tr("Experiments") : SettingsFields::tr("Network");
}

/// The items of a list as texts; of objects their names.
QStringList namesOf(const Json& list)
{
    QStringList names;
    for (const Json& item : list) {
        if (item.is_string()) {
            names << fromStd(item.get<std::string>());
        } else if (item.is_object() && item.contains("name") && item["name"].is_string()) {
            names << fromStd(item["name"].get<std::string>());
        } else {
            names << fromStd(item.dump());
        }
    }
    return names;
}

/// Of an item as it is spelled, with comments perhaps.
QString modelName(const std::string& spelled)
{
    const Json item = Json::parse(spelled, nullptr, false, true);
    return item.is_discarded() ? QString() : namesOf(Json::array({item})).first();
}

Json namesJson(const QStringList& names)
{
    Json list = Json::array();
    for (const QString& name : names) {
        list.push_back(name.toStdString());
    }
    return list;
}

} // namespace

QString typedText(const SettingKey& key, const Json& value)
{
    if (value.is_string()) {
        return fromStd(value.get<std::string>());
    }
    if (value.is_number()) {
        return key.type == SettingType::Whole || key.type == SettingType::Number ? grouped(value)
                                                                                 : fromStd(value.dump());
    }
    if (value.is_array()) {
        return namesOf(value).join(QStringLiteral(", "));
    }
    return value.is_null() ? QString() : fromStd(value.dump());
}

TypedValue typedValue(const SettingKey& key, const QString& text)
{
    if (text.trimmed().isEmpty()) {
        return {};
    }
    Json value;
    switch (key.type) {
    case SettingType::Text:
    case SettingType::Secret:
    case SettingType::Path:
    case SettingType::Choice:
        value = text.trimmed().toStdString();
        break;
    case SettingType::Switch:
        value = Json::parse(text.toStdString(), nullptr, false);
        break;
    case SettingType::Whole:
    case SettingType::Number:
        // As JSON, so that the spelling stays: 0.10, 1e3.
        value = Json::parse(withoutGrouping(text).toStdString(), nullptr, false);
        break;
    case SettingType::WholeList:
        value = Json::array();
        for (const QString& item : listItems(text)) {
            value.push_back(Json::parse(item.toStdString(), nullptr, false));
        }
        break;
    case SettingType::Models:
        value = namesJson(listItems(text));
        break;
    case SettingType::Headers:
    case SettingType::Object:
        value = Json::parse(text.toStdString(), nullptr, false);
        break;
    }
    const QString problem = value.is_discarded() ? problemOf(key, Json("")) : problemOf(key, value);
    if (!problem.isEmpty()) {
        return {std::nullopt, problem};
    }
    if (value.is_discarded()) {
        return {std::nullopt, SettingsFields::tr("This is not good JSON")};
    }
    if (key.type == SettingType::Whole || key.type == SettingType::Number) {
        return {withoutGrouping(text).toStdString(), {}};
    }
    return {value.is_object() ? text.trimmed().toStdString() : value.dump(), {}};
}

SettingsFields::SettingsFields(SettingsEditor& editor, QObject* parent)
    : QAbstractListModel(parent)
    , m_editor(editor)
{
    connect(&editor, &SettingsEditor::changed, this, &SettingsFields::onEditorChanged);
}

void SettingsFields::show(Page page, int endpoint)
{
    beginResetModel();
    m_page = page;
    m_target.endpoint = page == Page::Endpoint ? endpoint : -1;
    m_keys.clear();
    if (page != Page::Endpoint || endpoint >= 0) {
        const bool oneModel = !m_editor.state(m_target, settingKey("models")).value
            && m_editor.state(m_target, settingKey("model")).value;
        for (const SettingKey& key : settingKeys()) {
            const std::string name = key.name();
            // `model` and `models` say the same: the one that the file has is shown, models in a new endpoint.
            const bool isOther = page == Page::Endpoint && key.section().empty()
                && ((name == "model" && !m_editor.state(m_target, key).value) || (name == "models" && oneModel));
            const bool belongs = page == Page::Request ? key.scope == SettingScope::Both : pageOf(key) == page;
            if (belongs && !isOther) {
                m_keys.push_back(&key);
            }
        }
    }
    m_editor.endStep();
    endResetModel();
}

SettingsFields::Page SettingsFields::pageOf(const SettingKey& key)
{
    if (key.scope != SettingScope::FileOnly) {
        return Page::Endpoint;
    }
    const std::string section = key.section();
    return section == "limits" ? Page::Limits : section == "telemetry" ? Page::Log : Page::Experiments;
}

void SettingsFields::dropDrafts()
{
    if (!m_drafts.empty()) {
        m_drafts.clear();
        emit badCountChanged();
        onEditorChanged();
    }
}

void SettingsFields::onEditorChanged()
{
    if (!m_keys.empty()) {
        emit dataChanged(index(0), index(static_cast<int>(m_keys.size()) - 1));
    }
}

int SettingsFields::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_keys.size());
}

const SettingsFields::Draft* SettingsFields::draftOf(const SettingKey& key) const
{
    const auto draft = m_drafts.find({m_target.endpoint, key.path});
    return draft == m_drafts.end() ? nullptr : &draft->second;
}

QString SettingsFields::textOf(const SettingKey& key) const
{
    if (const Draft* draft = draftOf(key)) {
        return draft->text;
    }
    const SettingState state = m_editor.state(m_target, key);
    return state.value ? typedText(key, *state.value) : QString();
}

QString SettingsFields::hintOf(const SettingKey& key) const
{
    const QString what = key.whatText();
    const SettingState state = m_editor.state(m_target, key);
    const QString standard = state.inherited ? tr("for all endpoints %1").arg(typedText(key, *state.inherited))
        : key.standard[0] != '\0'
        ? tr("default %1").arg(typedText(key, Json::parse(key.standard)))
        : tr("default: %1").arg(QCoreApplication::translate("SettingsSchema", key.standardWords));
    return key.type == SettingType::Object || key.type == SettingType::Headers
        ? what
        : QStringLiteral("%1; %2").arg(what, standard);
}

QString SettingsFields::problemText(const SettingKey& key) const
{
    if (const Draft* draft = draftOf(key)) {
        return draft->problem;
    }
    const SettingState state = m_editor.state(m_target, key);
    if (!state.problem.isEmpty()) {
        return state.problem;
    }
    if (std::string_view(key.path) == "baseUrl" && state.value && state.value->is_string()) {
        const QString url = fromStd(state.value->get<std::string>());
        return url.contains(QStringLiteral("${")) ? QString() : requestUrl(url, Protocol::OpenAiChat).problem;
    }
    return {};
}

QVariant SettingsFields::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const SettingKey& key = *m_keys[static_cast<std::size_t>(index.row())];
    const auto standard = [&]() -> std::optional<Json> {
        const SettingState state = m_editor.state(m_target, key);
        if (state.inherited) {
            return state.inherited;
        }
        return key.standard[0] != '\0' ? std::optional(Json::parse(key.standard)) : std::nullopt;
    };
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        if (key.type == SettingType::Switch) {
            const SettingState state = m_editor.state(m_target, key);
            const auto value = state.value && state.value->is_boolean() ? state.value : standard();
            return value && value->is_boolean() && value->get<bool>();
        }
        return textOf(key);
    case PathRole:
        return QString::fromUtf8(key.path);
    case TypeRole:
        return static_cast<int>(key.type);
    case GroupRole:
        return groupOf(key);
    case LabelRole:
    case Qt::AccessibleTextRole:
        return key.labelText();
    case UnitRole:
        return QString::fromUtf8(key.unit);
    case HintRole:
    case Qt::ToolTipRole:
        return hintOf(key);
    case PlaceholderRole: {
        const auto value = standard();
        return value ? typedText(key, *value) : QCoreApplication::translate("SettingsSchema", key.standardWords);
    }
    case ChoicesRole:
        return key.choiceList();
    case IsSetRole:
        return m_editor.state(m_target, key).value.has_value();
    case ItemsRole: {
        const SettingState state = m_editor.state(m_target, key);
        if (key.type != SettingType::Models || draftOf(key) || !state.value) {
            return key.type == SettingType::Models ? listItems(textOf(key)) : QStringList();
        }
        return namesOf(*state.value);
    }
    case ProblemRole:
        return problemText(key);
    default:
        return {};
    }
}

bool SettingsFields::takeModels(const QModelIndex& index, const QStringList& names)
{
    const SettingKey& key = *m_keys[static_cast<std::size_t>(index.row())];
    if (const QString problem = problemOf(key, names.isEmpty() ? Json() : namesJson(names)); !problem.isEmpty()) {
        return take(index, {std::nullopt, problem}, names.join(QStringLiteral(", ")));
    }
    if (m_drafts.erase({m_target.endpoint, key.path}) > 0) {
        emit badCountChanged();
    }
    // A model that is more than a name keeps its alias and price, to the letter.
    const std::vector<std::string> known = m_editor.spelledItems(m_target, key);
    std::vector<std::string> items;
    for (const QString& name : names) {
        const auto same = std::ranges::find_if(known, [&name](const std::string& spelled) {
            return modelName(spelled) == name;
        });
        items.push_back(same == known.end() ? Json(name.toStdString()).dump() : *same);
    }
    const bool set = m_editor.setItems(m_target, key, items);
    emit dataChanged(index, index);
    return set;
}

bool SettingsFields::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return false;
    }
    const SettingKey& key = *m_keys[static_cast<std::size_t>(index.row())];
    if (key.type == SettingType::Models) {
        const bool isList = value.typeId() == QMetaType::QStringList;
        const QStringList names = isList ? value.toStringList() : listItems(value.toString());
        return takeModels(index, names);
    }
    const bool isSwitch = value.typeId() == QMetaType::Bool;
    const QString text =
        isSwitch ? (value.toBool() ? QStringLiteral("true") : QStringLiteral("false")) : value.toString();
    return take(index, typedValue(key, text), text);
}

bool SettingsFields::take(const QModelIndex& index, const TypedValue& typed, const QString& text)
{
    const SettingKey& key = *m_keys[static_cast<std::size_t>(index.row())];
    const SettingState state = m_editor.state(m_target, key);
    // What is shown of a value may be less than it is.
    if (!draftOf(key) && state.value && !state.value->is_boolean() && typedText(key, *state.value) == text) {
        return true;
    }
    const DraftKey draftKey{m_target.endpoint, key.path};
    if (!typed.problem.isEmpty()) {
        m_drafts[draftKey] = {text, typed.problem};
        emit badCountChanged();
        emit dataChanged(index, index);
        return true;
    }
    if (m_drafts.erase(draftKey) > 0) {
        emit badCountChanged();
    }
    const bool set = m_editor.set(m_target, key, typed.json);
    emit dataChanged(index, index);
    return set;
}

bool SettingsFields::apply(int endpoint, const SettingChange& change)
{
    const std::string path = change.key.toStdString();
    const SettingsTarget target{endpoint};
    m_editor.endStep();
    if (path == "model" && !m_editor.state(target, settingKey("model")).value) {
        const SettingKey& models = settingKey("models");
        const std::string json = Json(change.value.toStdString()).dump();
        std::vector<std::string> items = m_editor.spelledItems(target, models);
        const auto old = std::ranges::find_if(items, [&change](const std::string& spelled) {
            return modelName(spelled) == change.replaces;
        });
        if (old == items.end()) {
            items.push_back(json);
        } else {
            *old = json; // alias and price belonged to the other model
        }
        return m_editor.setItems(target, models, items);
    }
    const auto keys = settingKeys();
    const auto key = std::ranges::find_if(keys, [&path](const SettingKey& each) {
        return path == each.path;
    });
    if (key == keys.end()) {
        return false;
    }
    const TypedValue typed = typedValue(*key, change.value);
    return typed.problem.isEmpty() && m_editor.set(target, *key, typed.json);
}

Qt::ItemFlags SettingsFields::flags(const QModelIndex& index) const
{
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable | Qt::ItemNeverHasChildren
                           : Qt::NoItemFlags;
}

QHash<int, QByteArray> SettingsFields::roleNames() const
{
    QHash<int, QByteArray> names = QAbstractListModel::roleNames();
    names[PathRole] = "path";
    names[TypeRole] = "type";
    names[GroupRole] = "group";
    names[LabelRole] = "label";
    names[UnitRole] = "unit";
    names[HintRole] = "hint";
    names[PlaceholderRole] = "placeholder";
    names[ChoicesRole] = "choices";
    names[IsSetRole] = "isSet";
    names[ItemsRole] = "items";
    names[ProblemRole] = "problem";
    return names;
}

} // namespace tokenpace
