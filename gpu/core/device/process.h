/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A gate that protects calls of Vulkan drivers. Drivers have threads, which do not
 * exist in a forked child. Their exit handlers free what other threads may still use.
 * So every thread enters the gate before it calls a driver, and leaves it afterwards.
 * In a forked child, and once exit() has begun, the gate is closed for good: no thread
 * can enter, and Vulkan objects are leaked. All functions are thread safe. */
#pragma once

#include "error.h"

G_BEGIN_DECLS

/* Installs the fork handler. Call this before listing devices. */
void gpu_process_watch_forks (void);
/* Records that an instance exists. From now on fork() closes the gate in the child. */
void gpu_process_note_use (void);

/* Enters the gate. Until gpu_process_leave(), which must follow soon, exit() waits
 * before drivers are torn down. A thread may enter several times. Returns FALSE with
 * @error set if this is a forked child (FAILED) or the process ends (CANCELLED). */
gboolean gpu_process_enter (GError ** error);
void gpu_process_leave (void);

/* Returns whether the gate is closed. Waits inside the gate must end then. */
gboolean gpu_process_is_over (void);
/* Returns FALSE with @error set as gpu_process_enter() does if the gate is closed. */
gboolean gpu_process_check (GError ** error);

/* Closes the gate because the process ends, and waits for the threads inside until
 * @deadline (g_get_monotonic_time()). Returns FALSE if threads are still inside, or if
 * the gate was already closed. */
gboolean gpu_process_close_at_end (gint64 deadline);

G_END_DECLS
