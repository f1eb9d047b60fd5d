// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace tokenpace {

/// Hand-off of items from any threads to one that drains it on its own clock. `notify` is called on the pushing
/// thread, unlocked, only when the box goes from empty to non-empty, so at most one notification is pending. Order is
/// kept: what was pushed first is taken first. Plain C++.
template <typename Item> class Mailbox {
public:
    /// Set once, before the first push.
    void setNotify(std::function<void()> notify) { m_notify = std::move(notify); }

    void push(Item item)
    {
        bool wasEmpty = false;
        {
            const std::lock_guard lock(m_mutex);
            wasEmpty = m_items.empty();
            m_items.push_back(std::move(item));
        }
        if (wasEmpty && m_notify) {
            m_notify();
        }
    }

    /// Takes all that is there, leaving the box empty.
    [[nodiscard]] std::vector<Item> take()
    {
        std::vector<Item> items;
        const std::lock_guard lock(m_mutex);
        items.swap(m_items);
        return items;
    }

private:
    std::mutex m_mutex; // protects m_items
    std::vector<Item> m_items;
    std::function<void()> m_notify;
};

} // namespace tokenpace
