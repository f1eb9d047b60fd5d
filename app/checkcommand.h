// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>

#include <QObject>
#include <QString>
#include <QStringList>

#include "experiment/endpointcheck.h"
#include "runsetup.h"

namespace tokenpace {

/// The options of `tokenpace check`, or what to print instead.
struct ParsedCheckOptions {
    RunOptions options; ///< only what names an endpoint, a model and the JSON file
    QString error; ///< what is wrong with the command, naming the option
    QString help; ///< asked for with --help
};
[[nodiscard]] ParsedCheckOptions parseCheckOptions(const QStringList& arguments);

/// `tokenpace check`: an endpoint looked at step by step, a line a step as it ends. Lives on the main thread under an
/// application's event loop, which it quits with the command's exit code.
class CheckCommand final : public QObject {
    Q_OBJECT
public:
    explicit CheckCommand(RunOptions options, QObject* parent = nullptr);
    ~CheckCommand() override;

    void start();

private:
    void onStep(const CheckStep& step);
    void onFinished();
    void onInterrupted();
    void say(const QString& line) const;
    void finish(int exitCode);
    [[nodiscard]] QByteArray document() const;

    RunOptions m_options;
    RunSetup m_setup;
    EndpointSettings m_endpoint;
    std::unique_ptr<EndpointCheck> m_check;
};

} // namespace tokenpace
