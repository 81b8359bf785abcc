/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether this process may use Vulkan's drivers. They have threads, which a child
 * that was forked has not, and they are torn down by handlers of exit(), which
 * other threads do not know of. So there is a gate: whoever is about to call a
 * driver enters, and leaves afterwards. In a forked child, and once exit() has
 * begun, it is closed for good: nobody enters any more, and what was made is
 * left to the system. All of this is safe in any thread. */
#pragma once

#include "error.h"

G_BEGIN_DECLS

/* Before devices are looked for: children are told from now on. */
void gpu_process_watch_forks (void);
/* There is an instance now, which children cannot use. */
void gpu_process_note_use (void);

/* TRUE: no driver is torn down before gpu_process_leave(), which is to come
 * soon; one may enter several times. FALSE with @error set where the process was
 * forked (FAILED) or ends (CANCELLED). */
gboolean gpu_process_enter (GError ** error);
void gpu_process_leave (void);

/* Whether gpu_process_enter() will fail from now on. For waits inside the gate,
 * which are to end then. */
gboolean gpu_process_is_over (void);
/* Sets @error, as gpu_process_enter() does, and returns FALSE where it is. */
gboolean gpu_process_check (GError ** error);

/* Closes the gate because the process ends, and waits for those inside, until
 * @deadline (g_get_monotonic_time()). FALSE where some are left, where it is closed
 * already, or in a forked child, for which nothing can be waited. */
gboolean gpu_process_end (gint64 deadline);

G_END_DECLS
