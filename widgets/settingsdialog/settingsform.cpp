// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settingsdialog/settingsform.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include "controls/chipfield.h"
#include "controls/formparts.h"
#include "settingsdialog/unitfield.h"
#include "settingsfields.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int labelWidth = 104;
constexpr int narrowField = 128;
constexpr int fieldHeight = 28;
constexpr int gap = 12;
constexpr int rowGap = 10;
constexpr int groupGap = 16;

bool isNarrow(SettingType type)
{
    return type == SettingType::Whole || type == SettingType::Number;
}

} // namespace

SettingsForm::SettingsForm(SettingsFields& fields, QWidget* parent)
    : QScrollArea(parent)
    , m_fields(fields)
{
    setFrameShape(NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Settings"));
    connect(&fields, &QAbstractItemModel::modelReset, this, &SettingsForm::rebuild);
    connect(&fields, &QAbstractItemModel::dataChanged, this, [this](const QModelIndex& first, const QModelIndex& last) {
        refresh(first.row(), last.row());
    });
    rebuild();
}

void SettingsForm::rebuild()
{
    m_rows.clear();
    m_gridRow = 0;
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(20, 16, 24, 16);
    auto* grid = new QGridLayout;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(gap);
    grid->setVerticalSpacing(0);
    grid->setColumnMinimumWidth(0, labelWidth);
    grid->setColumnStretch(1, 1);
    column->addLayout(grid);
    column->addStretch(1);
    QString group;
    for (int row = 0; row < m_fields.rowCount(); ++row) {
        const QString own = m_fields.index(row).data(SettingsFields::GroupRole).toString();
        if (own != group) {
            if (row > 0) {
                grid->setRowMinimumHeight(m_gridRow++, groupGap - rowGap);
            }
            grid->addWidget(new GroupHead(own, page), m_gridRow++, 0, 1, 2);
            grid->setRowMinimumHeight(m_gridRow++, rowGap);
            group = own;
        }
        addField(*grid, row);
    }
    if (QWidget* before = takeWidget()) {
        before->deleteLater(); // one of its fields may be telling us of a key at this moment
    }
    setWidget(page);
    page->setAutoFillBackground(false); // the dialog's ground is that of panels
    viewport()->setAutoFillBackground(false);
    refresh(0, static_cast<int>(m_rows.size()) - 1);
}

void SettingsForm::addField(QGridLayout& grid, int row)
{
    const QModelIndex index = m_fields.index(row);
    const auto type = static_cast<SettingType>(index.data(SettingsFields::TypeRole).toInt());
    const QString label = index.data(SettingsFields::LabelRole).toString();
    auto* words = new RoleLabel(label, RoleLabel::Role::Text2, textFont(13));
    words->setFixedHeight(fieldHeight);
    QWidget* field = makeField(row);
    field->setAccessibleName(label);
    field->setToolTip(index.data(SettingsFields::PathRole).toString());
    words->setBuddy(field);
    auto* help = new HelpLine;
    grid.addWidget(words, m_gridRow, 0, Qt::AlignTop);
    if (isNarrow(type)) {
        auto* line = new QHBoxLayout;
        line->setSpacing(10);
        field->setFixedWidth(narrowField);
        auto* hint =
            new RoleLabel(index.data(SettingsFields::HintRole).toString(), RoleLabel::Role::Muted, textFont(12));
        hint->setMinimumWidth(40);
        hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        hint->setToolTip(hint->text());
        line->addWidget(field);
        line->addWidget(hint, 1);
        grid.addLayout(line, m_gridRow, 1);
    } else if (type == SettingType::Choice) {
        field->setFixedWidth(180);
        grid.addWidget(field, m_gridRow, 1, Qt::AlignLeft);
    } else {
        grid.addWidget(field, m_gridRow, 1);
    }
    if (type == SettingType::Switch) {
        static_cast<QCheckBox*>(field)->setText(tr("on"));
    }
    grid.addWidget(help, m_gridRow + 1, 1);
    auto* actions = new QWidget;
    actions->setLayout(new QHBoxLayout);
    actions->layout()->setContentsMargins(0, 6, 0, 0);
    actions->layout()->setSpacing(8);
    actions->hide();
    grid.addWidget(actions, m_gridRow + 2, 1, Qt::AlignLeft);
    grid.setRowMinimumHeight(m_gridRow + 3, rowGap);
    m_gridRow += 4;
    m_rows.append({index.data(SettingsFields::PathRole).toString(),
                   field,
                   help,
                   actions,
                   {},
                   isNarrow(type) ? QString() : index.data(SettingsFields::HintRole).toString(),
                   QString()});
}

QWidget* SettingsForm::makeField(int row)
{
    const QModelIndex index = m_fields.index(row);
    switch (static_cast<SettingType>(index.data(SettingsFields::TypeRole).toInt())) {
    case SettingType::Switch: {
        auto* box = new QCheckBox;
        box->setFixedHeight(fieldHeight);
        connect(box, &QCheckBox::clicked, this, [this, row](bool checked) {
            write(row, checked);
        });
        return box;
    }
    case SettingType::Choice: {
        auto* box = new QComboBox;
        box->addItems(index.data(SettingsFields::ChoicesRole).toStringList());
        const QString standard = index.data(SettingsFields::PlaceholderRole).toString();
        if (box->findText(standard) < 0) {
            box->insertItem(0, standard, QString()); // no value in the file
        }
        connect(box, &QComboBox::activated, this, [this, row, box](int item) {
            const QVariant own = box->itemData(item);
            write(row, own.isValid() ? own : box->itemText(item));
        });
        return box;
    }
    case SettingType::Secret: {
        auto* field = new StateField;
        field->setFont(codeFont(12));
        field->setInputMethodHints(Qt::ImhNoPredictiveText | Qt::ImhSensitiveData);
        connect(field, &QLineEdit::textEdited, this, [this, row](const QString& text) {
            write(row, text);
        });
        return field;
    }
    case SettingType::Models: {
        auto* field = new ChipField;
        connect(field, &ChipField::itemsEdited, this, [this, row](const QStringList& items) {
            write(row, items);
        });
        return field;
    }
    default: {
        auto* field = new UnitField(index.data(SettingsFields::UnitRole).toString());
        connect(field, &QLineEdit::textEdited, this, [this, row](const QString& text) {
            write(row, text);
        });
        return field;
    }
    }
}

void SettingsForm::write(int row, const QVariant& value)
{
    if (!m_showing) {
        m_fields.setData(m_fields.index(row), value);
    }
}

void SettingsForm::refresh(int first, int last)
{
    m_showing = true;
    for (int row = std::max(first, 0); row <= last && row < m_rows.size(); ++row) {
        refreshRow(row);
    }
    m_showing = false;
}

void SettingsForm::refreshRow(int row)
{
    const QModelIndex index = m_fields.index(row);
    const Row& shown = m_rows.at(row);
    const QString problem = index.data(SettingsFields::ProblemRole).toString();
    const QString placeholder = index.data(SettingsFields::PlaceholderRole).toString();
    if (auto* box = qobject_cast<QCheckBox*>(shown.field)) {
        box->setChecked(index.data(Qt::EditRole).toBool());
    } else if (auto* choices = qobject_cast<QComboBox*>(shown.field)) {
        const QString text = index.data(Qt::EditRole).toString();
        choices->setCurrentIndex(choices->findText(text.isEmpty() ? placeholder : text));
    } else if (auto* chips = qobject_cast<ChipField*>(shown.field)) {
        chips->setItems(index.data(SettingsFields::ItemsRole).toStringList());
        chips->setPlaceholderText(placeholder);
    } else if (auto* field = qobject_cast<QLineEdit*>(shown.field)) {
        const QString text = index.data(Qt::EditRole).toString();
        // What is being typed may be spelled otherwise than the model would show it.
        if (field->text() != text && !(field->hasFocus() && field->text().trimmed() == text)) {
            const bool typing = field->hasFocus()
                && typedValue(settingKey(shown.path.toStdString()), field->text()).json
                    == typedValue(settingKey(shown.path.toStdString()), text).json;
            if (!typing) {
                field->setText(text);
                field->setCursorPosition(0); // a long one shows its beginning
            }
        }
        field->setPlaceholderText(placeholder);
        if (auto* secret = qobject_cast<StateField*>(field)) {
            // A reference is shown, a key never.
            const bool isReference =
                text.isEmpty() || text.startsWith(QLatin1Char('$')) || text.startsWith(QStringLiteral("keychain:"));
            secret->setEchoMode(isReference ? QLineEdit::Normal : QLineEdit::Password);
        }
    }
    const QString wrong = problem.isEmpty() ? shown.warning : problem;
    setBad(shown.field, !wrong.isEmpty());
    shown.help->setHelp(wrong.isEmpty() ? shown.note : wrong,
                        wrong.isEmpty() ? HelpLine::Kind::Help : HelpLine::Kind::Error);
}

void SettingsForm::setActions(const QString& path, const Actions& actions)
{
    for (Row& row : m_rows) {
        if (row.path != path) {
            continue;
        }
        // What a button does may change while it says the same.
        QStringList wanted;
        row.runs.clear();
        for (const auto& [text, run] : actions) {
            wanted << text;
            row.runs << run;
        }
        if (row.actions->property("texts").toStringList() == wanted) {
            return;
        }
        row.actions->setProperty("texts", wanted);
        while (QLayoutItem* item = row.actions->layout()->takeAt(0)) {
            item->widget()->hide();
            item->widget()->deleteLater(); // its click may have led here
            delete item;
        }
        for (int number = 0; number < wanted.size(); ++number) {
            auto* button = new QPushButton(wanted.at(number), row.actions);
            button->setProperty("small", true);
            button->setAutoDefault(false);
            connect(button, &QPushButton::clicked, this, [this, path, number] {
                runAction(path, number);
            });
            row.actions->layout()->addWidget(button);
        }
        row.actions->setVisible(!actions.isEmpty());
    }
}

void SettingsForm::runAction(const QString& path, int number)
{
    for (const Row& row : std::as_const(m_rows)) {
        if (row.path == path && number < row.runs.size()) {
            const std::function<void()> run = row.runs.at(number); // it may change the list
            row.field->setFocus(Qt::OtherFocusReason); // the button may be gone after it
            run();
            return;
        }
    }
}

void SettingsForm::setBadItems(const QString& path, const QStringList& items, const QString& words)
{
    for (int row = 0; row < m_rows.size(); ++row) {
        if (m_rows.at(row).path != path) {
            continue;
        }
        if (auto* chips = qobject_cast<ChipField*>(m_rows.at(row).field)) {
            chips->setBadItems(items);
        }
        if (m_rows.at(row).warning != words) {
            m_rows[row].warning = words;
            refresh(row, row);
        }
    }
}

void SettingsForm::setNote(const QString& path, const QString& note)
{
    for (int row = 0; row < m_rows.size(); ++row) {
        if (m_rows.at(row).path == path && m_rows.at(row).note != note) {
            m_rows[row].note = note;
            refresh(row, row);
        }
    }
}

void SettingsForm::setState(const QString& path, const QString& state, bool good)
{
    if (auto* field = qobject_cast<StateField*>(fieldOf(path))) {
        field->setState(state, good);
    }
}

QWidget* SettingsForm::fieldOf(const QString& path) const
{
    for (const Row& row : m_rows) {
        if (row.path == path) {
            return row.field;
        }
    }
    return nullptr;
}

void SettingsForm::showField(const QString& path)
{
    if (QWidget* field = fieldOf(path)) {
        constexpr int margin = 60;
        ensureWidgetVisible(field, 0, margin);
    }
}

} // namespace tokenpace
