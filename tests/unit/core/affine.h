/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Work whose result tells how often and in which order it ran: every step
 * makes x of a word to 3 x + addend, modulo 2^32. */
#pragma once

#include "gpu/core/stream/stream.h"

G_BEGIN_DECLS

GpuKernel *affine_kernel_get (GpuDevice * device);

/* Records one step for the first @n words of @buffer. */
void affine_record (GpuStream * stream, GpuKernel * kernel,
    GpuBuffer * buffer, guint n, guint addend);

/* Where it lies how many groups of 64 words take part. */
typedef struct
{
  GpuBuffer *buffer;            /* words: groups, 1, 1 */
  gsize offset;                 /* bytes */
} AffineGroups;

/* The same, for so many groups. */
void affine_record_indirect (GpuStream * stream, GpuKernel * kernel,
    GpuBuffer * buffer, guint n, guint addend, const AffineGroups * groups);

/* Expected of one step. */
guint32 affine_step (guint32 x, guint addend);

G_END_DECLS
