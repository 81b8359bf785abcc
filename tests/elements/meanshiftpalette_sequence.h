/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames of which the element knows some colours from the frames before. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void meanshiftpalette_sequence_add_tests (void);

G_END_DECLS
