/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds out where a recording needs barriers: a command needs one if it reads what was
 * written since the last barrier, or writes what was read or written since. Between commands
 * that are declared disjoint it needs none, except for numbers of workgroups. Only the thread
 * that records calls these functions. */
#pragma once

#include "gpu/core/memory/buffer.h"
#include <volk.h>

G_BEGIN_DECLS

/* The bytes of a buffer that a command reads or writes. */
typedef struct
{
  VkBuffer handle;
  gsize begin, end;
  gboolean is_write;
  gboolean is_counts;           /* read as numbers of workgroups, before the command begins */
} GpuAccess;

typedef enum
{
  GPU_HAZARD_NONE,
  GPU_HAZARD_MEMORY,            /* needs a barrier */
  GPU_HAZARD_COUNTS,            /* needs a barrier also for numbers of workgroups */
} GpuHazard;

typedef struct
{
  GArray *accesses;             /* since the last barrier; and writes before it, if no
                                   barrier for numbers of workgroups followed them */
  guint disjoint;               /* number of gpu_hazards_begin_disjoint() without its end */
  guint group;                  /* of the newest command; disjoint commands are one
                                   group */
} GpuHazards;

void gpu_hazards_init (GpuHazards * hazards);
void gpu_hazards_clear (GpuHazards * hazards);

/* Call this at the start of a submission, which begins with a barrier for everything. */
void gpu_hazards_begin (GpuHazards * hazards);

/* See gpu_stream_begin_disjoint(). */
void gpu_hazards_begin_disjoint (GpuHazards * hazards);
void gpu_hazards_end_disjoint (GpuHazards * hazards);

/* Takes note of the next command, which has the accesses @accesses, and returns which
 * barrier the caller must record before it. */
GpuHazard gpu_hazards_add (GpuHazards * hazards, const GpuAccess * accesses,
    guint n);

G_END_DECLS
