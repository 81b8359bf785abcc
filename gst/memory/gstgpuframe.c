/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpuframe.h"

#include <string.h>

/* --- formats --- */

/* Returns the formats as a list in the syntax of caps. */
static gchar *
write_list (GstGpuFormatsFilter is_wanted)
{
  GString *list = g_string_new ("{ ");

  for (GpuPixels i = 0; i < GPU_N_PIXELS; i++) {
    const gchar *name = gpu_pixels_get_format (i)->name;

    if (is_wanted (i)
        && gst_video_format_from_string (name) != GST_VIDEO_FORMAT_UNKNOWN)
      g_string_append_printf (list, "%s%s", list->len > 2 ? ", " : "", name);
  }
  g_string_append (list, " }");
  return g_string_free (list, FALSE);
}

/* Pipelines ask for caps many times while they negotiate. */
GstCaps *
gst_gpu_formats_get_caps (GstGpuFormatsFilter is_wanted)
{
  static GMutex lock;
  static GHashTable *made;      /* GstGpuFormatsFilter to GstCaps */
  GstCaps *caps;

  g_mutex_lock (&lock);
  if (!made)
    made = g_hash_table_new (NULL, NULL);
  caps = g_hash_table_lookup (made, is_wanted);
  if (!caps) {
    g_autofree gchar *list = write_list (is_wanted);
    g_autofree gchar *text = g_strconcat ("video/x-raw, format = (string) ",
        list, NULL);

    caps = gst_caps_from_string (text);
    GST_MINI_OBJECT_FLAG_SET (caps, GST_MINI_OBJECT_FLAG_MAY_BE_LEAKED);
    g_hash_table_insert (made, is_wanted, caps);
  }
  g_mutex_unlock (&lock);
  return gst_caps_ref (caps);
}

gboolean
gst_gpu_formats_find (GstVideoFormat format, GpuPixels * pixels)
{
  static guint8 table[256];     /* 1 + GpuPixels by GstVideoFormat; 0: none */
  static gsize is_filled;

  if (g_once_init_enter (&is_filled)) {
    for (GpuPixels i = 0; i < GPU_N_PIXELS; i++)
      table[gst_video_format_from_string (gpu_pixels_get_format (i)->name)] =
          i + 1;
    table[GST_VIDEO_FORMAT_UNKNOWN] = 0;
    g_once_init_leave (&is_filled, TRUE);
  }
  if (format >= G_N_ELEMENTS (table) || table[format] == 0)
    return FALSE;
  *pixels = table[format] - 1;
  return TRUE;
}

/* --- work that several threads share --- */

/* Of copies, four use most of the memory's bandwidth; decoders need cores, too. */
#define MOST_THREADS 4

/* Most jobs that wait for a thread, as several elements copy at a time. If no thread comes,
 * they must not pile up. */
#define MOST_WAITING 16

/* Threads that come late may have it when gst_gpu_parts_run() has returned. */
typedef struct
{
  GstGpuPart part;
  gpointer data;
  guint n;
  gint next;                    /* atomic; number of parts that were begun, or more */

  GMutex lock;
  GCond is_done;
  guint done;
} Job;

static void
clear_job (gpointer data)
{
  Job *job = data;

  g_mutex_clear (&job->lock);
  g_cond_clear (&job->is_done);
}

static void
do_parts (Job * job)
{
  guint i;

  while ((i = g_atomic_int_add (&job->next, 1)) < job->n) {
    job->part (i, job->n, job->data);
    g_mutex_lock (&job->lock);
    if (++job->done == job->n)
      g_cond_signal (&job->is_done);
    g_mutex_unlock (&job->lock);
  }
}

static void
help (gpointer job, gpointer unused)
{
  do_parts (job);
  g_atomic_rc_box_release_full (job, clear_job);
}

/* @max_threads: how many help. */
static gpointer
make_helpers (gpointer max_threads)
{
  return g_thread_pool_new (help, NULL, GPOINTER_TO_INT (max_threads), FALSE,
      NULL);
}

