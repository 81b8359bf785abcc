/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpuvulkanport.h"

#include "gpu/core/device/foreign.h"
#include "gpu/core/stream/images.h"

#include <dlfcn.h>
#include <gst/vulkan/vulkan.h>

/* --- the library --- */

#define LIBRARY "libgstvulkan-1.0.so.0"

/* The end of errors. */
#define DOWNLOAD "Put \"vulkandownload\" before this element and \"vulkanupload\" behind it."

/* The last one is new in GStreamer 1.26. */
#define FUNCTIONS(DO) \
  DO (gst_is_vulkan_image_memory) \
  DO (gst_vulkan_device_open) \
  DO (gst_vulkan_device_run_context_query) \
  DO (gst_vulkan_device_select_queue) \
  DO (gst_vulkan_image_buffer_pool_get_type) \
  DO (gst_vulkan_image_buffer_pool_new) \
  DO (gst_vulkan_physical_device_check_api_version) \
  DO (gst_vulkan_queue_run_context_query) \
  DO (gst_vulkan_queue_submit_lock) \
  DO (gst_vulkan_queue_submit_unlock) \
  DO (gst_vulkan_image_buffer_pool_config_get_allocation_params)

/* Under their names, so that the plugin does not link to the library. */
static struct
{
#define MEMBER(name) __typeof__ (name) *name;
  FUNCTIONS (MEMBER)
#undef MEMBER
} vulkan;

/* Never closed: GLib cannot forget its types. The members of images that are used here are those
 * of GStreamer 1.26 and 1.28; 1.30 has objects for semaphores. */
static gboolean
open_library (void)
{
  void *library = dlopen (LIBRARY, RTLD_NOW);
  gboolean has_all = library
      && !dlsym (library, "gst_vulkan_timeline_semaphore_new");

#define LOAD(name) \
  has_all = has_all && (*(void **) &vulkan.name = dlsym (library, #name));
  FUNCTIONS (LOAD)
#undef LOAD
      return has_all;
}

static gboolean
ensure_library (GError ** error)
{
  static gsize state;           /* 1: it is there, 2: it is not */

  if (g_once_init_enter (&state))
    g_once_init_leave (&state, open_library ()? 1 : 2);
  if (state == 2)
    g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
        "Frames are Vulkan images, but GStreamer's Vulkan library (%s) could not be "
        "opened, or is not of GStreamer 1.26 or 1.28. " DOWNLOAD, LIBRARY);
  return state == 1;
}

/* --- the device --- */

/* The owner of a GpuDevice that was adopted. */
typedef struct
{
  GstVulkanDevice *device;
  GstVulkanQueue *queue;
} Owner;

static void
lock (gpointer owner)
{
  vulkan.gst_vulkan_queue_submit_lock (((Owner *) owner)->queue);
}

static void
unlock (gpointer owner)
{
  vulkan.gst_vulkan_queue_submit_unlock (((Owner *) owner)->queue);
}

static void
release (gpointer data)
{
  Owner *owner = data;

  gst_clear_object (&owner->queue);
  gst_clear_object (&owner->device);
  g_free (owner);
}

static gboolean
is_for_compute (GstVulkanQueue * queue, GstVulkanDevice * device)
{
  return queue->device == device && (device->physical_device->queue_family_props
      [queue->family].queueFlags & VK_QUEUE_COMPUTE_BIT);
}

/* Each GstVulkanQueue has a lock of its own, so that of a neighbour is best. */
static GstVulkanQueue *
find_queue (GstElement * element, GstVulkanDevice * device)
{
  GstVulkanQueue *queue = NULL;

  vulkan.gst_vulkan_queue_run_context_query (element, &queue);
  if (queue && !is_for_compute (queue, device))
    gst_clear_object (&queue);
  return queue ? queue : vulkan.gst_vulkan_device_select_queue (device,
      VK_QUEUE_COMPUTE_BIT);
}

/* Returns NULL with @error set if the neighbours have no device. */
static Owner *
find_owner (GstElement * element, GError ** error)
{
  Owner *owner = g_new0 (Owner, 1);

  if (!vulkan.gst_vulkan_device_run_context_query (element, &owner->device))
    g_set_error (error, GPU_ERROR, GPU_ERROR_NO_DEVICE,
        "Frames are Vulkan images, but no element beside this one has their "
        "device. " DOWNLOAD);
  else if (vulkan.gst_vulkan_device_open (owner->device, NULL)
      && (owner->queue = find_queue (element, owner->device)))
    return owner;
  else
    g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
        "Frames are Vulkan images, but their device cannot be opened, or has no "
        "queue for compute. " DOWNLOAD);
  release (owner);
  return NULL;
}

