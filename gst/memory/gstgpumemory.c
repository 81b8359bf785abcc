/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpumemory.h"

#include "gpu/core/device/process.h"

#include <string.h>

GST_DEBUG_CATEGORY_STATIC (gst_gpu_memory_debug);
#define GST_CAT_DEFAULT gst_gpu_memory_debug

/* Alignment of mapped memory as a mask; the same as in gpu/core/memory/heap.c. */
#define MAPPED_ALIGNMENT_MASK 63

struct _GstGpuAllocator
{
  GstAllocator parent;

  GpuDevice *device;
  GWeakRef owner;
  GstGpuMapNotify notify;
  gboolean is_unified;          /* both sides are one host buffer */
  gsize held;                   /* bytes of all sides; atomic */

  /* Idle streams with one slot each. A map takes one for its download and returns it
   * afterwards, so a map never waits for another map. */
  GAsyncQueue *idle_streams;
};

/* In a view of another memory (its parent), only the first field is used. */
typedef struct
{
  GstMemory memory;

  GMutex lock;
  GpuBuffer *sides[2];          /* indexed by GpuBufferKind; only the host side if
                                   memory is unified */
  gboolean valid[2];            /* side has the current content; both FALSE: nothing was
                                   written yet */
  gboolean device_is_whole;     /* the device side was written completely: no old memory
                                   content is left in it */

  /* Submissions that use the host side. Only maps wait for them: submissions are ordered
   * among themselves. */
  GpuTicket writer;             /* last submission that writes the host side */
  GArray *readers;              /* of GpuTicket: last submission of each stream that reads
                                   the host side */
  gboolean cache_is_stale;      /* the device wrote the host side; the CPU's cache is not
                                   yet invalidated */

  gpointer substitute;          /* replaces the host side after the device was lost;
                                   allocated by the first map that needs it, else NULL */
} GstGpuMemory;

G_DEFINE_TYPE_WITH_CODE (GstGpuAllocator, gst_gpu_allocator,
    GST_TYPE_ALLOCATOR, GST_DEBUG_CATEGORY_INIT (gst_gpu_memory_debug,
        "gpumemory", 0, "memory shared by CPU and GPU"));

static GstGpuAllocator *
allocator_of (GstGpuMemory * self)
{
  return GST_GPU_ALLOCATOR (self->memory.allocator);
}

/* Returns the memory that owns the sides. */
static GstGpuMemory *
root_of (GstMemory * memory)
{
  return (GstGpuMemory *) (memory->parent ? memory->parent : memory);
}

/* --- the two sides (with the lock held) --- */

/* Returns the side; allocates it if necessary. The host side is cleared, because a frame
 * does not fill all of it (padding) and old memory content must not leak. */
static GpuBuffer *
ensure_side (GstGpuMemory * self, GpuBufferKind kind, GError ** error)
{
  GstGpuAllocator *allocator = allocator_of (self);
  GpuBuffer *side;

  if (allocator->is_unified)
    kind = GPU_BUFFER_HOST;
  if (self->sides[kind])
    return self->sides[kind];
  side = gpu_buffer_new_large (allocator->device, kind, self->memory.maxsize,
      kind == GPU_BUFFER_HOST ? "frame, host side" : "frame, device side",
      error);
  if (side && kind == GPU_BUFFER_HOST) {
    memset (gpu_buffer_get_data (side), 0, gpu_buffer_get_size (side));
    if (!gpu_buffer_flush (side, error))
      g_clear_pointer (&side, gpu_buffer_unref);
  }
  if (side)
    g_atomic_pointer_add (&allocator->held, gpu_buffer_get_size (side));
  return self->sides[kind] = side;
}

/* Clears the device side for the same reason, unless it was written completely. */
static void
record_clear (GstGpuMemory * self, GpuStream * stream)
{
  GpuBuffer *side = self->sides[GPU_BUFFER_DEVICE];

  if (!side || self->device_is_whole)
    return;
  gpu_stream_stage (stream, "clear");
  gpu_stream_fill (stream, side, 0, gpu_buffer_get_size (side), 0);
}

