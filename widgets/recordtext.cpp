// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "recordtext.h"

#include <nlohmann/json.hpp>

#include "log/record.h"

namespace tokenpace {

QString recordText(const Timeline& timeline, const Redactor& redactor)
{
    nlohmann::ordered_json record = recordJson(timeline);
    redactor.redact(record);
    return QString::fromStdString(record.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

} // namespace tokenpace