/* GStreamer enables all features that the device has, also those of Vulkan 1.3, of which timeline
 * semaphores are a part. */
static gboolean
has_features (GstVulkanDevice * device, GError ** error)
{
  if (vulkan.gst_vulkan_physical_device_check_api_version
      (device->physical_device, 1, 3, 0))
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
      "Frames are Vulkan images, but \"%s\" lacks Vulkan 1.3. " DOWNLOAD,
      device->physical_device->properties.deviceName);
  return FALSE;
}

static GpuDevice *
find_device (GstElement * element, const GpuNeeds * needs, GError ** error)
{
  Owner *owner = ensure_library (error) ? find_owner (element, error) : NULL;

  if (!owner)
    return NULL;
  if (!has_features (owner->device, error)) {
    release (owner);
    return NULL;
  }
  return gpu_device_adopt (&(GpuForeignDevice) {
    .physical = owner->device->physical_device->device,
    .device = owner->device->device,
    .queue = owner->queue->queue,
    .family = owner->queue->family,
    .lock = lock,
    .unlock = unlock,
    .owner = owner,
    .release = release,
  }, needs, error);
}

static GstGpuLink *
connect (GstElement * element, const GpuNeeds * needs, guint n_frames,
    GError ** error)
{
  GpuDevice *device = find_device (element, needs, error);
  GstGpuLink *link;

  if (!device)
    return NULL;
  link = g_new (GstGpuLink, 1);
  *link = (GstGpuLink) {
    .port = &gst_gpu_vulkan_port, .device = device};
  return link;
}

static void
disconnect (GstGpuLink * link)
{
  gpu_device_unref (link->device);
  g_free (link);
}

static Owner *
owner_of (GpuDevice * device)
{
  return gpu_device_get_adopted (device)->owner;
}

/* --- pools --- */

static gboolean
is_writable (GstBufferPool * pool, GstVulkanDevice * device)
{
  VkImageUsageFlags usage;
  GstStructure *config;

  if (!G_TYPE_CHECK_INSTANCE_TYPE (pool,
          vulkan.gst_vulkan_image_buffer_pool_get_type ())
      || ((GstVulkanImageBufferPool *) pool)->device != device)
    return FALSE;
  config = gst_buffer_pool_get_config (pool);
  vulkan.gst_vulkan_image_buffer_pool_config_get_allocation_params (config,
      &usage, NULL, NULL, NULL);
  gst_structure_free (config);
  return (usage & VK_IMAGE_USAGE_TRANSFER_DST_BIT) != 0;
}

/* What images are for is left as it is. */
static gboolean
configure (GstBufferPool * pool, GstCaps * caps, guint min)
{
  return gst_gpu_port_configure_pool (pool, gst_buffer_pool_get_config (pool),
      caps, min);
}

/* Drivers need not have images of all formats; that of Mesa's CPU device has none of P010. */
static void
set_error_of_no_images (GError ** error, GpuDevice * device, GstCaps * caps)
{
  const gchar *format = gst_structure_get_string (gst_caps_get_structure (caps,
          0), "format");

  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "\"%s\" has no images for %s frames of this size. " DOWNLOAD,
      gpu_device_get_info (device)->name, format);
}

static GstBufferPool *
get_pool (GstGpuLink * link, GstCaps * caps, guint min,
    GstBufferPool * proposed, GError ** error)
{
  GstVulkanDevice *theirs = owner_of (link->device)->device;
  GstBufferPool *pool;

  if (proposed && is_writable (proposed, theirs)
      && configure (proposed, caps, min))
    return gst_object_ref (proposed);
  pool = vulkan.gst_vulkan_image_buffer_pool_new (theirs);
  if (!configure (pool, caps, min)) {
    set_error_of_no_images (error, link->device, caps);
    gst_clear_object (&pool);
  }
  return pool;
}

/* --- frames --- */

/* Those whose images have the same bytes as GStreamer's frames. */
static gboolean
takes (GpuPixels pixels)
{
  switch (pixels) {
    case GPU_PIXELS_RGBA:
    case GPU_PIXELS_BGRA:
    case GPU_PIXELS_ARGB:
    case GPU_PIXELS_ABGR:
    case GPU_PIXELS_RGBX:
    case GPU_PIXELS_BGRX:
    case GPU_PIXELS_XRGB:
    case GPU_PIXELS_XBGR:
    case GPU_PIXELS_NV12:
    case GPU_PIXELS_NV21:
    case GPU_PIXELS_P010:
    case GPU_PIXELS_AYUV:
      return TRUE;
    default:
      return FALSE;
  }
}