/* Returns whether the content must be copied to the side @to before that is used. */
static gboolean
needs_copy (GstGpuMemory * self, GpuBufferKind to)
{
  GpuBufferKind from =
      to == GPU_BUFFER_HOST ? GPU_BUFFER_DEVICE : GPU_BUFFER_HOST;

  return !allocator_of (self)->is_unified && !self->valid[to]
      && self->valid[from];
}

static void
record_download (GstGpuMemory * self, GpuStream * stream)
{
  gpu_stream_download (stream, self->sides[GPU_BUFFER_DEVICE],
      self->sides[GPU_BUFFER_HOST]);
}

static void
host_was_written (GstGpuMemory * self, const GpuTicket * ticket)
{
  gpu_ticket_set (&self->writer, ticket);
  self->valid[GPU_BUFFER_HOST] = TRUE;
  self->cache_is_stale = TRUE;
}

/* Keeps only the last ticket of each stream: earlier ones are done before it. */
static void
add_reader (GstGpuMemory * self, const GpuTicket * ticket)
{
  GpuTicket *slot = NULL;

  for (guint i = 0; i < self->readers->len && !slot; i++) {
    GpuTicket *reader = &g_array_index (self->readers, GpuTicket, i);

    if (reader->stream == ticket->stream || gpu_ticket_is_done (reader))
      slot = reader;
  }
  if (!slot) {
    g_array_set_size (self->readers, self->readers->len + 1);
    slot = &g_array_index (self->readers, GpuTicket, self->readers->len - 1);
  }
  gpu_ticket_set (slot, ticket);
}

/* --- use in recordings --- */

static gboolean
begin (GstGpuAccess * access, GstMemory * memory, GpuStream * stream,
    gboolean writes, GError ** error)
{
  GstGpuMemory *self = root_of (memory);
  GpuBuffer *buffer;
  gboolean uploads;

  g_mutex_lock (&self->lock);
  buffer = ensure_side (self, GPU_BUFFER_DEVICE, error);
  uploads = buffer && !writes && needs_copy (self, GPU_BUFFER_DEVICE);
  if (buffer && !uploads)
    record_clear (self, stream);
  g_mutex_unlock (&self->lock);
  if (!buffer)
    return FALSE;

  /* The device side becomes valid only in gst_gpu_access_end(), because this recording may
   * be abandoned. Meanwhile another recording may upload as well, which is harmless. */
  if (uploads)
    gpu_stream_upload (stream, self->sides[GPU_BUFFER_HOST], buffer);
  *access = (GstGpuAccess) {
    .memory = gst_memory_ref (memory),
    .buffer = buffer,
    .writes = writes,
    .uploads = uploads,
  };
  return TRUE;
}

gboolean
gst_gpu_access_begin_read (GstGpuAccess * access, GstMemory * memory,
    GpuStream * stream, GError ** error)
{
  return begin (access, memory, stream, FALSE, error);
}

gboolean
gst_gpu_access_begin_write (GstGpuAccess * access, GstMemory * memory,
    GpuStream * stream, GError ** error)
{
  return begin (access, memory, stream, TRUE, error);
}

void
gst_gpu_access_begin_rewrite (GstGpuAccess * access, const GstGpuAccess * read)
{
  *access = *read;
  gst_memory_ref (access->memory);
  access->writes = TRUE;
  access->uploads = FALSE;
}

gboolean
gst_gpu_access_download (GstGpuAccess * access, GpuStream * stream,
    GError ** error)
{
  GstGpuMemory *self = root_of (access->memory);
  GpuBuffer *host;

  if (allocator_of (self)->is_unified)
    return TRUE;
  g_mutex_lock (&self->lock);
  host = ensure_side (self, GPU_BUFFER_HOST, error);
  g_mutex_unlock (&self->lock);
  if (!host)
    return FALSE;
  record_download (self, stream);
  access->downloads = TRUE;
  return TRUE;
}

