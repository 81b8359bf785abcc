/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the seconds of processor time that this process has used. */
gdouble get_processor_time (void);

G_END_DECLS
