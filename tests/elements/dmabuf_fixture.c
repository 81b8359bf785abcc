/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "dmabuf_fixture.h"

#include "gpu/core/memory/import.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

/* --- an allocator of memfds --- */

typedef GstDmaBufAllocator MemfdAllocator;
typedef GstDmaBufAllocatorClass MemfdAllocatorClass;

static GType memfd_allocator_get_type (void);
G_DEFINE_TYPE (MemfdAllocator, memfd_allocator, GST_TYPE_DMABUF_ALLOCATOR);

gboolean dmabuf_lacks_memory;

static GstMemory *
alloc (GstAllocator * allocator, gsize size, GstAllocationParams * params)
{
  const gsize whole = params->prefix + size + params->padding;
  gint fd = memfd_create ("frame", MFD_CLOEXEC);
  GstMemory *memory;

  g_assert_cmpint (fd, >=, 0);
  if (dmabuf_lacks_memory) {
    close (fd);
    return NULL;
  }
  g_assert_cmpint (ftruncate (fd, whole), ==, 0);
  memory = gst_dmabuf_allocator_alloc (allocator, fd, whole);
  gst_memory_resize (memory, params->prefix, size);
  return memory;
}

static void
memfd_allocator_class_init (MemfdAllocatorClass * klass)
{
  GST_ALLOCATOR_CLASS (klass)->alloc = alloc;
}

static void
memfd_allocator_init (MemfdAllocator * self)
{
  GST_OBJECT_FLAG_UNSET (self, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
}

GstAllocator *
dmabuf_allocator (void)
{
  static GstAllocator *allocator;

  if (!allocator)
    allocator = gst_object_ref_sink (g_object_new
        (memfd_allocator_get_type (), NULL));
  return allocator;
}

GstMemory *
dmabuf_new_memory (gsize size)
{
  return gst_allocator_alloc (dmabuf_allocator (), size, NULL);
}

/* --- devices --- */

static void (*edit_more) (GpuDevice * device);

/* Dma-bufs are imported by all but CPU devices. */
static void
play_integrated (GpuDevice * device)
{
  if (edit_more)
    edit_more (device);
  device->info.kind = GPU_DEVICE_INTEGRATED;
}

static gboolean can_import;

static gboolean
try_import (GpuDevice * device)
{
  GstMemory *memory = dmabuf_new_memory (1);
  g_autoptr (GpuBuffer) buffer = gpu_buffer_import (device,
      gst_dmabuf_memory_get_fd (memory), NULL);

  gst_memory_unref (memory);
  return buffer != NULL;
}

gboolean
dmabuf_can_import (void)
{
  return can_import;
}

void
dmabuf_begin (void)
{
  edit_more = gpu_device_edit;
  gpu_device_edit = play_integrated;
  fixture_share_device ();
  if (!fixture_device ())
    return;
  fixture_device ()->info.kind = GPU_DEVICE_INTEGRATED;
  can_import = try_import (fixture_device ());
}

guint dmabuf_n_imports;

static PFN_vkGetMemoryFdPropertiesKHR ask_driver;
static VkResult answer;

static VkResult VKAPI_CALL
ask (VkDevice device, VkExternalMemoryHandleTypeFlagBits type, int fd,
    VkMemoryFdPropertiesKHR * properties)
{
  dmabuf_n_imports++;
  return answer != VK_SUCCESS ? answer
      : ask_driver (device, type, fd, properties);
}

void
dmabuf_set_answer (GpuDevice * device, VkResult result)
{
  if (device->vk.vkGetMemoryFdPropertiesKHR != ask)
    ask_driver = device->vk.vkGetMemoryFdPropertiesKHR;
  device->vk.vkGetMemoryFdPropertiesKHR = ask;
  answer = result;
}

/* --- who uses it --- */

DmabufUse dmabuf_use;

/* In place of poll(), whose declaration says that it does not read @fds. */
/* *INDENT-OFF* */
int hook_poll (struct pollfd *fds, nfds_t n, int timeout) __asm__ ("poll");
/* *INDENT-ON* */

int
hook_poll (struct pollfd *fds, nfds_t n, int timeout)
{
  static int (*real) (struct pollfd *, nfds_t, int);
  DmabufUse *use = &dmabuf_use;

  if (n == 1 && use->fd && fds[0].fd == use->fd && use->is_interrupted) {
    use->is_interrupted = FALSE;
    errno = EINTR;
    return -1;
  }
  if (n == 1 && use->fd && fds[0].fd == use->fd && use->waits-- > 0) {
    g_assert_cmpint (fds[0].events, ==, use->events);
    if (use->flushed)
      g_assert_true (gst_harness_push_event (use->flushed,
              gst_event_new_flush_start ()));
    return 0;
  }
  if (!real)
    *(void **) &real = dlsym (RTLD_NEXT, "poll");
  return real (fds, n, timeout);
}