/* Returns whether the submission uses the host side, so that maps may have to wait. */
static gboolean
uses_host_side (const GstGpuAccess * access)
{
  return access->uploads || access->downloads
      || allocator_of (root_of (access->memory))->is_unified;
}

void
gst_gpu_access_end (GstGpuAccess * access, const GpuTicket * ticket)
{
  GstGpuMemory *self = root_of (access->memory);

  g_mutex_lock (&self->lock);
  if (access->writes)
    self->valid[GPU_BUFFER_HOST] = FALSE;
  if (access->writes || access->uploads)
    self->valid[GPU_BUFFER_DEVICE] = self->device_is_whole = TRUE;
  if (uses_host_side (access) && access->writes)
    host_was_written (self, ticket);
  else if (uses_host_side (access))
    add_reader (self, ticket);
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&access->memory, gst_memory_unref);
}

void
gst_gpu_access_give_up (GstGpuAccess * access, GpuStream * stream)
{
  GstGpuMemory *self = root_of (access->memory);
  GpuTicket last = { stream, gpu_stream_get_serial (stream) };

  if (uses_host_side (access)) {
    g_mutex_lock (&self->lock);
    add_reader (self, &last);
    g_mutex_unlock (&self->lock);
  }
  g_clear_pointer (&access->memory, gst_memory_unref);
}

/* --- mapping --- */

/* A map under way. */
typedef struct
{
  GpuStream *stream;            /* stream of the downloads; NULL if there were none */
  GstGpuMapReport report;
} Mapping;

/* Submits a download without waiting. The caller waits before the next call. */
static gboolean
submit_download (GstGpuMemory * self, Mapping * mapping, GError ** error)
{
  GstGpuAllocator *allocator = allocator_of (self);
  GpuTicket ticket = { NULL, 0 };
  gboolean done;

  if (!mapping->stream)
    mapping->stream = g_async_queue_try_pop (allocator->idle_streams);
  if (!mapping->stream)
    mapping->stream = gpu_stream_new (allocator->device, 1,
        "downloads for maps", error);
  if (!mapping->stream || !gpu_stream_begin (mapping->stream, error))
    return FALSE;
  record_download (self, mapping->stream);
  done = gpu_stream_submit (mapping->stream, &ticket, error);
  if (done)
    host_was_written (self, &ticket);
  mapping->report.downloaded |= done;
  gpu_ticket_clear (&ticket);
  return done;
}

/* Releases the lock while waiting, so that other threads can map the memory or record its
 * use. The lock is held on entry and on return. */
static gboolean
wait_for (GstGpuMemory * self, const GpuTicket * ticket, const gchar * reason,
    gboolean * waited, GError ** error)
{
  GpuTicket mine = { NULL, 0 };
  gboolean done;

  if (!ticket->stream)
    return TRUE;
  gpu_ticket_set (&mine, ticket);
  g_mutex_unlock (&self->lock);
  *waited |= !gpu_ticket_is_done (&mine);
  done = gpu_ticket_wait_because (&mine, reason, error);
  gpu_ticket_clear (&mine);
  g_mutex_lock (&self->lock);
  return done;
}

/* Repeatedly waits for the last reader and removes it until none is left. During each wait
 * other threads may add or replace readers. */
static gboolean
wait_for_readers (GstGpuMemory * self, Mapping * mapping, GError ** error)
{
  while (self->readers->len > 0) {
    guint last = self->readers->len - 1;
    GpuTicket *reader = &g_array_index (self->readers, GpuTicket, last);

    if (gpu_ticket_is_done (reader))
      g_array_set_size (self->readers, last);
    else if (!wait_for (self, reader, "the CPU maps for writing a frame that "
            "this submission reads", &mapping->report.waited_for_readers,
            error))
      return FALSE;
  }
  return TRUE;
}

/* Loops until the host side is valid: while this thread waits for a download, another may
 * submit work that writes the memory again. */
