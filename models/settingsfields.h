// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <map>
#include <vector>

#include <QAbstractListModel>

#include "experiment/checkstep.h"
#include "settings/settingseditor.h"

namespace tokenpace {

/// A value as people type it: a text as it is, a list with commas, an object as JSON.
[[nodiscard]] QString typedText(const SettingKey& key, const nlohmann::ordered_json& value);

/// JSON of what was typed, or what is wrong with it.
struct TypedValue {
    std::optional<std::string> json; ///< none: nothing was typed, or it is wrong
    QString problem;
};
[[nodiscard]] TypedValue typedValue(const SettingKey& key, const QString& text);

/// The fields of one page of the settings form: a row a key. A value that is typed is checked and, when it is good,
/// goes into the editor at once; a bad one is kept as typed, with what is wrong, until it is mended. GUI thread; the
/// editor outlives it.
class SettingsFields final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        PathRole = Qt::UserRole + 1, ///< of the key: `request.maxTokens`
        TypeRole, ///< a SettingType as int
        GroupRole, ///< title of the group that the field stands in
        LabelRole,
        UnitRole,
        HintRole, ///< what it does and its default
        PlaceholderRole, ///< what holds while nothing is typed
        ChoicesRole, ///< QStringList
        IsSetRole, ///< the value stands in the file, here
        ItemsRole, ///< of models: their names as a QStringList
        ProblemRole, ///< empty when nothing is wrong
    };

    explicit SettingsFields(SettingsEditor& editor, QObject* parent = nullptr);

    enum class Page { Endpoint, Request, Limits, Log, Experiments };
    /// Where a key is found first: an endpoint's own page rather than that for all endpoints.
    [[nodiscard]] static Page pageOf(const SettingKey& key);
    /// What is shown; `endpoint` counts for the endpoint's page.
    void show(Page page, int endpoint = -1);
    [[nodiscard]] Page page() const { return m_page; }
    [[nodiscard]] SettingsTarget target() const { return m_target; }

    /// Fields, on any page, whose text is not good yet.
    [[nodiscard]] int badCount() const { return static_cast<int>(m_drafts.size()); }
    /// Forgets what was typed and is not good.
    void dropDrafts();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    /// EditRole: the text in the field (a bool for a switch); DisplayRole: the same.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    /// EditRole takes a text (or a bool, or a list of models' names). An empty one takes the value out of the file.
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    /// Does what a check proposes; false when the file has no place for it.
    bool apply(int endpoint, const SettingChange& change);

signals:
    void badCountChanged();

private:
    struct Draft {
        QString text;
        QString problem;
    };
    using DraftKey = std::pair<int, std::string>; ///< endpoint and path

    void onEditorChanged();
    bool takeModels(const QModelIndex& index, const QStringList& names);
    bool take(const QModelIndex& index, const TypedValue& typed, const QString& text);
    [[nodiscard]] QString textOf(const SettingKey& key) const;
    [[nodiscard]] QString hintOf(const SettingKey& key) const;
    [[nodiscard]] QString problemText(const SettingKey& key) const;
    [[nodiscard]] const Draft* draftOf(const SettingKey& key) const;

    SettingsEditor& m_editor;
    Page m_page = Page::Endpoint;
    SettingsTarget m_target;
    std::vector<const SettingKey*> m_keys;
    std::map<DraftKey, Draft> m_drafts;
};

} // namespace tokenpace
