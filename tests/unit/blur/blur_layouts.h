/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cases in layouts other than the usual. */
#pragma once

#include "blur_fixture.h"

G_BEGIN_DECLS

/* Strides wider than a row, planes with gaps, and other ones of the output: rows
 * land where they belong, the same bytes as without, and nothing else is
 * written; or the test fails. */
void check_padded (Fixture * fixture, const Case * c);

/* Two fields whose rows alternate, of chroma too. */
GpuFrameInfo interlaced_info (GpuPixels pixels, guint width, guint height);

/* Each field is as the oracle says of it alone, or the test fails. */
void check_interlaced (Fixture * fixture, const Case * c);

G_END_DECLS
