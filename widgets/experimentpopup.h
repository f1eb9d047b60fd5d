// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QFrame>

#include "experiment/runspec.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QSpinBox;

namespace tokenpace {

/// The parameters of the experiment, in a pop-up below its button. Checked while typing: what can't be right is marked
/// and said below the field, and is not taken over. GUI thread.
class ExperimentPopup final : public QFrame {
    Q_OBJECT
public:
    explicit ExperimentPopup(QWidget* parent = nullptr);

    /// Shows these, without a signal.
    void setSpec(const RunSpec& spec);
    [[nodiscard]] const RunSpec& spec() const { return m_spec; }
    /// What is wrong in the fields now; empty when all is well.
    [[nodiscard]] QStringList problems() const;
    /// Nothing can be changed while a run goes on.
    void setLocked(bool locked);
    void popUp(const QPoint& globalTopLeft);

signals:
    void edited(const tokenpace::RunSpec& spec); ///< only with fields that are right
    void validityChanged();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void addField(const QString& name, QWidget* field, const QString& help);
    void read();
    void showFieldsOf(Experiment experiment);
    void setProblem(QWidget* field, QLabel* line, const QString& problem);

    RunSpec m_spec;
    bool m_filling = false;
    QFormLayout* m_form = nullptr;
    QLabel* m_title = nullptr;
    QLineEdit* m_lengths = nullptr;
    QLabel* m_lengthsProblem = nullptr;
    QPlainTextEdit* m_prompt = nullptr;
    QLabel* m_promptProblem = nullptr;
    QLineEdit* m_system = nullptr;
    QSpinBox* m_repeats = nullptr;
    QSpinBox* m_warmup = nullptr;
    QSpinBox* m_concurrency = nullptr;
    QSpinBox* m_maxTokens = nullptr;
    QLineEdit* m_seed = nullptr;
    QLabel* m_seedProblem = nullptr;
    QComboBox* m_order = nullptr;
};

} // namespace tokenpace
