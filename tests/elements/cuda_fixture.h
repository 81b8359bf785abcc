/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames in CUDA memory, without a card: GStreamer's own library for CUDA, on a driver that is
 * played (tests/support/fake_cuda.h), and a Vulkan device that is said to export its memory. */
#pragma once

#include "port_fixture.h"

#define CUDA_MEMORY "CUDAMemory"

G_BEGIN_DECLS

/* main() of a program of such tests. They are skipped where there is no such library. */
#define CUDA_MAIN(prefix) FIXTURE_MAIN_AFTER (prefix, cuda_begin ())
void cuda_begin (void);
/* Defines a test. */
#define TEST_OF_CUDA(name) \
  static void run_##name (void); \
  TEST (name) \
  { \
    if (cuda_is_there ()) \
      run_##name (); \
  } \
  static void \
  run_##name (void)
/* Skips the test at hand if it is not. */
gboolean cuda_is_there (void);

/* The harness' upstream has a CUDA context from the first caps on, unless it hides it. */
void cuda_set_caps (GstHarness * harness, const gchar * format,
    guint width, guint height);
void cuda_set_rate (GstHarness * harness, const gchar * format, guint width,
    guint height, guint rate);
extern gboolean cuda_hides_context;
/* From now on the context is on another card, which Vulkan does not know, or no more so. */
void cuda_swap_card (void);

/* The frame of fixture_frame() in CUDA memory, with a stride of its own: it is still being
 * copied there on upstream's stream. The other one is of another context. */
GstBuffer *cuda_frame (const gchar * format, guint width, guint height,
    guint seed);
GstBuffer *cuda_frame_of_another (const gchar * format, guint width,
    guint height);
/* @n of them, with seeds from 0 on. To make one, or to free it, waits for all that CUDA does. So
 * who wants several on their way makes all before, and keeps them. */
GPtrArray *cuda_frames (const gchar * format, guint width, guint height,
    guint n);

/* Downstream proposes a pool of frames, which are on a stream of its own. */
void cuda_propose_pool (GstHarness * harness, const gchar * format,
    guint width, guint height);

/* Keeps that stream busy for some time, and then copies @frame, which may be NULL, to the
 * result. */
GstBuffer *cuda_read_later (GstBuffer * frame, const gchar * format,
    guint width, guint height);

/* Whether @buffer is in CUDA memory that has a stream, for which readers wait. */
gboolean cuda_is_frame (GstBuffer * buffer);
/* Whether it is of the pool. */
gboolean cuda_is_of_proposed_pool (GstBuffer * buffer);

/* This function of the driver fails, after @after calls from now on; NULL: none. */
void cuda_fail (const gchar * function, guint after);
/* Of the driver, that exist. */
gint cuda_count_objects (void);

G_END_DECLS
