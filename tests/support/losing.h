/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Devices that are lost at a call that a test chooses. A lost one is idle, and all of
 * its calls that can fail do: those that Vulkan lets say so say that it was lost, the
 * others that there is no memory. Counts what is made on all of them, as gpu_hooks.h
 * does. */
#pragma once

#include "gpu/core/device/vulkan.h"

G_BEGIN_DECLS

/* Devices that are opened from now on can be lost. They are of one driver. Calls the
 * gpu_device_edit that was there, too. */
void losing_begin (void);
/* None of them is left: all that was made was destroyed. */
void losing_end (void);

/* One of them is lost at the @call-th call from now on, from 1 on, that can fail; 0:
 * none is. Forgets what was asked for before. */
void losing_at (guint call);
/* The same at the next call of this thread, whatever others call meanwhile, such as those that
 * build kernels. */
void losing_here (void);
/* Whether one was, since. */
gboolean losing_has_lost (void);

/* Devices lost since losing_begin(). */
guint losing_get_losses (void);

G_END_DECLS
