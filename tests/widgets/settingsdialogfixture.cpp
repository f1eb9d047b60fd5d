// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "widgets/settingsdialogfixture.h"

#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include "controls/chipfield.h"
#include "settings/settingsfile.h"
#include "settingsdialog/settingsform.h"
#include "settingsdialog/settingsnotice.h"

namespace tokenpace::test {

const QByteArray twoEndpoints =
    "{\n"
    "  // mine\n"
    "  \"editor.fontSize\": 0.10,\n"
    "  \"tokenpace\": {\n"
    "    \"endpoints\": [\n"
    "      {\"name\": \"one\", \"baseUrl\": \"http://one:1\", \"apiKey\": \"${KEY}\"},\n"
    "      {\"name\": \"two\", \"baseUrl\": \"http://two:2\", \"apiKey\": \"sk-literal-0123456789\"}\n"
    "    ]\n"
    "  }\n"
    "}\n";

std::optional<QString> dialogEnvironment(const QString& name)
{
    if (name == QStringLiteral("OPENAI_API_KEY")) {
        return QStringLiteral("sk-open-0123456789");
    }
    return name == QStringLiteral("KEY") ? std::optional(QStringLiteral("secret-of-mine")) : std::nullopt;
}

QByteArray SettingsDialogFixture::held() const
{
    return loadSettingsFile(m_file).bytes.value_or(QByteArray());
}

void SettingsDialogFixture::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_file = m_folder->filePath(QStringLiteral("settings.json"));
    m_keychain = std::make_shared<FakeKeychain>();
    put(twoEndpoints);
    open();
}

void SettingsDialogFixture::cleanup()
{
    m_dialog.reset();
    m_folder.reset();
}

void SettingsDialogFixture::put(const QByteArray& bytes) const
{
    QFile file(m_file);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

void SettingsDialogFixture::open()
{
    m_dialog = std::make_unique<SettingsDialog>(m_file, dialogEnvironment, m_keychain);
    m_dialog->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get()));
}

QPushButton* SettingsDialogFixture::buttonOf(const QWidget* parent, const QString& text) const
{
    for (QPushButton* button : parent->findChildren<QPushButton*>()) {
        if (button->text() == text && button->isVisible()) {
            return button;
        }
    }
    return nullptr;
}

QLineEdit* SettingsDialogFixture::lineOf(const char* path) const
{
    if (auto* chips = qobject_cast<ChipField*>(m_dialog->form()->fieldOf(QString::fromUtf8(path)))) {
        return chips->line();
    }
    return qobject_cast<QLineEdit*>(m_dialog->form()->fieldOf(QString::fromUtf8(path)));
}

void SettingsDialogFixture::type(const char* path, const QString& text) const
{
    QLineEdit* line = lineOf(path);
    QVERIFY(line != nullptr);
    line->setFocus();
    line->selectAll();
    QTest::keyClick(line, Qt::Key_Delete);
    QTest::keyClicks(line, text);
}

void SettingsDialogFixture::clickWay(const QString& text) const
{
    for (QPushButton* button : m_dialog->notice()->findChildren<QPushButton*>()) {
        if (button->text() == text && !button->isHidden()) {
            button->click();
            return;
        }
    }
    QFAIL(qPrintable(QStringLiteral("no button ") + text));
}

} // namespace tokenpace::test