void
gst_gpu_parts_run (GstGpuPart part, gpointer data)
{
  static GOnce once = G_ONCE_INIT;
  guint n = MIN (g_get_num_processors (), MOST_THREADS), asked = 1;
  GThreadPool *helpers;
  Job *job;

  if (n == 1) {
    part (0, 1, data);
    return;
  }
  helpers = g_once (&once, make_helpers, GINT_TO_POINTER (n - 1));
  job = g_atomic_rc_box_new0 (Job);
  job->part = part;
  job->data = data;
  job->n = n;
  g_mutex_init (&job->lock);
  g_cond_init (&job->is_done);
  for (; asked < n && g_thread_pool_unprocessed (helpers) < MOST_WAITING;
      asked++)
    g_thread_pool_push (helpers, g_atomic_rc_box_acquire (job), NULL);
  /* If threads could not be started, nothing but this and a push starts them later. */
  if (asked < n)
    g_thread_pool_set_max_threads (helpers,
        g_thread_pool_get_max_threads (helpers), NULL);
  do_parts (job);
  g_mutex_lock (&job->lock);
  while (job->done < n)
    g_cond_wait (&job->is_done, &job->lock);
  g_mutex_unlock (&job->lock);
  g_atomic_rc_box_release_full (job, clear_job);
}

/* --- frames --- */

/* *INDENT-OFF* */
G_DEFINE_QUARK (gst-gpu-frame-error-quark, gst_gpu_frame_error)
/* *INDENT-ON* */

gboolean
gst_gpu_frame_pixels_from_video (const GstVideoInfo * video, GpuPixels * pixels)
{
  return gst_gpu_formats_find (GST_VIDEO_INFO_FORMAT (video), pixels);
}

void
gst_gpu_frame_yuv_from_video (const GstVideoInfo * video, GpuYuv * yuv)
{
  GstVideoInfo usual;

  *yuv = (GpuYuv) {
    .full_range = video->colorimetry.range != GST_VIDEO_COLOR_RANGE_16_235,
    .h_cosited = (video->chroma_site & GST_VIDEO_CHROMA_SITE_H_COSITED) != 0,
    .v_cosited = (video->chroma_site & GST_VIDEO_CHROMA_SITE_V_COSITED) != 0,
  };
  if (gst_video_color_matrix_get_Kr_Kb (video->colorimetry.matrix, &yuv->kr,
          &yuv->kb))
    return;
  /* The matrix is that of RGB: this uses GstVideoInfo's default for the frame size. */
  gst_video_info_set_format (&usual, GST_VIDEO_INFO_FORMAT (video),
      GST_VIDEO_INFO_WIDTH (video), GST_VIDEO_INFO_HEIGHT (video));
  gst_video_color_matrix_get_Kr_Kb (usual.colorimetry.matrix, &yuv->kr,
      &yuv->kb);
}

GstVideoTransferFunction
gst_gpu_frame_transfer_from_video (const GstVideoInfo * video)
{
  switch (video->colorimetry.transfer) {
    case GST_VIDEO_TRANSFER_UNKNOWN:
    case GST_VIDEO_TRANSFER_SMPTE2084:
    case GST_VIDEO_TRANSFER_ARIB_STD_B67:
    case GST_VIDEO_TRANSFER_LOG100:
    case GST_VIDEO_TRANSFER_LOG316:
      return GST_VIDEO_TRANSFER_SRGB;
    default:
      return video->colorimetry.transfer;
  }
}

static gboolean
is_interlaced (const GstVideoInfo * video, GstBuffer * buffer)
{
  switch (GST_VIDEO_INFO_INTERLACE_MODE (video)) {
    case GST_VIDEO_INTERLACE_MODE_INTERLEAVED:
      return TRUE;
    case GST_VIDEO_INTERLACE_MODE_MIXED:
      return GST_BUFFER_FLAG_IS_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED);
    default:
      return FALSE;
  }
}

/* Returns the crop rectangle of the frame, or NULL. A rectangle whose size is not that of
 * the caps is not a crop of this frame and is ignored. */
static const GstVideoCropMeta *
get_crop (GstBuffer * buffer, const GstVideoInfo * video)
{
  const GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta (buffer);

  if (crop && crop->width == (guint) GST_VIDEO_INFO_WIDTH (video)
      && crop->height == (guint) GST_VIDEO_INFO_HEIGHT (video))
    return crop;
  return NULL;
}

