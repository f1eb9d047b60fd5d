// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <string>
#include <vector>

#include <QList>
#include <QObject>
#include <QString>

#include "settings/environment.h"
#include "settings/jsonedit.h"
#include "settings/settings.h"
#include "settings/settingsschema.h"

namespace tokenpace {

/// Where a key is looked at: one endpoint, or what holds for all of them.
struct SettingsTarget {
    int endpoint = -1; ///< index into endpoints(); -1: for all endpoints

    friend bool operator==(const SettingsTarget&, const SettingsTarget&) = default;
};

/// A value as it stands in the text.
struct SettingState {
    std::optional<nlohmann::ordered_json> value; ///< none: absent here
    std::optional<nlohmann::ordered_json> inherited; ///< what holds for all endpoints, for an endpoint's own override
    QString problem; ///< of the value here
};

struct EndpointTitle {
    QString name; ///< as given, or empty
    QString host; ///< as far as it can be told
};

/// A line of the text that would be written.
struct SettingsLine {
    QString text;
    bool isChanged = false; ///< new, or other than in the file
};

/// A settings.json while it is edited: its text, the changes to it, and a list of them to go back and forth in. Nothing
/// but the changed values differs from the file's text. Reads and writes no file. Lives on any one thread.
class SettingsEditor final : public QObject {
    Q_OBJECT

public:
    explicit SettingsEditor(EnvironmentLookup environment, QObject* parent = nullptr);

    /// Variables are looked up there from now on.
    void setEnvironment(EnvironmentLookup environment);

    /// Begins anew with a file's bytes; false, with error(), when they can't be edited. An empty text is a new file.
    bool open(const QByteArray& bytes, const QString& file);
    [[nodiscard]] const QString& error() const { return m_error; } ///< with its place
    [[nodiscard]] const QString& file() const { return m_file; }

    [[nodiscard]] QByteArray text() const { return QByteArray::fromStdString(m_text); }
    [[nodiscard]] bool isChanged() const { return m_text != m_saved; }
    /// The file now holds this text.
    void markSaved();
    /// The file has changed under us: makes our changes again, on its text. False, with nothing changed and error(),
    /// when one of them has no place there any longer.
    bool rebase(const QByteArray& bytes);

    [[nodiscard]] QList<EndpointTitle> endpoints() const;
    [[nodiscard]] SettingState state(SettingsTarget target, const SettingKey& key) const;
    /// Why nothing may be sent to an endpoint, and other warnings on the text, with their places.
    [[nodiscard]] QStringList problems(SettingsTarget target) const;
    /// Does a key stand in the text as such, rather than as a variable?
    [[nodiscard]] bool holdsKey() const;
    /// Everything as the program would use it; none when the text holds no settings.
    [[nodiscard]] const std::optional<Settings>& settings() const { return m_settings; }

    /// The JSON of a list's items as they are spelled; empty when there is no list.
    [[nodiscard]] std::vector<std::string> spelledItems(SettingsTarget target, const SettingKey& key) const;

    /// Sets a value (as JSON), or takes it out. Changes of the same value one after the other are one step to undo.
    bool set(SettingsTarget target, const SettingKey& key, const std::optional<std::string>& json);
    /// Makes a list of these items, each as JSON, as one step: what stays is not touched, comments beside it included.
    bool setItems(SettingsTarget target, const SettingKey& key, const std::vector<std::string>& items);
    /// Each gives the index of the endpoint that is to be looked at then, or -1 when it can't be done: see error().
    int addEndpoint(const QString& baseUrl = {});
    int duplicateEndpoint(int index);
    int removeEndpoint(int index);
    int moveEndpoint(int index, int by);

    [[nodiscard]] bool canUndo() const { return m_at > 0; }
    [[nodiscard]] bool canRedo() const { return m_at < m_steps.size(); }
    [[nodiscard]] QString undoText() const; ///< what would be undone
    [[nodiscard]] QString redoText() const;
    void undo();
    void redo();
    /// Back to the file's text, as one step that can be undone.
    void discard();
    /// The next change of the same value is a step of its own.
    void endStep() { m_mergesInto.clear(); }

    /// A key that stands there as such is masked.
    [[nodiscard]] QList<SettingsLine> lines() const;
    [[nodiscard]] int changedLines() const; ///< lines that are new or other, or where lines are missing

signals:
    void changed();

private:
    struct Step {
        std::string before;
        std::string after;
        std::vector<JsonEdit> edits; ///< empty for what is no edit: discarding
        QString words;
    };

    [[nodiscard]] std::vector<std::string> pathOf(SettingsTarget target) const;
    [[nodiscard]] std::vector<std::string> pathOf(SettingsTarget target, const SettingKey& key) const;
    [[nodiscard]] std::optional<nlohmann::ordered_json> valueAt(const std::vector<std::string>& path) const;
    [[nodiscard]] std::optional<std::string> rawAt(const std::vector<std::string>& path) const;
    [[nodiscard]] int listSize() const;
    [[nodiscard]] bool hasProvider() const;
    bool apply(const std::vector<JsonEdit>& edits, const QString& words, const std::string& mergeKey = {});
    void show(const std::string& text);
    QString located(const TextProblem& problem) const;

    EnvironmentLookup m_environment;
    QString m_file;
    QString m_error;
    std::string m_prefix = "tokenpace";
    std::string m_saved; ///< the file's text
    std::string m_text;
    JsonText m_document; ///< of m_text
    std::optional<Settings> m_settings; ///< of m_text
    std::vector<Step> m_steps;
    std::size_t m_at = 0; ///< so many steps are done
    std::string m_mergesInto; ///< which value the last step set
};

} // namespace tokenpace
