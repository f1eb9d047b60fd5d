// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <map>
#include <string>

#include <QByteArray>
#include <QSizeF>

#include "chartdata.h"
#include "charts/chartspec.h"

namespace tokenpace {

/// Charts as SVG elements for one HTML page. Text stays text, and colours are classes that the page's style sheet gives
/// a light and a dark look, so that one picture serves both. Up to 10,000 dots a chart are drawn as such, at some 40
/// bytes each; of more every n-th, or the page would grow past what mail and browsers like. GUI thread.
class SvgPage {
public:
    /// The chart as an `<svg>` element, without a footer: the page has its own.
    [[nodiscard]] QByteArray add(const ChartSpec& spec, const ChartData& data, QSizeF size);
    /// Classes of all that was added, and the page's own colours as variables. To be asked for last.
    [[nodiscard]] QByteArray styleSheet() const;

private:
    struct Look {
        std::string light;
        std::string dark;

        friend auto operator<=>(const Look&, const Look&) = default;
    };
    std::map<Look, int> m_classes; ///< number of the class of each look
};

/// The chart in words, as screen readers hear it.
[[nodiscard]] QString chartSummary(const ChartSpec& spec, const ChartData& data);

} // namespace tokenpace
