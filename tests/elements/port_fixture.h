/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests of frames in memory of other libraries share. @memory is the name of a memory, without
 * "memory:". */
#pragma once

#include "element_fixture.h"

G_BEGIN_DECLS

/* fixture_caps() in that memory. */
GstCaps *port_caps (const gchar * memory, const gchar * format, guint width,
    guint height);
/* Whether NV12 in that memory is among @caps. */
gboolean port_is_in (const gchar * memory, GstCaps * caps);
/* Formats in that memory, of the template of an element's sink. */
const GValue *port_formats (const gchar * memory, const gchar * element);

/* The harness' downstream proposes @pool, whose reference is taken over. */
void port_propose_pool (GstHarness * harness, GstBufferPool * pool);

/* Makes @buffer a frame of that rectangle. */
void port_crop (GstBuffer * buffer, guint x, guint y, guint width,
    guint height);
/* Compares pixels, in any memory and layout. */
void port_assert_equal (GstBuffer * got, GstBuffer * expected,
    const gchar * format, guint width, guint height);
/* @harness plays @elements on NV12 of 30 x 20. Pushes @frame, whose reference is taken over: that of
 * fixture_frame() in NV12 of 61 x 37, with the seed 1. A rectangle of it comes out as from system
 * memory, without a crop meta. */
void port_check_crop (GstHarness * harness, const gchar * elements,
    GstBuffer * frame);
/* @element worked on @n frames, which came and went in these memories, without transfers. */
void port_check_stats (GstElement * element, const gchar * in,
    const gchar * out, guint n);

G_END_DECLS
