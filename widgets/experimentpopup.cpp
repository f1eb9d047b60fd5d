// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "experimentpopup.h"

#include <algorithm>

#include <QComboBox>
#include <QFormLayout>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QScopedValueRollback>
#include <QScreen>
#include <QSpinBox>
#include <QStyle>

#include "controls/rolelabel.h"
#include "lengthlist.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int labelColumn = 104;

QSpinBox* spin(int low, int high, const QString& unit)
{
    auto* box = new QSpinBox;
    box->setRange(low, high);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setGroupSeparatorShown(true);
    if (!unit.isEmpty()) {
        box->setSuffix(QLatin1Char(' ') + unit);
    }
    box->setFixedWidth(150);
    return box;
}

QLabel* problemLine()
{
    auto* line = new RoleLabel(QString(), RoleLabel::Role::Error, textFont(12));
    line->setWordWrap(true);
    line->hide();
    return line;
}

} // namespace

ExperimentPopup::ExperimentPopup(QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_form(new QFormLayout(this))
    , m_title(new QLabel)
    , m_lengths(new QLineEdit)
    , m_lengthsProblem(problemLine())
    , m_prompt(new QPlainTextEdit)
    , m_promptProblem(problemLine())
    , m_system(new QLineEdit)
    , m_repeats(spin(1, 10000, {}))
    , m_warmup(spin(0, 100, tr("per model")))
    , m_concurrency(spin(1, 256, tr("in flight")))
    , m_maxTokens(spin(0, 1000000, tr("tokens")))
    , m_seed(new QLineEdit)
    , m_seedProblem(problemLine())
    , m_order(new QComboBox)
{
    setFixedWidth(460);
    m_form->setContentsMargins(16, 14, 16, 16);
    m_form->setHorizontalSpacing(12);
    m_form->setVerticalSpacing(10);
    m_form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    m_title->setFont(textFont(13, QFont::DemiBold));
    m_form->addRow(m_title);

    m_lengths->setFixedWidth(300);
    m_prompt->setFixedSize(300, 88);
    m_prompt->setPlaceholderText(tr("The prompt, sent as it stands"));
    m_prompt->setTabChangesFocus(true);
    m_system->setFixedWidth(300);
    m_system->setPlaceholderText(tr("not sent"));
    m_maxTokens->setSpecialValueText(tr("not sent"));
    m_seed->setFixedWidth(150);
    m_seed->setPlaceholderText(tr("new for each run"));
    m_order->addItem(tr("Interleaved"), true);
    m_order->addItem(tr("Blocked by model"), false);
    m_order->setFixedWidth(150);

    addField(tr("Prompt lengths"), m_lengths,
             tr("Tokens, a level each. Prompts are generated and differ every time, so "
                "that no cache is hit by accident."));
    m_form->setWidget(m_form->rowCount(), QFormLayout::FieldRole, m_lengthsProblem);
    addField(tr("Prompt"), m_prompt, {});
    m_form->setWidget(m_form->rowCount(), QFormLayout::FieldRole, m_promptProblem);
    addField(tr("System prompt"), m_system, {});
    addField(tr("Repeats"), m_repeats, tr("Measured requests of each model at each length. A P95 needs 20."));
    addField(tr("Warm-ups"), m_warmup,
             tr("Sent first, shown, never counted; they also calibrate the prompts' lengths."));
    addField(tr("Concurrency"), m_concurrency, tr("Requests in flight at once, of the whole run."));
    addField(tr("Max. tokens"), m_maxTokens, tr("Output of each request; the prompt asks the model to fill it."));
    addField(tr("Order"), m_order,
             tr("Interleaved: each round holds every model at every length once, in a random order, "
                "so that drift hits all alike."));
    addField(tr("Seed"), m_seed, tr("The same seed gives the same prompts in the same order."));
    m_form->setWidget(m_form->rowCount(), QFormLayout::FieldRole, m_seedProblem);

    connect(m_lengths, &QLineEdit::textEdited, this, &ExperimentPopup::read);
    connect(m_prompt, &QPlainTextEdit::textChanged, this, &ExperimentPopup::read);
    connect(m_system, &QLineEdit::textEdited, this, &ExperimentPopup::read);
    connect(m_seed, &QLineEdit::textEdited, this, &ExperimentPopup::read);
    for (const QSpinBox* box : {m_repeats, m_warmup, m_concurrency, m_maxTokens}) {
        connect(box, &QSpinBox::valueChanged, this, &ExperimentPopup::read);
    }
    connect(m_order, &QComboBox::currentIndexChanged, this, &ExperimentPopup::read);
    setAccessibleName(tr("Parameters of the experiment"));
}

void ExperimentPopup::addField(const QString& name, QWidget* field, const QString& help)
{
    auto* label = new QLabel(name);
    label->setFixedWidth(labelColumn);
    label->setFixedHeight(28);
    label->setBuddy(field);
    label->setToolTip(help);
    field->setToolTip(help);
    field->setAccessibleName(name);
    field->setAccessibleDescription(help);
    m_form->addRow(label, field);
}

void ExperimentPopup::setSpec(const RunSpec& spec)
{
    const QScopedValueRollback guard(m_filling, true);
    // What someone types keeps its spelling while it means the same.
    const bool sameLengths = lengthsText(parseLengths(m_lengths->text()).lengths) == lengthsText(spec.promptTokens);
    m_spec = spec;
    m_title->setText(spec.experiment == Experiment::Length ? tr("Prompt length") : tr("Single prompt"));
    if (!sameLengths) {
        m_lengths->setText(lengthsText(spec.promptTokens));
    }
    if (m_prompt->toPlainText() != spec.prompt) {
        m_prompt->setPlainText(spec.prompt);
    }
    if (m_system->text() != spec.system) {
        m_system->setText(spec.system);
    }
    m_repeats->setValue(spec.repeats);
    m_warmup->setValue(spec.warmup);
    m_concurrency->setValue(spec.concurrency);
    m_maxTokens->setValue(spec.maxTokens.value_or(0));
    m_order->setCurrentIndex(spec.interleaved ? 0 : 1);
    if (spec.seed != m_seed->text().toULongLong()) {
        m_seed->setText(spec.seed == 0 ? QString() : QString::number(spec.seed));
    }
    showFieldsOf(spec.experiment);
    setProblem(m_lengths, m_lengthsProblem, {});
    setProblem(m_prompt, m_promptProblem, {});
    setProblem(m_seed, m_seedProblem, {});
}

void ExperimentPopup::showFieldsOf(Experiment experiment)
{
    const bool length = experiment == Experiment::Length;
    const auto setRowShown = [this](QWidget* field, bool shown) {
        field->setVisible(shown);
        m_form->labelForField(field)->setVisible(shown);
    };
    setRowShown(m_lengths, length);
    setRowShown(m_order, length);
    setRowShown(m_prompt, !length);
    setRowShown(m_system, !length);
}

void ExperimentPopup::setProblem(QWidget* field, QLabel* line, const QString& problem)
{
    if (line->text() == problem && line->isHidden() == problem.isEmpty()) {
        return;
    }
    line->setText(problem);
    line->setVisible(!problem.isEmpty());
    field->setProperty("bad", !problem.isEmpty());
    field->style()->unpolish(field);
    field->style()->polish(field);
    adjustSize();
}

void ExperimentPopup::read()
{
    if (m_filling) {
        return;
    }
    const bool length = m_spec.experiment == Experiment::Length;
    const LengthList list = parseLengths(m_lengths->text());
    setProblem(m_lengths, m_lengthsProblem, length ? list.problem : QString());
    const bool noPrompt = m_prompt->toPlainText().trimmed().isEmpty();
    setProblem(m_prompt, m_promptProblem, !length && noPrompt ? tr("Write the prompt to send") : QString());
    bool seedRead = true;
    const QString seedText = m_seed->text().trimmed();
    const quint64 seed = seedText.isEmpty() ? 0 : seedText.toULongLong(&seedRead);
    setProblem(m_seed, m_seedProblem, seedRead ? QString() : tr("A whole number, or empty for a new one each run"));

    if (list.problem.isEmpty()) {
        m_spec.promptTokens = list.lengths;
    }
    m_spec.prompt = m_prompt->toPlainText();
    m_spec.system = m_system->text();
    m_spec.repeats = m_repeats->value();
    m_spec.warmup = m_warmup->value();
    m_spec.concurrency = m_concurrency->value();
    m_spec.maxTokens = m_maxTokens->value() > 0 ? std::optional(m_maxTokens->value()) : std::nullopt;
    m_spec.interleaved = m_order->currentData().toBool();
    m_spec.seed = seedRead ? seed : m_spec.seed;
    emit validityChanged();
    if (problems().isEmpty()) {
        emit edited(m_spec);
    }
}

QStringList ExperimentPopup::problems() const
{
    QStringList found;
    for (const QLabel* line : {m_lengthsProblem, m_promptProblem, m_seedProblem}) {
        if (!line->isHidden()) {
            found.append(line->text());
        }
    }
    return found;
}

void ExperimentPopup::setLocked(bool locked)
{
    for (QWidget* field : std::initializer_list<QWidget*>{m_lengths, m_prompt, m_system, m_repeats, m_warmup,
                                                          m_concurrency, m_maxTokens, m_seed, m_order}) {
        field->setEnabled(!locked);
    }
}

void ExperimentPopup::popUp(const QPoint& globalTopLeft)
{
    adjustSize();
    const QScreen* screen = QGuiApplication::screenAt(globalTopLeft);
    QPoint at = globalTopLeft;
    if (screen) {
        const QRect room = screen->availableGeometry();
        at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - width())));
    }
    move(at);
    show();
    (m_spec.experiment == Experiment::Length ? static_cast<QWidget*>(m_lengths) : m_prompt)->setFocus();
}

bool ExperimentPopup::event(QEvent* event)
{
    // Esc closes the pop-up here, whatever it does in the window.
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QFrame::event(event);
}

void ExperimentPopup::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        close();
        return;
    }
    QFrame::keyPressEvent(event);
}

void ExperimentPopup::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    const Theme& theme = activeTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    painter.setPen(theme.controlLine);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace tokenpace