/* A memory that a recording uses. */
typedef struct
{
  GstVulkanImageMemory *memory; /* a reference. Pools do not mind: buffers lock their memory,
                                   and references lock nothing */
  GpuImage image;
} Guest;

/* From now on others wait until the submission is done. */
static void
note_use (gpointer data)
{
  const Guest *guest = data;
  GstVulkanBarrierImageInfo *barrier = &guest->memory->barrier;
  gboolean is_written =
      guest->image.layout == VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;

  barrier->parent.pipeline_stages = VK_PIPELINE_STAGE_TRANSFER_BIT;
  barrier->parent.access_flags = is_written ? VK_ACCESS_TRANSFER_WRITE_BIT
      : VK_ACCESS_TRANSFER_READ_BIT;
  barrier->parent.semaphore_value++;
  barrier->image_layout = guest->image.layout;
}

static void
free_guest (gpointer data)
{
  Guest *guest = data;

  gst_memory_unref (GST_MEMORY_CAST (guest->memory));
  g_free (guest);
}

/* Has the recording wait for what others do with the image, and others for it. */
static GpuImage
borrow (GpuStream * stream, GstVulkanImageMemory * memory, gboolean is_written)
{
  const GstVulkanBarrierImageInfo *barrier = &memory->barrier;
  Guest *guest = g_new0 (Guest, 1);
  GpuImage image = {
    .handle = memory->image,
    .layout = barrier->image_layout,
    .layer = barrier->subresource_range.baseArrayLayer,
  };

  gpu_stream_wait_for_semaphore (stream, barrier->parent.semaphore,
      barrier->parent.semaphore_value);
  gpu_stream_signal_semaphore (stream, barrier->parent.semaphore,
      barrier->parent.semaphore_value + 1);
  gpu_stream_ready_image (stream, &image, is_written);
  guest->memory = (GstVulkanImageMemory *)
      gst_memory_ref (GST_MEMORY_CAST (memory));
  guest->image = image;
  gpu_stream_keep (stream, guest, note_use, free_guest);
  return image;
}

/* The images of a frame: one, or one for each plane. */
typedef struct
{
  GstVulkanImageMemory *memories[GPU_MAX_PLANES];
  guint n;
} Images;

/* Returns the rectangle of plane @i of the frame, which begins at pixel @x, @y of the image. */
static GpuImageRegion
region_of (const GpuFrameInfo * info, guint i, const Images * images, guint x,
    guint y)
{
  static const VkImageAspectFlags aspects[] = {
    VK_IMAGE_ASPECT_PLANE_0_BIT, VK_IMAGE_ASPECT_PLANE_1_BIT
  };
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  const gsize texel = gpu_pixel_format_get_size (format, i);
  GpuImageRegion region = {
    .aspect = images->n < format->n_planes ? aspects[i]
        : VK_IMAGE_ASPECT_COLOR_BIT,
    .x = x >> format->shift_x[i],
    .y = y >> format->shift_y[i],
    .width = gpu_frame_info_plane_width (info, i),
    .height = gpu_frame_info_plane_height (info, i),
    .offset = info->offset[i],
    .row_texels = info->stride[i] / texel,
  };

  region.size = (region.height - 1) * info->stride[i] + region.width * texel;
  return region;
}

static gboolean
lies_inside (const GpuImageRegion * region, const GstVulkanImageMemory * memory)
{
  VkExtent3D extent = memory->create_info.extent;
  const guint shift = region->aspect == VK_IMAGE_ASPECT_PLANE_1_BIT ? 1 : 0;
  const guint width = (extent.width + shift) >> shift;
  const guint height = (extent.height + shift) >> shift;

  return region->width <= width && region->x <= width - region->width
      && region->height <= height && region->y <= height - region->height;
}

static gboolean
is_usable (GstMemory * memory, GpuStream * stream, VkImageUsageFlags usage)
{
  const GstVulkanImageMemory *image = (GstVulkanImageMemory *) memory;

  return vulkan.gst_is_vulkan_image_memory (memory)
      && image->device == owner_of (gpu_stream_get_device (stream))->device
      && image->barrier.parent.semaphore && (image->usage & usage);
}

