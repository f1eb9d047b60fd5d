// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>

#include <QString>

#include "measure/timeline.h"

namespace tokenpace {

/// Words about one request, for the window and the command line. Pure functions; any thread.
///
/// Each kind of error (commands and records call it `error.kind`), what a person reads, and what to change:
///
/// | kind        | when                                             | words                       | setting |
/// |-------------|--------------------------------------------------|-----------------------------|---------------------|
/// | `not_sent`  | a variable is not set, a key cannot be sent      | Not sent: ...               | apiKey, environment
/// | | `transport` | no such host, refused, TLS, reset, 103           | Failed: ...                 | baseUrl, caFile,
/// | |             |                                                  |                             | proxy | | `http`
/// | a status from 300 on                             | HTTP 401: what it said      | apiKey (401, 403),  | | | | |
/// path (404), baseUrl | |             |                                                  | | (3xx), maxRetries   | |
/// |                                                  |                             | (429, 503)          | | `http` |
/// 400, 422: a parameter is refused                 | HTTP 400: what it said; set | limitField,         | | | |
/// limitField to ...           | streamOptions, ...  | | `stream`    | an error inside a reply of status 200 | Failed:
/// what it said        | none                | | `parse`     | HTML or other JSON with status 200, a compressed |
/// Failed: expected ..., got . | baseUrl, path,      | |             | body |                             | protocol |
/// | `timeout`   | past a limit, by phase                           | Time-out: ...               | connectTimeoutMs, |
/// |             |                                                  |                             | ttftTimeoutMs, | |
/// |                                                  |                             | idleTimeoutMs,      | | | | |
/// totalTimeoutMs      | | `truncated` | an orderly end without the terminal event        | The stream ended too early
/// | none                | | `cancelled` | stopped by the person                            | Stopped before its end |
/// none                |

/// How one request ended, for a person: "time-out after waiting for the first token", "HTTP 401: invalid key"; empty
/// when it ended well.
[[nodiscard]] QString outcomeText(const Timeline& timeline);

/// What to do about an error; empty when there is nothing to say.
[[nodiscard]] QString adviceFor(const RequestError& error);

/// What the server says of its own times (the record's `server`), a sentence with its numbers; empty when it says
/// nothing that is known.
[[nodiscard]] QString serverTimesText(const std::string& json);

/// How tokens and chunks relate when they differ: gaps between arrivals are then gaps between chunks. Empty when there
/// is a token a chunk, or nothing to compare.
[[nodiscard]] QString chunksText(const Timeline& timeline);

/// All flags of a set as sentences of a few words, joined.
[[nodiscard]] QString flagsText(Flags flags);

} // namespace tokenpace
