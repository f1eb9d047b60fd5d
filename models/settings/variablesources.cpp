// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/variablesources.h"

#include <map>
#include <set>
#include <utility>

#include <QCoreApplication>
#include <QFileInfo>

#include "settings/dotenv.h"
#include "settings/settingsfile.h"

namespace tokenpace {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Settings)
};

QString located(const QString& file, const TextProblem& problem)
{
    return QStringLiteral("%1:%2:%3: %4")
        .arg(file)
        .arg(problem.place.line)
        .arg(problem.place.column)
        .arg(QString::fromStdString(problem.message));
}

} // namespace

struct VariableSources::State {
    EnvironmentLookup environment;
    QString file;
    std::map<QString, QString> variables; ///< of the file
    QStringList problems;
    std::set<QString> shadowed; ///< asked for, and held by both with different values

    void read(const QString& path)
    {
        if (!QFileInfo(path).isFile()) {
            return;
        }
        file = path;
        const FileText content = readFileText(path);
        if (!content.problem.isEmpty()) {
            problems << Words::tr("%1: %2; none of its variables is used").arg(path, content.problem);
            return;
        }
        const Dotenv dotenv = parseDotenv({content.text.constData(), static_cast<std::size_t>(content.text.size())});
        for (const TextProblem& warning : dotenv.warnings) {
            problems << located(path, warning);
        }
        if (dotenv.error) {
            problems << Words::tr("%1; none of its variables is used").arg(located(path, *dotenv.error));
            return;
        }
        for (const DotenvVariable& variable : dotenv.variables) {
            variables[QString::fromStdString(variable.name)] = QString::fromStdString(variable.value);
        }
    }

    std::optional<QString> find(const QString& name)
    {
        std::optional<QString> outer = environment ? environment(name) : std::nullopt;
        const auto own = variables.find(name);
        if (own == variables.end()) {
            return outer;
        }
        if (outer && *outer != own->second) {
            shadowed.insert(name);
        }
        return outer ? outer : own->second;
    }
};

VariableSources::VariableSources(const QString& settingsFile, EnvironmentLookup environment)
    : m_state(std::make_shared<State>())
{
    m_state->environment = std::move(environment);
    m_state->read(dotenvBeside(settingsFile));
}

EnvironmentLookup VariableSources::lookup() const
{
    return [state = m_state](const QString& name) {
        return state->find(name);
    };
}

const QString& VariableSources::dotenvFile() const
{
    return m_state->file;
}

QStringList VariableSources::warnings() const
{
    QStringList all = m_state->problems;
    for (const QString& name : m_state->shadowed) {
        all << Words::tr("%1: %2 is set in the environment too, to another value; the environment's is used")
                   .arg(m_state->file, name);
    }
    return all;
}

QString dotenvBeside(const QString& settingsFile)
{
    return QFileInfo(settingsFile).absolutePath() + QStringLiteral("/.env");
}

} // namespace tokenpace
