/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/stream/stream.h"
#include <gst/gst.h>

G_BEGIN_DECLS

/* Memory with two sides: the host side, which the CPU maps, and the device side, which
 * shaders use. Each side is allocated on first use. The content is copied from the side
 * that was written last to the other side when that is used. With unified memory
 * (gpu_device_has_unified_memory()) both sides are one buffer and nothing is copied. Bytes
 * that were never written are 0. Other elements can use it like system memory.
 *
 * A map waits only for the submissions that it depends on: for the one that writes the
 * host side, and if it maps for writing, also for those that still read the host side. A
 * failed map returns NULL and reports the error to the owner of the allocator.
 *
 * After the device is lost, content that was already on the host side can still be mapped,
 * and any memory can be mapped for writing only. Nothing is copied from or to the device
 * any more. Maps that read lost content fail.
 *
 * Copies of a buffer and sub-buffers share the memory: they hold read-only views of the
 * same two sides. */
#define GST_GPU_MEMORY_TYPE "GstGpuMemory"

#define GST_TYPE_GPU_ALLOCATOR (gst_gpu_allocator_get_type ())
G_DECLARE_FINAL_TYPE (GstGpuAllocator, gst_gpu_allocator, GST, GPU_ALLOCATOR,
    GstAllocator)

/* What a map did that the owner of the allocator is told. */
typedef struct
{
  gboolean downloaded;          /* copied the content to the host side */
  gboolean waited_for_result;   /* waited for a submission that writes it */
  gboolean waited_for_readers;  /* waited for submissions that read it */
} GstGpuMapReport;

/* Called without locks, on the thread that maps or unmaps. @error: why the map failed, or why
 * what was written is lost; or NULL. */
typedef void (*GstGpuMapNotify) (GstElement * owner,
    GstGpuAllocator * allocator, const GstGpuMapReport * report,
    const GError * error);

/* Returns a new allocator, whose reference the caller owns. It holds a reference to
 * @device, and only a weak reference to @owner, because memory may outlive the owner. */
GstAllocator *gst_gpu_allocator_new (GpuDevice * device, GstElement * owner,
    GstGpuMapNotify notify);

/* Returns the device; the allocator owns the reference. */
GpuDevice *gst_gpu_allocator_get_device (GstGpuAllocator * allocator);

/* Returns how many bytes both sides of all its memories have. Thread safe. */
gsize gst_gpu_allocator_get_held (GstGpuAllocator * allocator);

/* Returns whether memory of @size bytes can be allocated with @params and hold a frame
 * that shaders can use. Otherwise an allocation fails. */
gboolean gst_gpu_allocator_accepts (GstGpuAllocator * allocator, gsize size,
    const GstAllocationParams * params);

/* Returns the device of a memory of this type, without a reference; NULL for any other
 * memory. */
GpuDevice *gst_gpu_memory_get_device (GstMemory * memory);

/* The access of a recording to a memory. Begin it while the stream records. End it after
 * the recording was submitted, or give it up after the recording was abandoned. Several
 * recordings may read a memory at the same time; a recording that writes needs exclusive
 * access. */
typedef struct
{
  GstMemory *memory;            /* owned */
  GpuBuffer *buffer;            /* the device side, with memory->maxsize bytes */
  gboolean writes;
  gboolean uploads;             /* a copy to @buffer was recorded */
  gboolean downloads;           /* a copy from @buffer was recorded */
} GstGpuAccess;

/* Begins a read access and records an upload if necessary. @memory must belong to the
 * device of @stream; it may be a view. Returns FALSE with @error set if the device side
 * cannot be allocated; then do not end or give up the access. */
gboolean gst_gpu_access_begin_read (GstGpuAccess * access, GstMemory * memory,
    GpuStream * stream, GError ** error);
/* Like gst_gpu_access_begin_read(), but for writing the whole content. @memory must not be
 * a view. */
gboolean gst_gpu_access_begin_write (GstGpuAccess * access,
    GstMemory * memory, GpuStream * stream, GError ** error);

/* Begins a write access to the memory that @read reads in the same recording: a part of the
 * content may stay. End @read, or give it up, first. */
void gst_gpu_access_begin_rewrite (GstGpuAccess * access,
    const GstGpuAccess * read);

/* Records a download, so that this submission also copies the content to the
 * host side. Does nothing with unified memory. Without this call the first map downloads
 * the content. Returns FALSE with @error set if the host side cannot be allocated. */
gboolean gst_gpu_access_download (GstGpuAccess * access, GpuStream * stream,
    GError ** error);

/* Ends the access after the recording was submitted. @ticket: ticket of the submission. */
void gst_gpu_access_end (GstGpuAccess * access, const GpuTicket * ticket);

/* Ends the access after the recording was abandoned. The content counts as unchanged. Maps
 * for writing still wait for parts of the recording that @stream has already submitted. */
void gst_gpu_access_give_up (GstGpuAccess * access, GpuStream * stream);

G_END_DECLS