static gboolean
wait_for_content (GstGpuMemory * self, Mapping * mapping, GError ** error)
{
  do {
    if (needs_copy (self, GPU_BUFFER_HOST)
        && !submit_download (self, mapping, error))
      return FALSE;
    if (!wait_for (self, &self->writer,
            "the CPU maps a frame that this submission writes",
            &mapping->report.waited_for_result, error))
      return FALSE;
  } while (needs_copy (self, GPU_BUFFER_HOST)
      || !gpu_ticket_is_done (&self->writer));
  return TRUE;
}

static void
host_is_written (GstGpuMemory * self)
{
  self->valid[GPU_BUFFER_HOST] = TRUE;
  self->valid[GPU_BUFFER_DEVICE] = FALSE;
}

static gpointer
map_side (GstGpuMemory * self, GstMapFlags flags, Mapping * mapping,
    GError ** error)
{
  GpuBuffer *host = ensure_side (self, GPU_BUFFER_HOST, error);

  /* Needed for GST_MAP_WRITE alone too: the caller may write only a part. */
  if (!host || !wait_for_content (self, mapping, error))
    return NULL;
  if (self->cache_is_stale && !gpu_buffer_invalidate (host, error))
    return NULL;
  self->cache_is_stale = FALSE;
  if (flags & GST_MAP_WRITE) {
    if (!wait_for_readers (self, mapping, error))
      return NULL;
    host_is_written (self);
  }
  return gpu_buffer_get_data (host);
}

/* Returns whether the host side had the current content when the device was lost. */
static gboolean
has_content (GstGpuMemory * self)
{
  GpuBuffer *host = self->sides[GPU_BUFFER_HOST];

  if (self->substitute)
    return TRUE;
  if (needs_copy (self, GPU_BUFFER_HOST)
      || !gpu_ticket_is_done (&self->writer))
    return FALSE;
  if (self->cache_is_stale && !gpu_buffer_invalidate (host, NULL))
    return FALSE;
  self->cache_is_stale = FALSE;
  return TRUE;
}

/* Returns aligned system memory to use instead of the host side: that may not exist, or a
 * hanging device may still write to it. Returns NULL if memory is exhausted. */
static gpointer
get_substitute (GstGpuMemory * self)
{
  gsize start;

  if (!self->substitute)
    self->substitute =
        g_try_malloc0 (self->memory.maxsize + MAPPED_ALIGNMENT_MASK);
  if (!self->substitute)
    return NULL;
  start = (gsize) self->substitute + MAPPED_ALIGNMENT_MASK;
  return (gpointer) (start & ~(gsize) MAPPED_ALIGNMENT_MASK);
}

/* Maps without the device and without waiting. If the content is lost, a map for writing
 * gets zeros: it may write only a part, and a failed map would end the stream. A map for
 * reading fails. */
static gpointer
map_without_device (GstGpuMemory * self, GstMapFlags flags)
{
  GpuBuffer *host = self->sides[GPU_BUFFER_HOST];
  gboolean is_kept = has_content (self);

  if (!is_kept && (flags & GST_MAP_READ))
    return NULL;
  if (flags & GST_MAP_WRITE)
    host_is_written (self);
  return is_kept && host && !self->substitute ? gpu_buffer_get_data (host)
      : get_substitute (self);
}

/* Fails in a forked child: device memory may not be mapped there, and the lock may be held
 * by a thread that does not exist there. Looks at the device without the lock, as a driver may
 * wait. */
static gpointer
map (GstGpuMemory * self, GstMapFlags flags, Mapping * mapping, GError ** error)
{
  GpuDevice *device = allocator_of (self)->device;
  gpointer data = NULL;

  if (!gpu_process_check (error))
    return NULL;
  g_mutex_lock (&self->lock);
  if (gpu_device_check_alive (device, error))
    data = map_side (self, flags, mapping, error);
  g_mutex_unlock (&self->lock);
  if (data || gpu_device_look (device))
    return data;
  g_mutex_lock (&self->lock);
  data = map_without_device (self, flags);
  g_mutex_unlock (&self->lock);
  if (data)
    g_clear_error (error);
  return data;
}