gboolean
gst_gpu_frame_is_cropped (GstBuffer * buffer, const GstVideoInfo * video)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  const GstVideoCropMeta *crop = get_crop (buffer, video);

  return crop && (crop->x > 0 || crop->y > 0 || (meta
          && (meta->width != crop->width || meta->height != crop->height)));
}

gboolean
gst_gpu_frame_get_origin (GstBuffer * buffer, const GstVideoInfo * video,
    gint * x, gint * y)
{
  const GstVideoCropMeta *crop = get_crop (buffer, video);
  GpuPixels pixels;

  *x = *y = 0;
  if (!crop || !gst_gpu_frame_is_cropped (buffer, video))
    return FALSE;
  *x = crop->x;
  *y = crop->y;
  if (gst_gpu_frame_pixels_from_video (video, &pixels)
      && gpu_pixels_get_format (pixels)->grouping == GPU_PAIRS)
    *x &= ~1;
  return TRUE;
}

gboolean
gst_gpu_frame_has_default_layout (GstBuffer * buffer,
    const GstVideoInfo * video)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  if (gst_buffer_get_size (buffer) != GST_VIDEO_INFO_SIZE (video))
    return FALSE;
  if (!meta)
    return TRUE;
  if (meta->n_planes != GST_VIDEO_INFO_N_PLANES (video))
    return FALSE;
  for (guint i = 0; i < meta->n_planes; i++)
    if (meta->offset[i] != GST_VIDEO_INFO_PLANE_OFFSET (video, i)
        || meta->stride[i] != GST_VIDEO_INFO_PLANE_STRIDE (video, i))
      return FALSE;
  return TRUE;
}

/* Returns whether the metas, which other elements made, are consistent with the caps and
 * with each other. */
static gboolean
metas_fit_video (GstBuffer * buffer, const GstVideoInfo * video)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  const GstVideoCropMeta *crop = get_crop (buffer, video);
  guint64 right = GST_VIDEO_INFO_WIDTH (video) + (guint64) (crop ? crop->x : 0);
  guint64 bottom =
      GST_VIDEO_INFO_HEIGHT (video) + (guint64) (crop ? crop->y : 0);

  if (!meta)
    return !crop || (crop->x == 0 && crop->y == 0);
  return meta->format == GST_VIDEO_INFO_FORMAT (video)
      && meta->n_planes == GST_VIDEO_INFO_N_PLANES (video)
      && right <= MIN (meta->width, G_MAXINT)
      && bottom <= MIN (meta->height, G_MAXINT);
}

/* Returns the offset in bytes of the crop rectangle from the first pixel of a plane. In
 * interlaced frames, rows stay in their field. */
static gint64
crop_offset (const GstVideoCropMeta * crop, const GpuFrameInfo * info,
    guint plane, gint stride)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  guint shift = format->shift_y[plane];
  gint64 row;

  if (!crop)
    return 0;
  row = info->is_interlaced ? (crop->y >> (shift + 1) << 1) | (crop->y & 1)
      : crop->y >> shift;
  return row * stride + (gint64) (crop->x >> format->shift_x[plane])
      * gpu_pixel_format_get_size (format, plane);
}

/* Returns whether in this plane the second field of the cropped frame begins one row above
 * the first field. Example: y is 1. Line 1, the first of the frame, shares chroma row 1
 * with line 3; line 2, the second, shares chroma row 0 with line 0. */
static gboolean
fields_are_swapped (const GstVideoCropMeta * crop, const GpuFrameInfo * info,
    guint plane)
{
  return crop && info->is_interlaced && (crop->y & 3) == 1
      && gpu_pixels_get_format (info->pixels)->shift_y[plane] > 0;
}

/* The bytes of @buffer begin at @base, and end at @size. Shaders may be unable to use the
 * layout. */
