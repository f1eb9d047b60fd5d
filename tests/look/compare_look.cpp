// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Compares pictures of the window and of the charts with those that somebody has looked at and found right. What is
// kept is a quarter of their size: small files, and indifferent to how a letter's edge is smoothed, but not to what
// moves, vanishes or changes its colour. Usage: compare_look EXPECTED ACTUAL [--update]. Exit code 77 where the faces
// are not those of the pictures.

#include <algorithm>
#include <cstdlib>

#include <QDir>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QImage>
#include <QTextStream>

namespace {

constexpr int shrunkBy = 4;
constexpr int visibleDifference = 28; // of 255, in one channel
constexpr double mostDifferent = 0.003; // share of the pixels
constexpr int exitSkipped = 77;

QImage shrunk(const QString& path)
{
    const QImage image(path);
    return image.isNull() ? image
                          : image
                                .scaled(image.width() / shrunkBy, image.height() / shrunkBy, Qt::IgnoreAspectRatio,
                                        Qt::SmoothTransformation)
                                .convertToFormat(QImage::Format_RGB32);
}

bool differs(QRgb a, QRgb b)
{
    return std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))})
        > visibleDifference;
}

/// Share of the pixels that look different; 1 for another size.
double difference(const QImage& expected, const QImage& actual)
{
    if (expected.size() != actual.size() || expected.isNull()) {
        return 1;
    }
    int different = 0;
    for (int y = 0; y < expected.height(); ++y) {
        for (int x = 0; x < expected.width(); ++x) {
            different += differs(expected.pixel(x, y), actual.pixel(x, y)) ? 1 : 0;
        }
    }
    return static_cast<double>(different) / (expected.width() * expected.height());
}

} // namespace

int main(int argc, char** argv)
{
    const QGuiApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    QTextStream out(stdout);
    if (arguments.size() < 3) {
        out << "Usage: compare_look EXPECTED ACTUAL [--update]\n";
        return 2;
    }
    for (const char* family : {"Inter", "Noto Sans"}) {
        if (!QFontDatabase::hasFamily(QLatin1String(family))) {
            out << family << " is not installed: nothing to compare with\n";
            return exitSkipped;
        }
    }
    const QDir expected(arguments[1]);
    const QDir actual(arguments[2]);
    const bool update = arguments.contains(QStringLiteral("--update"));
    const QStringList names = expected.entryList({QStringLiteral("*.png")});
    int wrong = names.isEmpty() ? 1 : 0; // with nothing to compare with all would be well
    for (const QString& name : names) {
        const QImage now = shrunk(actual.filePath(name));
        if (update) {
            wrong += now.save(expected.filePath(name)) ? 0 : 1;
            continue;
        }
        const double share = difference(QImage(expected.filePath(name)).convertToFormat(QImage::Format_RGB32), now);
        const bool bad = share > mostDifferent;
        wrong += bad ? 1 : 0;
        out << (bad ? "DIFFERENT " : "as before ") << name << ": " << QString::number(share * 100, 'f', 2)
            << " % of its pixels look different\n";
    }
    if (wrong > 0 && !update) {
        out << "Look at the pictures in " << actual.absolutePath() << "; if they are as they should be: compare_look "
            << expected.absolutePath() << ' ' << actual.absolutePath() << " --update\n";
    }
    return wrong > 0 ? 1 : 0;
}
