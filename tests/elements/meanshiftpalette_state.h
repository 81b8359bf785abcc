/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What can be read of palettes at any time: the property, and statistics. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void meanshiftpalette_state_add_tests (void);

G_END_DECLS