static gboolean
fill_in_info (GpuFrameInfo * info, GstBuffer * buffer,
    const GstVideoInfo * video, gsize base, gsize size)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  const gint *stride = meta ? meta->stride : video->stride;
  const gsize *offset = meta ? meta->offset : video->offset;
  const GstVideoCropMeta *crop = get_crop (buffer, video);

  memset (info, 0, sizeof *info);
  if (!gst_gpu_frame_pixels_from_video (video, &info->pixels)
      || !metas_fit_video (buffer, video))
    return FALSE;
  info->width = GST_VIDEO_INFO_WIDTH (video);
  info->height = GST_VIDEO_INFO_HEIGHT (video);
  info->is_interlaced = is_interlaced (video, buffer);
  info->size = size;
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (video); i++) {
    if (stride[i] <= 0 || fields_are_swapped (crop, info, i)
        || !g_size_checked_add (&info->offset[i], base, offset[i])
        || !g_size_checked_add (&info->offset[i], info->offset[i],
            crop_offset (crop, info, i, stride[i])))
      return FALSE;
    info->stride[i] = stride[i];
  }
  return TRUE;
}

gboolean
gst_gpu_frame_info_from_buffer (GpuFrameInfo * info, GstBuffer * buffer,
    const GstVideoInfo * video)
{
  GstMemory *memory;

  if (gst_buffer_n_memory (buffer) != 1)
    return FALSE;
  memory = gst_buffer_peek_memory (buffer, 0);
  return fill_in_info (info, buffer, video, memory->offset,
      memory->offset + memory->size) && gpu_frame_info_is_usable (info);
}

gboolean
gst_gpu_frame_info_from_bytes (GpuFrameInfo * info, GstBuffer * buffer,
    const GstVideoInfo * video)
{
  return fill_in_info (info, buffer, video, 0, gst_buffer_get_size (buffer))
      && gpu_frame_info_is_usable (info);
}

void
gst_gpu_frame_info_from_video (GpuFrameInfo * info, const GstVideoInfo * video)
{
  *info = (GpuFrameInfo) {
    .width = GST_VIDEO_INFO_WIDTH (video),
    .height = GST_VIDEO_INFO_HEIGHT (video),
    .size = GST_VIDEO_INFO_SIZE (video),
  };
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (video); i++) {
    info->offset[i] = GST_VIDEO_INFO_PLANE_OFFSET (video, i);
    info->stride[i] = GST_VIDEO_INFO_PLANE_STRIDE (video, i);
  }
  gst_gpu_frame_pixels_from_video (video, &info->pixels);
}

/* Checks the meta, because gst_video_frame_map() does not. It maps planes one by one, so
 * each plane must lie in one memory of the buffer, beginning at its first pixel. */
static gboolean
planes_lie_inside (GstBuffer * buffer, const GstVideoMeta * meta,
    const GstVideoCropMeta * crop, const GpuFrameInfo * info)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);

  for (guint i = 0; i < format->n_planes; i++) {
    gint64 row = (gint64) gpu_frame_info_plane_width (info, i)
        * gpu_pixel_format_get_size (format, i);
    gint64 last_row = gpu_frame_info_plane_height (info, i) - 1;
    gint64 last =
        (fields_are_swapped (crop, info, i) ? last_row & ~1 : last_row)
        * meta->stride[i];
    gint64 begin = crop_offset (crop, info, i, meta->stride[i]);
    gint64 lowest = MIN (MIN (begin, begin + last), 0);
    gint64 highest = MAX (MAX (begin, begin + last), 0);
    guint index, length;
    gsize skip;

    if (meta->offset[i] < (gsize) - lowest || !gst_buffer_find_memory (buffer,
            meta->offset[i] + lowest, highest - lowest + row, &index, &length,
            &skip) || length != 1)
      return FALSE;
  }
  return TRUE;
}

/* Returns whether all pixels of the frame, of which @info has the format, the size and the
 * interlacing, lie in @buffer. */
static gboolean
frame_lies_inside (GstBuffer * buffer, const GstVideoInfo * video,
    const GpuFrameInfo * info)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  return meta ? planes_lie_inside (buffer, meta, get_crop (buffer, video), info)
      : gst_buffer_get_size (buffer) >= GST_VIDEO_INFO_SIZE (video);
}

