// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QMenu>

namespace tokenpace {

class Inspector;
class Session;

/// What can be done with the requests selected: select more of their kind, leave them out of the figures, copy them.
/// Filled each time before it shows. GUI thread; owns neither the session nor the inspector.
class RequestMenu final : public QMenu {
    Q_OBJECT
public:
    RequestMenu(Session& session, Inspector& inspector, QWidget* parent = nullptr);

private:
    void fill();
    void fillAlike(int row);
    void fillExclusion();
    void fillCopies(int row);

    Session& m_session; // not owned
    Inspector& m_inspector; // not owned
};

} // namespace tokenpace
