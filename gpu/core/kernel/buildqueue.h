/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernels of a device that wait to be built, and the threads that build them. Internal
 * to kernels.c. */
#pragma once

#include "kernel.h"

G_BEGIN_DECLS

/* How much less urgent threads are that build for later, as a nice value of Linux. A build that
 * has begun keeps its priority, even if a frame comes to wait for it. */
#define GPU_BUILD_LATER_NICE 10

/* Builds @kernel, which is in progress. @urgency: that of the thread. Called with the lock held,
 * which it may release in between. */
typedef void (*GpuBuild) (GpuKernel * kernel, GpuKernelUrgency urgency,
    gpointer data);

typedef struct _GpuBuildQueue GpuBuildQueue;

/* The kernels of one urgency that wait, and the threads that build them. */
typedef struct
{
  GpuBuildQueue *queue;
  GpuKernelUrgency urgency;
  GQueue kernels;               /* that wait */
  GCond has_work;               /* a kernel may be built now, or the threads are to stop */
  guint n_threads, n_idle;      /* threads; those that wait for work */
  guint n_building;             /* builds in progress */
  guint max_threads;
} GpuBuildCrew;

/* All members are protected by the lock. */
struct _GpuBuildQueue
{
  GMutex *lock;                 /* the owner's */
  GpuBuild build;
  gpointer data;
  GpuBuildCrew soon, later;
  GSList *threads;              /* of GThread, until the queue is cleared */
  gint64 quiet_since;           /* when the last urgent kernel was added or built, as
                                   g_get_monotonic_time() */
  guint n_rushes;               /* calls of gpu_build_queue_rush() that have not ended */
  gboolean is_stopped;
};

/* @lock outlives the queue. */
void gpu_build_queue_init (GpuBuildQueue * queue, GMutex * lock, GpuBuild build,
    gpointer data);

/* Drops kernels that wait, waits for builds in progress, and ends the threads. The caller
 * does not hold the lock. */
void gpu_build_queue_clear (GpuBuildQueue * queue);

/* In the functions below the caller holds the lock. */

/* Lets @kernel wait for a thread, behind others of the same urgency. Begins a thread if that
 * is allowed and possible. */
void gpu_build_queue_add (GpuBuildQueue * queue, GpuKernel * kernel,
    GpuKernelUrgency urgency);

/* Moves @kernel, which waits to be built later, behind those that are built soon. */
void gpu_build_queue_promote (GpuBuildQueue * queue, GpuKernel * kernel);

/* Has @kernel, which waits to be built soon, built next. If there are no threads for that, builds
 * it now, and may release the lock in between. */
void gpu_build_queue_hurry (GpuBuildQueue * queue, GpuKernel * kernel);

/* Has all that waits built as if it were urgent, and all that is added until
 * gpu_build_queue_end_rush(). */
void gpu_build_queue_rush (GpuBuildQueue * queue);
void gpu_build_queue_end_rush (GpuBuildQueue * queue);

/* If there are no threads for kernels that are built soon, builds the next one of these. FALSE:
 * there are threads, or none waits. */
gboolean gpu_build_queue_help (GpuBuildQueue * queue);

G_END_DECLS
