/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A driver for CUDA, on machines without NVIDIA's hardware: who opens libcuda.so.1 finds it by
 * LD_LIBRARY_PATH. It has one device, whose memory is that of the process. What is enqueued on a
 * stream is done on a thread of that stream, and copies begin late, so whoever does not wait for
 * them reads what was there before. Memory and semaphores of Vulkan are those that the fake loader
 * exports. Streams do not wait for the NULL stream, nor does it for them; in truth they do. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The library exports one of these, by the name fake_cuda. All zero: nothing fails. */
typedef struct
{
  guint8 uuid[16];              /* of the device */
  /* A function that fails with CUDA_ERROR_UNKNOWN, without "_v2" at its end; whoever calls it. Any
   * that needs a current context can, and cuDeviceGetUuid. */
  const gchar *failing;
  gint calls_before_failure;    /* atomic; so many of its calls succeed first */
  /* atomic; streams, events, what was imported, and memory: mapped, allocated, and pinned */
  gint alive;
} FakeCuda;

G_END_DECLS
