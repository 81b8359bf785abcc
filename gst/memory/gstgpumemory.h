/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/stream/stream.h"
#include <gst/gst.h>

G_BEGIN_DECLS

/* Memory with two sides, each allocated when it is first needed: one that the
 * CPU maps and one that shaders use. Whichever side was written last is
 * copied to the other when that is asked for. Where the device's memory is the
 * CPU's as well (gpu_device_has_unified_memory()), both are the same, and
 * nothing is ever copied. What nobody wrote is 0. To the rest of GStreamer it is
 * system memory.
 *
 * Mapping waits for the submissions that stand in the way, no others: any map
 * for the one that writes the CPU's side, a map for writing also for those that
 * still read that side. A map that fails returns NULL and tells the owner of the
 * allocator why.
 *
 * When the device is lost, what was known to be with the CPU by then stays readable, and
 * who only writes may do so: it is memory of the CPU alone from then on. Maps that read
 * anything else fail.
 *
 * Buffers share it: copies of a buffer, and parts of one, are views of the
 * same two sides that nobody can write through. */
#define GST_GPU_MEMORY_TYPE "GstGpuMemory"

#define GST_TYPE_GPU_ALLOCATOR (gst_gpu_allocator_get_type ())
G_DECLARE_FINAL_TYPE (GstGpuAllocator, gst_gpu_allocator, GST, GPU_ALLOCATOR,
    GstAllocator)

/* What a map did that its owner did not ask for. */
typedef enum
{
  GST_GPU_MAP_DOWNLOADED,       /* copied to the CPU's side */
  GST_GPU_MAP_WAITED_FOR_RESULT,        /* for a submission that writes it */
  GST_GPU_MAP_WAITED_FOR_READERS,       /* for submissions that read it */
  GST_GPU_MAP_FAILED,           /* the only one that comes with an error */
} GstGpuMapEvent;

/* Called without locks, on the thread that maps. */
typedef void (*GstGpuMapNotify) (GstElement * owner,
    GstGpuAllocator * allocator, GstGpuMapEvent event, const GError * error);

/* Holds @device, and @owner only weakly: memory may outlive it. Returns a new
 * reference. */
GstAllocator *gst_gpu_allocator_new (GpuDevice * device, GstElement * owner,
    GstGpuMapNotify notify);

GpuDevice *gst_gpu_allocator_get_device (GstGpuAllocator * allocator);

/* Bytes of both sides of all its memory. Any thread. */
gsize gst_gpu_allocator_get_held (GstGpuAllocator * allocator);

/* Whether memory of @size bytes, with a frame in it that shaders can use, can
 * be as @params say; where it cannot, allocating fails. */
gboolean gst_gpu_allocator_accepts (GstGpuAllocator * allocator, gsize size,
    const GstAllocationParams * params);

/* The device of a memory of this kind; NULL for any other memory. */
GpuDevice *gst_gpu_memory_get_device (GstMemory * memory);

/* One recording's use of one memory: begin while the stream records, end once
 * it was submitted, or give up once it was abandoned. Any number of recordings
 * may read a memory at once; one that writes has it for itself. */
typedef struct
{
  GstMemory *memory;            /* owned */
  GpuBuffer *buffer;            /* the device's side, all of memory->maxsize */
  gboolean writes;
  gboolean uploads;             /* a copy to @buffer was recorded */
  gboolean downloads;           /* a copy from @buffer was recorded */
} GstGpuAccess;

/* @memory: of @stream's device, or a view of such. Fails where there is no
 * room for the device's side. Either end is due only after TRUE. */
gboolean gst_gpu_access_begin_read (GstGpuAccess * access, GstMemory * memory,
    GpuStream * stream, GError ** error);
/* All of the content is going to be replaced: no view. */
gboolean gst_gpu_access_begin_write (GstGpuAccess * access,
    GstMemory * memory, GpuStream * stream, GError ** error);

/* Records, after what was recorded so far, that the content goes to the CPU's
 * side with this submission, if that is another; without it the first map sees
 * to that. */
gboolean gst_gpu_access_download (GstGpuAccess * access, GpuStream * stream,
    GError ** error);

/* @ticket: the submission. */
void gst_gpu_access_end (GstGpuAccess * access, const GpuTicket * ticket);

/* Nobody is told of new content; but a part of the recording that @stream had
 * submitted before may still use the CPU's side. */
void gst_gpu_access_give_up (GstGpuAccess * access, GpuStream * stream);

G_END_DECLS
