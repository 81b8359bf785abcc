/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An example element with one shader. It maps colours through the 3D table of a .cube
 * file. */
#include "example_shaders.h"
#include "gpu/core/compute/pixels.h"
#include "gpu/core/compute/upload.h"
#include "gst/common/gstgpuproperties.h"
#include "gst/filter/gstgpufilter.h"
#include "gst/memory/gstgpuframe.h"
#include "gst/memory/gstgpuport.h"

#include <math.h>

G_DECLARE_FINAL_TYPE (GstGpuLut, gst_gpu_lut, GST, GPU_LUT, GstGpuFilter);

struct _GstGpuLut
{
  GstGpuFilter parent;
  gchar *location;              /* does not change while frames flow */
  guint side;                   /* number of table entries along each axis */
  GpuBuffer *table;
  GpuKernel *kernel;
};

G_DEFINE_TYPE (GstGpuLut, gst_gpu_lut, GST_TYPE_GPU_FILTER);

static const GstGpuProperty properties[] = {
  {"location", "Location", "A .cube file; without one frames pass",
        G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY,
      G_TYPE_STRING, G_STRUCT_OFFSET (GstGpuLut, location)},
  {0}
};

/* Appends the three numbers of @line, if it has so many, as an entry of four words. */
static void
parse_entry (const gchar * line, GArray * words)
{
  guint32 entry[4] = { 0 };
  gchar *end;

  for (guint i = 0; i < 3; i++, line = end) {
    gdouble value = g_ascii_strtod (line, &end);

    if (end == line)
      return;
    entry[i] = value > 0 ? MIN (value, 1) * 255 * 256 + 0.5 : 0;
  }
  g_array_append_vals (words, entry, G_N_ELEMENTS (entry));
}

static gboolean
load_table (GstGpuLut * self, GpuDevice * device, GError ** error)
{
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, 4);
  g_autofree gchar *text = NULL;

  if (!g_file_get_contents (self->location, &text, NULL, error))
    return FALSE;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++)
    parse_entry (lines[i], words);
  self->side = cbrt (words->len / 4) + 0.5;
  if (self->side < 2 || words->len != 4 * self->side * self->side * self->side) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
        "\"%s\" has no 3D table: use a .cube file.", self->location);
    return FALSE;
  }
  self->table = gpu_upload (device, words->data, words->len * 4, "lut", error);
  return self->table != NULL;
}

static GstCaps *
gst_gpu_lut_get_formats (GstGpuFilter * filter, GstPadDirection direction)
{
  return gst_gpu_formats_get_caps (gpu_pixels_are_supported);
}

static gboolean
gst_gpu_lut_is_neutral (GstGpuFilter * filter)
{
  const gchar *location = GST_GPU_LUT (filter)->location;

  return !location || !*location;
}

static gboolean
gst_gpu_lut_latch (GstGpuFilter * filter, const GstVideoInfo * in,
    const GstVideoInfo * out)
{
  return gst_gpu_lut_is_neutral (filter);
}

static void
gst_gpu_lut_release (GstGpuFilter * filter)
{
  g_clear_pointer (&GST_GPU_LUT (filter)->table, gpu_buffer_unref);
}

static gboolean
gst_gpu_lut_prepare (GstGpuFilter * filter, GpuDevice * device,
    const GstVideoInfo * in, const GstVideoInfo * out, GError ** error)
{
  GstGpuLut *self = GST_GPU_LUT (filter);
  guint32 constants[FORMAT_CONSTANTS];
  GpuPixels pixels;
  GpuYuv yuv;

  gst_gpu_frame_pixels_from_video (in, &pixels);
  gst_gpu_frame_yuv_from_video (in, &yuv);
  gpu_pixels_get_constants (device, pixels, pixels, &yuv, constants);
  self->kernel = gpu_kernel_request (device, &gpu_shader_lut, constants,
      FORMAT_CONSTANTS, GPU_KERNEL_SOON, error);
  return self->kernel && (self->table || gst_gpu_lut_is_neutral (filter)
      || load_table (self, device, error));
}

static gboolean
gst_gpu_lut_record (GstGpuFilter * filter, GpuStream * stream,
    const GpuFrame * in, const GpuFrame * out, GstBuffer * buffer,
    GError ** error)
{
  GstGpuLut *self = GST_GPU_LUT (filter);
  const GpuSlicer slicer = { stream };
  const GpuPixelsBound pixels = { &in->info, &out->info };
  const GpuDispatch map = {
    .kernel = self->kernel,
    .buffers = {
      [LUT_INPUT] = in->buffer,
      [LUT_OUTPUT] = out->buffer,
      [LUT_TABLE] = self->table,
    },
    .push = &(GpuLutPush) {.side = self->side},
  };

  gpu_stream_stage (stream, "lut");
  gpu_pixels_run (&slicer, &map, &pixels);
  return TRUE;
}

static gsize
gst_gpu_lut_get_memory (GstGpuFilter * filter)
{
  return gpu_buffers_get_size (&GST_GPU_LUT (filter)->table, 1);
}

static void
gst_gpu_lut_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  gst_gpu_properties_set (properties, object, GST_ELEMENT (object), id, value);
}

static void
gst_gpu_lut_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  gst_gpu_properties_get (properties, object, GST_ELEMENT (object), id, value);
}

static void
gst_gpu_lut_finalize (GObject * object)
{
  g_free (GST_GPU_LUT (object)->location);
  G_OBJECT_CLASS (gst_gpu_lut_parent_class)->finalize (object);
}

static void
gst_gpu_lut_class_init (GstGpuLutClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstGpuFilterClass *filter_class = GST_GPU_FILTER_CLASS (klass);

  object_class->set_property = gst_gpu_lut_set_property;
  object_class->get_property = gst_gpu_lut_get_property;
  object_class->finalize = gst_gpu_lut_finalize;
  gst_gpu_properties_install (properties, object_class);
  gst_gpu_port_add_pads (GST_ELEMENT_CLASS (klass), gpu_pixels_are_supported,
      gpu_pixels_are_supported);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "Colour table", "Filter/Effect/Video",
      "Maps colours through a 3D table on the GPU",
      "gst-gpu-video-filters contributors");
  filter_class->binds_parts = TRUE;
  filter_class->get_formats = gst_gpu_lut_get_formats;
  filter_class->is_neutral = gst_gpu_lut_is_neutral;
  filter_class->latch = gst_gpu_lut_latch;
  filter_class->prepare = gst_gpu_lut_prepare;
  filter_class->release = gst_gpu_lut_release;
  filter_class->record = gst_gpu_lut_record;
  filter_class->get_memory = gst_gpu_lut_get_memory;
}

static void
gst_gpu_lut_init (GstGpuLut * self)
{
}
