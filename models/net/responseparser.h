// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <QByteArray>
#include <QList>
#include <QPair>
#include <QString>

namespace tokenpace {

/// Status line and fields of a final response, as they came.
struct ResponseHead {
    int status = 0;
    QByteArray reason;
    QList<QPair<QByteArray, QByteArray>> fields;
};

/// The framing of one HTTP/1.1 response (RFC 9112): bytes in, views of the body out, no I/O, no copy of the body.
/// Interim responses are skipped. Stricter than Boost.Beast's parser, which does the work: 101, a status below 100 and
/// any transfer coding but chunked alone are failures. Any thread.
class ResponseParser {
public:
    /// How much unfinished head, chunk extension or trailer it puts up with.
    static constexpr std::size_t longestRest = std::size_t{64} * 1024;

    /// A piece of the body, or of the head when `body` is empty.
    struct Piece {
        std::string_view body; ///< points into what was parsed
        std::size_t end = 0; ///< offset in what was parsed where the piece ends
        bool border = false; ///< a head or a chunk ended there: what follows may have come later
    };

    /// `bodiless`: the response to HEAD or CONNECT, which ends with its head.
    explicit ResponseParser(bool bodiless = false);
    ~ResponseParser();
    ResponseParser(ResponseParser&&) noexcept;
    ResponseParser& operator=(ResponseParser&&) noexcept;

    /// Parses what it can. Returns how many bytes it is done with: the rest must be given again, with more behind it.
    /// Once the response is over, the rest belongs to none.
    std::size_t parse(std::string_view bytes);
    /// What the last parse() found, in order.
    [[nodiscard]] const std::vector<Piece>& pieces() const;
    /// The connection ended: fine for a body without a length, a failure elsewhere.
    void endOfInput();

    [[nodiscard]] bool begun() const; ///< a byte of a response has come
    [[nodiscard]] bool hasHead() const; ///< of the final response
    [[nodiscard]] const ResponseHead& head() const;
    [[nodiscard]] bool done() const; ///< the whole response has come
    [[nodiscard]] bool failed() const { return !problem().isEmpty(); }
    [[nodiscard]] const QString& problem() const; ///< in words, or empty
    [[nodiscard]] bool closedEarly() const; ///< it failed because the connection ended
    [[nodiscard]] bool keepsConnection() const; ///< once done: another request may follow

private:
    class Beast;
    std::unique_ptr<Beast> m_beast; // of the current message: each interim response has one of its own
    bool m_bodiless = false;
    bool m_begun = false;
    bool m_done = false;
    bool m_closedEarly = false;
    bool m_keeps = false;
    QString m_problem;
    std::vector<Piece> m_pieces;

    std::size_t parseMessage(std::string_view bytes, std::size_t offset);
    std::size_t putMended(std::string_view bytes);
    void finishMessage();
};

} // namespace tokenpace