static gboolean
find_images (Images * images, GpuStream * stream, GstBuffer * buffer,
    guint n_planes, VkImageUsageFlags usage)
{
  images->n = gst_buffer_n_memory (buffer);
  for (guint i = 0; i < images->n && images->n <= n_planes; i++) {
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);

    if (!is_usable (memory, stream, usage))
      return FALSE;
    images->memories[i] = (GstVulkanImageMemory *) memory;
  }
  return images->n == 1 || images->n == n_planes;
}

/* What is copied of a frame. */
typedef struct
{
  Images images;
  GpuImageRegion regions[GPU_MAX_PLANES];
  guint n;                      /* of regions: planes */
} Copy;

static GstVulkanImageMemory *
memory_of (const Copy * copy, guint plane)
{
  return copy->images.memories[MIN (plane, copy->images.n - 1)];
}

/* Returns FALSE if @buffer has no images for copies of such a frame. */
static gboolean
plan_copy (Copy * copy, GpuStream * stream, GstBuffer * buffer,
    const GstVideoInfo * video, const GpuFrameInfo * info,
    VkImageUsageFlags usage)
{
  gint x, y;

  copy->n = GST_VIDEO_INFO_N_PLANES (video);
  if (!find_images (&copy->images, stream, buffer, copy->n, usage))
    return FALSE;
  gst_gpu_frame_get_origin (buffer, video, &x, &y);
  for (guint i = 0; i < copy->n; i++) {
    copy->regions[i] = region_of (info, i, &copy->images, x, y);
    if (!lies_inside (&copy->regions[i], memory_of (copy, i)))
      return FALSE;
  }
  return TRUE;
}

/* Borrows the images, and sets @planes to the image of each plane. */
static void
borrow_all (const Copy * copy, GpuStream * stream, gboolean is_written,
    GpuImage planes[GPU_MAX_PLANES])
{
  for (guint i = 0; i < copy->images.n; i++)
    planes[i] = borrow (stream, copy->images.memories[i], is_written);
  for (guint i = copy->images.n; i < copy->n; i++)
    planes[i] = planes[0];
}

static gboolean
record_read (GstGpuLink * link, GpuStream * stream, GstBuffer * buffer,
    const GstVideoInfo * video, const GpuFrame * frame, GError ** error)
{
  GpuImage planes[GPU_MAX_PLANES];
  Copy copy;

  if (!plan_copy (&copy, stream, buffer, video, &frame->info,
          VK_IMAGE_USAGE_TRANSFER_SRC_BIT)) {
    g_set_error_literal (error, GST_GPU_FRAME_ERROR, GST_GPU_FRAME_ERROR_READ,
        "An input frame has no images of the Vulkan device that the pipeline shares "
        "that can be copied, or smaller ones than its caps and metas say.");
    return FALSE;
  }
  gpu_stream_stage (stream, "from image");
  borrow_all (&copy, stream, FALSE, planes);
  for (guint i = 0; i < copy.n; i++)
    gpu_stream_copy_from_image (stream, &planes[i], &copy.regions[i],
        frame->buffer);
  return TRUE;
}

static gboolean
record_write (GstGpuLink * link, GpuStream * stream, GstBuffer * buffer,
    const GstVideoInfo * video, const GpuFrame * frame, GError ** error)
{
  GpuImage planes[GPU_MAX_PLANES];
  Copy copy;

  if (!plan_copy (&copy, stream, buffer, video, &frame->info,
          VK_IMAGE_USAGE_TRANSFER_DST_BIT)) {
    g_set_error_literal (error, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_SETTINGS,
        "An output frame has no images that can be "
        "written. Remove the pad probe or the code of the application that puts other "
        "buffers or another pool in place of those of this element.");
    return FALSE;
  }
  gpu_stream_stage (stream, "to image");
  borrow_all (&copy, stream, TRUE, planes);
  for (guint i = 0; i < copy.n; i++)
    gpu_stream_copy_to_image (stream, frame->buffer, &planes[i],
        &copy.regions[i]);
  return TRUE;
}

const GstGpuPort gst_gpu_vulkan_port = {
  .memory = GST_CAPS_FEATURE_MEMORY_VULKAN_IMAGE,
  .takes = takes,
  .connect = connect,
  .disconnect = disconnect,
  .get_pool = get_pool,
  .has_pools_for_upstream = TRUE,
  .record_read = record_read,
  .record_write = record_write,
};
