// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "exportdialog/exportdialog.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLineEdit>
#include <QLocale>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QVBoxLayout>

#include "charts/chartexport.h"
#include "controls/formparts.h"
#include "controls/progressstrip.h"
#include "controls/segmentedcontrol.h"
#include "controls/toolbarparts.h"
#include "exportdialog/exportpreview.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int padding = 16;
constexpr int measureMs = 300;
constexpr int slowMs = 1000;
const QString folderKey = QStringLiteral("export/folder");

QString bytesText(qint64 bytes)
{
    return QLocale(QLocale::English).formattedDataSize(bytes, bytes < 1'000'000 ? 0 : 1, QLocale::DataSizeSIFormat);
}

} // namespace

ExportDialog::ExportDialog(ExportContent content, int chart, bool dark, QWidget* parent)
    : QDialog(parent)
    , m_content(std::move(content))
{
    setWindowTitle(tr("Export"));
    resize(900, 640);
    setMinimumSize(720, 600);
    const QSettings settings;
    m_choices.dark = dark;
    m_choices.load(settings);
    m_choices.chart = chart;
    m_folder = settings.value(folderKey).toString();
    if (m_folder.isEmpty() || !QFileInfo(m_folder).isDir()) {
        const QString pictures = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
        m_folder = QFileInfo(pictures).isDir() ? pictures : QDir::homePath();
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    column->addLayout(row, 1);
    row->addWidget(makeForm());
    m_preview = new ExportPreview(m_content);
    row->addWidget(m_preview, 1);
    column->addWidget(makeFoot());

    m_measureTimer.setSingleShot(true);
    m_measureTimer.setInterval(measureMs);
    connect(&m_measureTimer, &QTimer::timeout, this, &ExportDialog::measure);
    m_slow.setSingleShot(true);
    m_slow.setInterval(slowMs);
    connect(&m_slow, &QTimer::timeout, m_progress, &QWidget::show);
    // A run may go on behind the dialog: what is saved is what is there then, and so is what is shown.
    connect(m_content.data, &ChartData::changed, this, [this] {
        if (!m_measureTimer.isActive() && !m_saving) {
            m_preview->showChoices(m_choices);
            m_measureTimer.start();
        }
    });
    refreshName();
    onChanged();
    m_name->setFocus();
}

ExportDialog::~ExportDialog() = default;

QWidget* ExportDialog::makeFoot()
{
    auto* foot = new DialogFoot(this);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(padding, 1, padding, 0);
    row->setSpacing(8);
    m_copyImage = new ToolPushButton(QStringLiteral("copy"), tr("Copy image"));
    m_copyImage->setToolTip(tr("As picture, SVG and CSV at once: each program takes what it can"));
    m_copyData = new ToolPushButton(QStringLiteral("copy"), tr("Copy data"));
    m_progress = new ProgressStrip;
    m_progress->hide();
    auto* cancel = new QPushButton(tr("Cancel"));
    m_export = new QPushButton(tr("Export"));
    m_export->setProperty("main", true);
    m_export->setDefault(true);
    for (QPushButton* button : std::initializer_list<QPushButton*>{m_copyImage, m_copyData, cancel}) {
        button->setAutoDefault(false);
    }
    row->addWidget(m_copyImage);
    row->addWidget(m_copyData);
    row->addStretch(1);
    row->addWidget(m_progress);
    row->addWidget(cancel);
    row->addWidget(m_export);
    connect(m_copyImage, &QPushButton::clicked, this, &ExportDialog::copyImage);
    connect(m_copyData, &QPushButton::clicked, this, &ExportDialog::copyData);
    connect(cancel, &QPushButton::clicked, this, &ExportDialog::reject);
    connect(m_export, &QPushButton::clicked, this, &ExportDialog::save);
    return foot;
}

SegmentedControl* ExportDialog::formats() const
{
    return m_formats.at(m_choices.ofCharts() ? 0 : m_choices.what == ExportChoices::What::Summary ? 1 : 2);
}

void ExportDialog::onWhatChosen()
{
    const auto charts = static_cast<int>(m_content.charts.size());
    const int row = m_what->currentIndex();
    m_choices.what = row < charts ? ExportChoices::What::Chart
        : row == charts           ? ExportChoices::What::AllCharts
        : row == charts + 2       ? ExportChoices::What::Summary // a separator is between
                                  : ExportChoices::What::Requests;
    if (row < charts) {
        m_choices.chart = row;
    }
    const int format = formats()->currentIndex();
    m_choices.format = m_choices.ofCharts() ? static_cast<ExportFormat>(format)
        : format == 0                       ? ExportFormat::Csv
                                            : ExportFormat::Markdown;
    refreshName();
    onChanged();
}

void ExportDialog::onChanged()
{
    m_bytes.reset();
    m_failure.clear();
    refreshWhatMatters();
    refreshNameHelp();
    m_preview->showChoices(m_choices);
    m_measureTimer.start();
}

void ExportDialog::refreshWhatMatters()
{
    for (SegmentedControl* one : std::as_const(m_formats)) {
        one->setVisible(one == formats());
    }
    const bool picture = m_choices.isPicture();
    const ExportSize size = exportSize(m_choices.preset);
    const QSize pixels = size.pixels(1);
    m_size->setEnabled(picture);
    m_scale->setEnabled(picture && m_choices.format == ExportFormat::Png);
    m_colours->setEnabled(picture);
    m_sizeHelp->setHelp(
        picture ? tr("%1 × %2 px, text %3 times").arg(pixels.width()).arg(pixels.height()).arg(size.text, 0, 'g', 2)
            : m_choices.format == ExportFormat::Html ? tr("As wide as the reader’s window, dark or light")
                                                     : tr("Of pictures only"));
    m_copyImage->setEnabled(m_choices.ofCharts());
}

void ExportDialog::refreshName()
{
    const QString ending = formatEnding(m_choices.format);
    if (m_ownName) {
        QString name = m_name->text();
        const QString old = QFileInfo(name).suffix();
        name.chop(old.isEmpty() ? 0 : old.size() + 1);
        m_name->setText(name + QLatin1Char('.') + ending);
        return;
    }
    QString stem = QStringLiteral("tokenpace");
    if (m_choices.format == ExportFormat::Html && m_choices.ofCharts()) {
        stem = QStringLiteral("report");
    } else if (m_choices.what == ExportChoices::What::Chart) {
        stem = chartFileStem(m_content.charts.at(m_choices.chart).kind);
    } else if (m_choices.what == ExportChoices::What::Summary) {
        stem = QStringLiteral("summary");
    } else if (m_choices.what == ExportChoices::What::Requests) {
        stem = QStringLiteral("requests");
    }
    m_name->setText(stem + QLatin1Char('.') + ending);
}

QString ExportDialog::path() const
{
    QString name = m_name->text().trimmed();
    if (name.startsWith(QLatin1String("~/"))) {
        name = QDir::homePath() + name.mid(1);
    }
    if (!name.isEmpty() && QFileInfo(name).suffix().toLower() != formatEnding(m_choices.format)) {
        name += QLatin1Char('.') + formatEnding(m_choices.format);
    }
    return name.isEmpty() ? QString() : QDir(m_folder).filePath(name);
}

void ExportDialog::refreshNameHelp()
{
    const QString file = path();
    const QString folder = QFileInfo(file).absolutePath();
    const bool possible = !file.isEmpty() && QFileInfo(folder).isDir();
    m_export->setEnabled(possible && !m_saving);
    setBad(m_name, !possible || !m_failure.isEmpty());
    if (!m_failure.isEmpty()) {
        m_nameHelp->setHelp(m_failure, HelpLine::Kind::Error);
        return;
    }
    if (!possible) {
        m_nameHelp->setHelp(file.isEmpty() ? tr("A file needs a name.") : tr("There is no folder %1.").arg(folder),
                            HelpLine::Kind::Error);
        return;
    }
    const QStringList files = exportPaths(m_content, m_choices, file);
    QStringList parts;
    qsizetype replaced = 0;
    for (const QString& one : files) {
        replaced += QFileInfo::exists(one) ? 1 : 0;
    }
    parts << (files.size() == 1 ? (replaced ? tr("Replaces the file in %1") : tr("New file in %1"))
                                : (replaced ? tr("%2 files in %1, some replaced") : tr("%2 new files in %1")))
                 .arg(shortPath(folder));
    if (files.size() > 1) {
        parts[0] = parts.at(0).arg(files.size());
    }
    if (m_choices.isPicture() && m_choices.format == ExportFormat::Png) {
        const QSize pixels = exportSize(m_choices.preset).pixels(m_choices.scale);
        parts << tr("%1 × %2 px").arg(pixels.width()).arg(pixels.height());
    }
    if (m_bytes) {
        parts << tr("about %1").arg(bytesText(*m_bytes));
    }
    m_nameHelp->setHelp(parts.join(QStringLiteral(", ")), replaced ? HelpLine::Kind::Warning : HelpLine::Kind::Help);
}

void ExportDialog::measure()
{
    if (m_saving) {
        return;
    }
    m_job = std::make_unique<ExportJob>(m_content, m_choices, exportPaths(m_content, m_choices, path()));
    connect(m_job.get(), &ExportJob::finished, this, [this](const QString&, const QStringList&, qint64 bytes) {
        m_bytes = bytes;
        refreshNameHelp();
    });
    m_job->start(false);
}

void ExportDialog::save()
{
    if (m_saving || !m_export->isEnabled()) {
        return;
    }
    m_measureTimer.stop();
    m_failure.clear();
    m_saving = true;
    m_export->setEnabled(false);
    m_progress->setFraction(0);
    m_slow.start();
    m_job = std::make_unique<ExportJob>(m_content, m_choices, exportPaths(m_content, m_choices, path()));
    connect(m_job.get(), &ExportJob::progressed, this, [this](int done, int of) {
        m_progress->setParts({tr("%1 of %2 files").arg(done).arg(of)});
        m_progress->setFraction(static_cast<double>(done) / of);
    });
    connect(m_job.get(), &ExportJob::finished, this, &ExportDialog::onSaved);
    m_job->start(true);
}

void ExportDialog::onSaved(const QString& why, const QStringList& written)
{
    m_slow.stop();
    m_progress->hide();
    m_saving = false;
    m_failure = why;
    refreshNameHelp();
    if (!written.isEmpty()) {
        QSettings settings;
        m_choices.save(settings);
        settings.setValue(folderKey, QFileInfo(written.first()).absolutePath());
        emit exported(written);
    }
    if (why.isEmpty()) {
        accept();
    }
}

void ExportDialog::reject()
{
    if (m_saving) {
        m_job->cancel();
        return;
    }
    QDialog::reject();
}

void ExportDialog::copyImage()
{
    const ExportSize size = exportSize(m_choices.preset);
    QGuiApplication::clipboard()->setMimeData(chartMimeData(m_choices.charts(m_content), *m_content.data,
                                                            m_choices.provenance(m_content),
                                                            m_choices.dark ? darkTheme() : lightTheme(), size.layout,
                                                            size.text * m_choices.scale, m_content.redactor)
                                                  .release());
}

void ExportDialog::copyData()
{
    ExportChoices choices = m_choices;
    if (choices.ofCharts()) {
        choices.format = ExportFormat::Csv;
    }
    const QByteArray text = exportText(m_content, choices, choices.charts(m_content));
    auto* copied = new QMimeData; // the clipboard takes it
    copied->setText(QString::fromUtf8(text));
    copied->setData(choices.format == ExportFormat::Csv ? QStringLiteral("text/csv") : QStringLiteral("text/markdown"),
                    text);
    QGuiApplication::clipboard()->setMimeData(copied);
}

} // namespace tokenpace