static void
notify_owner (GstGpuAllocator * allocator, const GstGpuMapReport * report,
    const GError * error)
{
  g_autoptr (GstElement) owner = NULL;

  if (!error && !report->downloaded && !report->waited_for_result
      && !report->waited_for_readers)
    return;
  owner = g_weak_ref_get (&allocator->owner);
  if (owner)
    allocator->notify (owner, allocator, report, error);
}

static gpointer
gst_gpu_memory_map (GstMemory * memory, GstMapInfo * info, gsize maxsize)
{
  GstGpuMemory *self = root_of (memory);
  GstGpuAllocator *allocator = allocator_of (self);
  Mapping mapping = { NULL };
  GError *error = NULL;
  gpointer data;

  data = map (self, info->flags, &mapping, &error);
  if (!data)
    GST_WARNING_OBJECT (allocator, "mapping failed: %s", error->message);
  if (mapping.stream)
    g_async_queue_push (allocator->idle_streams, mapping.stream);
  notify_owner (allocator, &mapping.report, error);
  g_clear_error (&error);
  return data;
}

/* Flushes the CPU's cache after a write, because a submission may read or overwrite the
 * memory at any time from now on. */
static void
gst_gpu_memory_unmap (GstMemory * memory, GstMapInfo * info)
{
  GstGpuMemory *self = root_of (memory);
  GstGpuAllocator *allocator = allocator_of (self);
  const GstGpuMapReport nothing = { 0 };
  g_autoptr (GError) error = NULL;

  if (!(info->flags & GST_MAP_WRITE)
      || gpu_device_is_lost (allocator->device)
      || gpu_buffer_flush (self->sides[GPU_BUFFER_HOST], &error))
    return;
  GST_WARNING_OBJECT (allocator, "what was written is lost: %s",
      error->message);
  notify_owner (allocator, &nothing, error);
}

/* --- sharing --- */

/* Returns a read-only view. GstMemory also prevents writes to the original memory while it
 * is shared. */
static GstMemory *
gst_gpu_memory_share (GstMemory * memory, gssize offset, gssize size)
{
  GstGpuMemory *view = g_new0 (GstGpuMemory, 1);
  GstMemory *root = &root_of (memory)->memory;

  gst_memory_init (&view->memory,
      GST_MINI_OBJECT_FLAGS (root) | GST_MINI_OBJECT_FLAG_LOCK_READONLY,
      root->allocator, root, root->maxsize, root->align,
      memory->offset + offset, size < 0 ? memory->size - offset : (gsize) size);
  return &view->memory;
}

/* --- allocator --- */

gboolean
gst_gpu_allocator_accepts (GstGpuAllocator * allocator, gsize size,
    const GstAllocationParams * params)
{
  gsize most = gpu_device_get_info (allocator->device)->max_buffer;
  gsize whole;

  /* Buffers have whole words. */
  return params->align <= MAPPED_ALIGNMENT_MASK
      && !(params->align & (params->align + 1)) && params->prefix % 4 == 0
      && params->flags == 0 && size > 0
      && g_size_checked_add (&whole, size, params->prefix)
      && g_size_checked_add (&whole, whole, params->padding)
      && whole <= most / 4 * 4;
}

static GstMemory *
gst_gpu_allocator_alloc (GstAllocator * allocator, gsize size,
    GstAllocationParams * params)
{
  GstGpuMemory *self;

  if (!gst_gpu_allocator_accepts (GST_GPU_ALLOCATOR (allocator), size, params)) {
    GST_WARNING_OBJECT (allocator, "no memory of %" G_GSIZE_FORMAT " bytes "
        "after %" G_GSIZE_FORMAT " and before %" G_GSIZE_FORMAT ", aligned to "
        "%" G_GSIZE_FORMAT ", flags %#x", size, params->prefix,
        params->padding, params->align + 1, params->flags);
    return NULL;
  }
  self = g_new0 (GstGpuMemory, 1);
  gst_memory_init (&self->memory, 0, allocator, NULL,
      params->prefix + size + params->padding, params->align, params->prefix,
      size);
  g_mutex_init (&self->lock);
  self->readers = g_array_new (FALSE, TRUE, sizeof (GpuTicket));
  g_array_set_clear_func (self->readers, (GDestroyNotify) gpu_ticket_clear);
  return &self->memory;
}