static gboolean
rows_overlap (const GpuFrameInfo * info)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  gboolean overlap = FALSE;

  for (guint i = 0; i < format->n_planes; i++)
    overlap |= info->stride[i] < (gsize) gpu_frame_info_plane_width (info, i)
        * gpu_pixel_format_get_size (format, i);
  return overlap;
}

gboolean
gst_gpu_frame_locate (GpuFrameInfo * info, GstBuffer * buffer,
    const GstVideoInfo * video)
{
  return fill_in_info (info, buffer, video, 0, gst_buffer_get_size (buffer))
      && frame_lies_inside (buffer, video, info) && !rows_overlap (info);
}

/* Smaller frames are copied before other threads have begun to help. */
#define LEAST_SHARED_SIZE (1 << 20)

typedef struct
{
  const GstVideoFrame *to, *from;
  const GstVideoCropMeta *crop; /* crop rectangle of @from, or NULL */
  const GpuFrameInfo *info;
} Copy;

/* Copies band @i of @n of the rows of each plane. */
static void
copy_band (guint i, guint n, gpointer data)
{
  const Copy *copy = data;
  const GpuPixelFormat *format = gpu_pixels_get_format (copy->info->pixels);

  for (guint p = 0; p < format->n_planes; p++) {
    gsize row = (gsize) gpu_frame_info_plane_width (copy->info, p)
        * gpu_pixel_format_get_size (format, p);
    guint64 rows = gpu_frame_info_plane_height (copy->info, p);
    gboolean is_swapped = fields_are_swapped (copy->crop, copy->info, p);
    gint to_stride = GST_VIDEO_FRAME_PLANE_STRIDE (copy->to, p);
    gint from_stride = GST_VIDEO_FRAME_PLANE_STRIDE (copy->from, p);
    guint8 *target = GST_VIDEO_FRAME_PLANE_DATA (copy->to, p);
    const guint8 *source = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (copy->from, p)
        + crop_offset (copy->crop, copy->info, p, from_stride);

    for (gint64 y = rows * i / n; y < (gint64) (rows * (i + 1) / n); y++) {
      gint64 from_y = y - (is_swapped && y % 2 == 1 ? 2 : 0);

      memcpy (target + y * to_stride, source + from_y * from_stride, row);
    }
  }
}

gboolean
gst_gpu_frame_copy (GstBuffer * to, GstBuffer * from,
    const GstVideoInfo * video, GError ** error)
{
  GpuFrameInfo info = {
    .width = GST_VIDEO_INFO_WIDTH (video),
    .height = GST_VIDEO_INFO_HEIGHT (video),
    .is_interlaced = is_interlaced (video, from),
  };
  GstVideoFrame source, target;
  Copy copy;

  if (!gst_gpu_frame_pixels_from_video (video, &info.pixels)
      || !metas_fit_video (from, video)
      || !frame_lies_inside (from, video, &info)) {
    g_set_error_literal (error, GST_GPU_FRAME_ERROR, GST_GPU_FRAME_ERROR_FORMAT,
        "An input frame is smaller than its caps say, or of another format; "
        "the element before this one is at fault.");
    return FALSE;
  }
  if (!gst_video_frame_map (&source, video, from, GST_MAP_READ)) {
    g_set_error_literal (error, GST_GPU_FRAME_ERROR, GST_GPU_FRAME_ERROR_READ,
        "An input frame cannot be mapped; see the errors of the element that "
        "made it.");
    return FALSE;
  }
  if (!gst_video_frame_map (&target, video, to, GST_MAP_WRITE)) {
    gst_video_frame_unmap (&source);
    g_set_error_literal (error, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_NO_SPACE_LEFT,
        "There is no memory to copy an input frame to; use smaller frames or "
        "close other programs.");
    return FALSE;
  }
  copy = (Copy) {&target, &source, get_crop (from, video), &info};
  if (GST_VIDEO_FRAME_SIZE (&target) < LEAST_SHARED_SIZE)
    copy_band (0, 1, &copy);
  else
    gst_gpu_parts_run (copy_band, &copy);
  gst_video_frame_unmap (&target);
  gst_video_frame_unmap (&source);
  gst_buffer_copy_into (to, from, GST_BUFFER_COPY_FLAGS, 0, -1);
  return TRUE;
}
