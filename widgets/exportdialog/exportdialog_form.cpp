// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QLineEdit>
#include <QPainter>
#include <QVBoxLayout>

#include "controls/formparts.h"
#include "controls/segmentedcontrol.h"
#include "exportdialog/exportdialog.h"
#include "theme/icons.h"
#include "theme/theme.h"

// The left side of the export dialog.
namespace tokenpace {

namespace {

constexpr int formWidth = 293; // with the line at its right
constexpr int padding = 16;

/// The left side, with a line towards the preview.
class FormSide final : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent* /*event*/) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), activeTheme().panel);
        painter.fillRect(QRect(width() - 1, 0, 1, height()), activeTheme().line);
    }
};

class Rule final : public QWidget {
public:
    explicit Rule(QWidget* parent)
        : QWidget(parent)
    {
        setFixedHeight(1);
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override { QPainter(this).fillRect(rect(), activeTheme().line); }
};

RoleLabel* caption(const QString& text, QWidget* of)
{
    auto* label = new RoleLabel(text, RoleLabel::Role::Text2, textFont(12));
    label->setBuddy(of);
    of->setAccessibleName(text);
    return label;
}

} // namespace

QWidget* ExportDialog::makeForm()
{
    auto* side = new FormSide(this);
    side->setFixedWidth(formWidth);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(padding, padding, padding + 1, padding);
    column->setSpacing(0);
    const auto add = [column](const QString& text, QWidget* control) {
        column->addWidget(caption(text, control));
        column->addSpacing(4);
        column->addWidget(control);
    };
    constexpr int gap = 12;

    m_what = new QComboBox;
    for (const ChartSpec& spec : std::as_const(m_content.charts)) {
        m_what->addItem(chartTitle(spec.kind));
    }
    m_what->addItem(tr("All charts"));
    m_what->insertSeparator(m_what->count());
    m_what->addItem(tr("Summary table"));
    m_what->addItem(tr("Requests table"));
    m_what->setCurrentIndex(m_choices.chart);
    add(tr("What"), m_what);
    column->addSpacing(gap);

    const QStringList ofCharts{tr("PNG"), tr("SVG"), tr("PDF"), tr("CSV"), tr("HTML")};
    m_formats = {new SegmentedControl(ofCharts), new SegmentedControl({tr("CSV"), tr("Markdown")}),
                 new SegmentedControl({tr("CSV")})};
    column->addWidget(caption(tr("Format"), m_formats.first()));
    column->addSpacing(4);
    m_formats.first()->setCurrentIndex(static_cast<int>(m_choices.format));
    for (SegmentedControl* formats : std::as_const(m_formats)) {
        formats->setAccessibleName(tr("Format"));
        column->addWidget(formats);
        connect(formats, &SegmentedControl::currentIndexChanged, this, &ExportDialog::onWhatChosen);
    }
    column->addSpacing(gap);

    m_size = new QComboBox;
    m_size->addItems({tr("Screen"), tr("Slide 16:9"), tr("Paper column")});
    m_size->setCurrentIndex(static_cast<int>(m_choices.preset));
    add(tr("Size"), m_size);
    m_sizeHelp = new HelpLine;
    column->addWidget(m_sizeHelp);
    column->addSpacing(gap);

    m_scale = new SegmentedControl({tr("1×"), tr("2×"), tr("3×")});
    m_scale->setCurrentIndex(m_choices.scale - 1);
    m_colours = new SegmentedControl({tr("Light"), tr("Dark")});
    m_colours->setCurrentIndex(m_choices.dark ? 1 : 0);
    auto* pair = new QGridLayout;
    pair->setHorizontalSpacing(12);
    pair->setVerticalSpacing(4);
    pair->setColumnStretch(0, 1);
    pair->setColumnStretch(1, 1);
    pair->addWidget(caption(tr("Scale"), m_scale), 0, 0);
    pair->addWidget(caption(tr("Colours"), m_colours), 0, 1);
    pair->addWidget(m_scale, 1, 0);
    pair->addWidget(m_colours, 1, 1);
    column->addLayout(pair);
    column->addSpacing(padding);
    column->addWidget(new Rule(side));
    column->addSpacing(padding);
    addFooterBoxes(column);
    column->addSpacing(padding);
    column->addWidget(new Rule(side));
    column->addSpacing(padding);

    m_name = new QLineEdit;
    QAction* browse =
        m_name->addAction(themedIcon(QStringLiteral("folder"), IconColour::Muted), QLineEdit::TrailingPosition);
    browse->setToolTip(tr("Choose a file"));
    add(tr("Save as"), m_name);
    m_nameHelp = new HelpLine;
    column->addWidget(m_nameHelp);
    column->addStretch(1);

    connect(m_what, &QComboBox::activated, this, &ExportDialog::onWhatChosen);
    connect(m_size, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_choices.preset = static_cast<ExportPreset>(index);
        onChanged();
    });
    connect(m_scale, &SegmentedControl::currentIndexChanged, this, [this](int index) {
        m_choices.scale = index + 1;
        onChanged();
    });
    connect(m_colours, &SegmentedControl::currentIndexChanged, this, [this](int index) {
        m_choices.dark = index == 1;
        onChanged();
    });
    connect(m_name, &QLineEdit::textEdited, this, [this] {
        m_ownName = true;
        m_failure.clear();
        refreshNameHelp();
    });
    connect(browse, &QAction::triggered, this, [this] {
        const QString chosen =
            QFileDialog::getSaveFileName(this, tr("Save as"), path(), {}, nullptr, QFileDialog::DontConfirmOverwrite);
        if (!chosen.isEmpty()) {
            m_ownName = true;
            m_name->setText(shortPath(chosen));
            refreshNameHelp();
        }
    });
    return side;
}

void ExportDialog::addFooterBoxes(QVBoxLayout* column)
{
    struct Row {
        QString text;
        bool ExportChoices::*member;
        bool there; ///< what is not known can't be told
    };
    const ChartProvenance& known = m_content.provenance;
    const bool hasPrompt = m_content.run && !m_content.run->spec.prompt.isEmpty();
    const Row rows[] = {{tr("Date"), &ExportChoices::date, true},
                        {tr("Endpoint host"), &ExportChoices::host, !known.endpoints.isEmpty()},
                        {tr("Settings hash"), &ExportChoices::hash, !known.settingsHash.isEmpty()},
                        {tr("View"), &ExportChoices::view, true},
                        {tr("Stamp error"), &ExportChoices::stampError, !known.stampError.isEmpty()},
                        {tr("Prompt text"), &ExportChoices::prompt, hasPrompt}};
    column->addWidget(new RoleLabel(tr("Footer"), RoleLabel::Role::Text2, textFont(12)));
    column->addSpacing(8);
    auto* grid = new QGridLayout;
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    int place = 0;
    for (const Row& row : rows) {
        auto* box = new QCheckBox(row.text);
        box->setChecked(m_choices.*row.member);
        box->setEnabled(row.there);
        box->setToolTip(row.there ? QString() : tr("Not known of these requests"));
        grid->addWidget(box, place / 2, place % 2);
        ++place;
        m_footer << box;
        connect(box, &QCheckBox::toggled, this, [this, member = row.member](bool on) {
            m_choices.*member = on;
            onChanged();
        });
    }
    column->addLayout(grid);
}

} // namespace tokenpace