static void
gst_gpu_allocator_free (GstAllocator * allocator, GstMemory * memory)
{
  GstGpuMemory *self = (GstGpuMemory *) memory;

  /* A view has already dropped its reference to the parent; only the parent has sides. */
  if (!memory->parent) {
    /* Streams keep references to the sides until their work is done. */
    gpu_ticket_clear (&self->writer);
    g_array_unref (self->readers);
    for (guint i = 0; i < G_N_ELEMENTS (self->sides); i++)
      if (self->sides[i]) {
        g_atomic_pointer_add (&allocator_of (self)->held,
            -(gssize) gpu_buffer_get_size (self->sides[i]));
        gpu_buffer_unref (self->sides[i]);
      }
    g_free (self->substitute);
    g_mutex_clear (&self->lock);
  }
  g_free (memory);
}

static void
gst_gpu_allocator_finalize (GObject * object)
{
  GstGpuAllocator *self = GST_GPU_ALLOCATOR (object);

  g_async_queue_unref (self->idle_streams);
  g_weak_ref_clear (&self->owner);
  gpu_device_unref (self->device);
  G_OBJECT_CLASS (gst_gpu_allocator_parent_class)->finalize (object);
}

static void
gst_gpu_allocator_class_init (GstGpuAllocatorClass * klass)
{
  GstAllocatorClass *allocator_class = GST_ALLOCATOR_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_gpu_allocator_finalize;
  allocator_class->alloc = GST_DEBUG_FUNCPTR (gst_gpu_allocator_alloc);
  allocator_class->free = GST_DEBUG_FUNCPTR (gst_gpu_allocator_free);
}

static void
gst_gpu_allocator_init (GstGpuAllocator * self)
{
  GstAllocator *allocator = GST_ALLOCATOR (self);

  g_weak_ref_init (&self->owner, NULL);
  self->idle_streams =
      g_async_queue_new_full ((GDestroyNotify) gpu_stream_unref);
  allocator->mem_type = GST_GPU_MEMORY_TYPE;
  allocator->mem_map_full = gst_gpu_memory_map;
  allocator->mem_unmap_full = gst_gpu_memory_unmap;
  allocator->mem_share = gst_gpu_memory_share;
  /* Copies of this memory do not use this allocator; they become system memory. */
  GST_OBJECT_FLAG_SET (self, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
}

GstAllocator *
gst_gpu_allocator_new (GpuDevice * device, GstElement * owner,
    GstGpuMapNotify notify)
{
  GstGpuAllocator *self = g_object_new (GST_TYPE_GPU_ALLOCATOR, NULL);

  gst_object_ref_sink (self);
  self->device = gpu_device_ref (device);
  self->is_unified = gpu_device_has_unified_memory (device);
  self->notify = notify;
  g_weak_ref_set (&self->owner, owner);
  return GST_ALLOCATOR (self);
}

GpuDevice *
gst_gpu_allocator_get_device (GstGpuAllocator * allocator)
{
  return allocator->device;
}

gsize
gst_gpu_allocator_get_held (GstGpuAllocator * allocator)
{
  return (gsize) g_atomic_pointer_get (&allocator->held);
}

GpuDevice *
gst_gpu_memory_get_device (GstMemory * memory)
{
  if (!GST_IS_GPU_ALLOCATOR (memory->allocator))
    return NULL;
  return GST_GPU_ALLOCATOR (memory->allocator)->device;
}
