/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstmeanshiftpalette.h"

#include "gpu/palette/palette.h"
#include "gst/memory/gstgpuport.h"

/* --- kinds of formats --- */

static gboolean
is_rgb (GpuPixels pixels)
{
  return gpu_palette_takes (pixels)
      && gpu_pixels_get_format (pixels)->model == GPU_MODEL_RGB;
}

static gboolean
has_alpha (GpuPixels pixels)
{
  return gpu_pixels_get_format (pixels)->alpha >= 0;
}

static gboolean
is_rgba (GpuPixels pixels)
{
  return is_rgb (pixels) && has_alpha (pixels);
}

static gboolean
is_opaque (GpuPixels pixels)
{
  return is_rgb (pixels) && !has_alpha (pixels);
}

static gboolean
has_luma (GpuPixels pixels)
{
  return gpu_palette_takes (pixels)
      && gpu_pixels_get_format (pixels)->model != GPU_MODEL_RGB;
}

static gboolean
is_indexed (GpuPixels pixels)
{
  return gpu_pixels_get_format (pixels)->grouping == GPU_INDEXED;
}

static gboolean
is_made (GpuPixels pixels)
{
  return gpu_palette_takes (pixels) || is_indexed (pixels);
}

/* Returns whether other formats can be converted to this one: RGB, also indexed. */
static gboolean
is_made_of_others (GpuPixels pixels)
{
  return is_rgb (pixels) || is_indexed (pixels);
}

static void
set_formats (GstStructure * structure, GstGpuFormatsFilter is_wanted)
{
  GstCaps *caps = gst_gpu_formats_get_caps (is_wanted);

  gst_structure_set_value (structure, "format",
      gst_structure_get_value (gst_caps_get_structure (caps, 0), "format"));
  gst_caps_unref (caps);
}

/* Returns whether @structure has exactly the formats that @is_wanted accepts. */
static gboolean
has_formats (const GstStructure * structure, GstGpuFormatsFilter is_wanted)
{
  GstCaps *caps = gst_gpu_formats_get_caps (is_wanted);
  gboolean has = gst_value_compare (gst_structure_get_value (structure,
          "format"), gst_structure_get_value (gst_caps_get_structure (caps, 0),
          "format")) == GST_VALUE_EQUAL;

  gst_caps_unref (caps);
  return has;
}

/* Returns a copy of @structure with only the formats that @is_wanted accepts; NULL if it
 * has none of these. */
static GstStructure *
choose_formats (const GstStructure * structure, GstGpuFormatsFilter is_wanted)
{
  GstStructure *chosen = gst_structure_copy (structure);
  GValue common = G_VALUE_INIT;

  set_formats (chosen, is_wanted);
  if (!gst_value_intersect (&common, gst_structure_get_value (structure,
              "format"), gst_structure_get_value (chosen, "format"))) {
    gst_structure_free (chosen);
    return NULL;
  }
  gst_structure_take_value (chosen, "format", &common);
  return chosen;
}

/* Returns whether @structure has every format that is taken, with any colours. Then all that
 * these can be converted to, or be made of, is in it, except for indexed formats. Mostly
 * that is so, and it saves most of a query. */
static gboolean
has_all_formats (const GstStructure * structure)
{
  return !gst_structure_has_field (structure, "colorimetry")
      && !gst_structure_has_field (structure, "chroma-site")
      && (has_formats (structure, gpu_palette_takes)
      || has_formats (structure, is_made));
}

/* --- colorimetry --- */

static gboolean
parse_colours (GstVideoColorimetry * colours, const gchar * name)
{
  return name && gst_video_colorimetry_from_string (colours, name);
}

static gboolean
has_name (const GValue * names, const gchar * name)
{
  for (guint i = 0; i < gst_value_list_get_size (names); i++)
    if (g_str_equal (g_value_get_string (gst_value_list_get_value (names, i)),
            name))
      return TRUE;
  return FALSE;
}

/* Takes ownership of @name. */
static void
append_name (GValue * names, gchar * name)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_STRING);
  g_value_take_string (&value, name);
  gst_value_list_append_and_take_value (names, &value);
}

/* Adds both names of @colours: GStreamer's name, which unknown colorimetry does not have, or
 * is the numbers, and the numbers. */
static void
add_names (GPtrArray * names, const GstVideoColorimetry * colours)
{
  gchar *name = gst_video_colorimetry_to_string (colours);
  gchar *numbers = g_strdup_printf ("%d:%d:%d:%d", colours->range,
      colours->matrix, colours->transfer, colours->primaries);

  if (name && !g_str_equal (name, numbers))
    g_ptr_array_add (names, name);
  else
    g_free (name);
  g_ptr_array_add (names, numbers);
}

/* Returns the names of @colours, then of all other colorimetries that are equivalent for
 * 8-bit samples. */
static GPtrArray *
find_names (const GstVideoColorimetry * colours)
{
  GPtrArray *names = g_ptr_array_new ();
  GstVideoColorimetry other = *colours;

  add_names (names, colours);
  for (guint t = 0; t <= GST_VIDEO_TRANSFER_BT601; t++)
    for (guint p = 0; p <= GST_VIDEO_COLOR_PRIMARIES_EBU3213; p++) {
      other.transfer = t;
      other.primaries = p;
      if (!gst_video_colorimetry_is_equal (colours, &other)
          && gst_video_colorimetry_is_equivalent (colours, 8, &other, 8))
        add_names (names, &other);
    }
  return names;
}

/* The same, found once for each colorimetry, as this takes most of a query. The names stay in
 * memory. */
static const GPtrArray *
get_names (const GstVideoColorimetry * colours)
{
  static GMutex lock;
  static GHashTable *known;
  const gpointer key = GUINT_TO_POINTER (colours->range << 24
      | colours->matrix << 16 | colours->transfer << 8 | colours->primaries);
  GPtrArray *names;

  g_mutex_lock (&lock);
  if (!known)
    known = g_hash_table_new (NULL, NULL);
  names = g_hash_table_lookup (known, key);
  if (!names) {
    names = find_names (colours);
    g_hash_table_insert (known, key, names);
  }
  g_mutex_unlock (&lock);
  return names;
}

/* Appends the names of @colours and its equivalents, except @first, which may be NULL. */
static void
append_all_names (GValue * names, const GstVideoColorimetry * colours,
    const gchar * first)
{
  const GPtrArray *all = get_names (colours);

  for (guint i = 0; i < all->len; i++)
    if (g_strcmp0 (g_ptr_array_index (all, i), first) != 0)
      append_name (names, g_strdup (g_ptr_array_index (all, i)));
}

/* Like append_all_names(), unless an equivalent one has appended them all: caps mostly list
 * many names for the same. */
static void
append_equivalents (GValue * names, const GstVideoColorimetry * colours)
{
  if (!has_name (names, g_ptr_array_index (get_names (colours), 0)))
    append_all_names (names, colours, NULL);
}

/* Appends @name, then all other names for the same colorimetry, unless it is in the list,
 * which then has them all. */
static void
append_same (GValue * names, const gchar * name)
{
  GstVideoColorimetry colours;

  if (has_name (names, name))
    return;
  append_name (names, g_strdup (name));
  if (parse_colours (&colours, name))
    append_all_names (names, &colours, name);
}

/* Appends the names of the RGB colorimetry for Y'CbCr with colorimetry @name: it has the
 * same primaries and transfer function. */
static void
append_rgb_colours (GValue * names, const gchar * name)
{
  GstVideoColorimetry colours;

  if (!parse_colours (&colours, name))
    return;
  colours.matrix = GST_VIDEO_COLOR_MATRIX_RGB;
  colours.range = GST_VIDEO_COLOR_RANGE_0_255;
  append_equivalents (names, &colours);
}

/* The inverse of append_rgb_colours(): appends the names of all Y'CbCr colorimetries, with
 * any matrix and range, that become @name. RGB output always has full range. */
static void
append_yuv_colours (GValue * names, const gchar * name)
{
  static const GstVideoColorRange ranges[] = {
    GST_VIDEO_COLOR_RANGE_16_235, GST_VIDEO_COLOR_RANGE_0_255
  };
  static const GstVideoColorMatrix matrices[] = {
    GST_VIDEO_COLOR_MATRIX_BT709, GST_VIDEO_COLOR_MATRIX_BT601,
    GST_VIDEO_COLOR_MATRIX_BT2020, GST_VIDEO_COLOR_MATRIX_SMPTE240M,
    GST_VIDEO_COLOR_MATRIX_FCC
  };
  GstVideoColorimetry colours;

  if (!parse_colours (&colours, name)
      || colours.matrix != GST_VIDEO_COLOR_MATRIX_RGB
      || colours.range != GST_VIDEO_COLOR_RANGE_0_255)
    return;
  for (guint r = 0; r < G_N_ELEMENTS (ranges); r++)
    for (guint m = 0; m < G_N_ELEMENTS (matrices); m++) {
      colours.range = ranges[r];
      colours.matrix = matrices[m];
      append_equivalents (names, &colours);
    }
}

/* Replaces each colorimetry of @structure with the names that @append makes of it. If there
 * are none, removes the field. */
static void
rename_colours (GstStructure * structure,
    void (*append) (GValue * names, const gchar * name))
{
  const GValue *value = gst_structure_get_value (structure, "colorimetry");
  gboolean is_list = value && GST_VALUE_HOLDS_LIST (value);
  guint n = is_list ? gst_value_list_get_size (value) : value != NULL;
  GValue names = G_VALUE_INIT;

  g_value_init (&names, GST_TYPE_LIST);
  for (guint i = 0; i < n; i++) {
    const GValue *name = is_list ? gst_value_list_get_value (value, i) : value;

    if (G_VALUE_HOLDS_STRING (name))
      append (&names, g_value_get_string (name));
  }
  gst_structure_remove_field (structure, "colorimetry");
  if (gst_value_list_get_size (&names) > 0)
    gst_structure_take_value (structure, "colorimetry", &names);
  else
    g_value_unset (&names);
}

/* If fixed caps have no colorimetry, sets GStreamer's default for the frame size. Caps that
 * are not fixed stay unchanged. */
static void
assume_colours (GstStructure * structure)
{
  GstCaps *caps = gst_caps_new_full (gst_structure_copy (structure), NULL);
  GstVideoColorimetry colours;
  GstVideoInfo info;

  if (!parse_colours (&colours, gst_structure_get_string (structure,
              "colorimetry"))
      && gst_caps_is_fixed (caps) && gst_video_info_from_caps (&info, caps)) {
    g_autofree gchar *name =
        gst_video_colorimetry_to_string (&info.colorimetry);

    gst_structure_set (structure, "colorimetry", G_TYPE_STRING, name, NULL);
  }
  gst_caps_unref (caps);
}

/* --- formats of the other pad --- */

/* Appends @structure with all orders of R, G and B. If its format has alpha, formats with
 * alpha come first, else opaque ones. These are in separate structures, so that the next
 * element's preferences apply within each group. Takes ownership of @structure. */
static void
append_rgb (GstCaps * caps, GstStructure * structure)
{
  const gchar *format = gst_structure_get_string (structure, "format");
  GpuPixels pixels;
  gboolean alpha = format && gst_gpu_formats_find (gst_video_format_from_string
      (format), &pixels) && has_alpha (pixels);
  GstStructure *second = gst_structure_copy (structure);

  set_formats (structure, alpha ? is_rgba : is_opaque);
  gst_caps_append_structure (caps, structure);
  set_formats (second, alpha ? is_opaque : is_rgba);
  gst_caps_append_structure (caps, second);
}

/* Appends @structure with indexed formats. Takes ownership of @structure. */
static void
append_indexed (GstCaps * caps, GstStructure * structure)
{
  set_formats (structure, is_indexed);
  gst_caps_append_structure (caps, structure);
}

/* Appends @output with RGB formats, then with indexed formats. Takes ownership of
 * @output. */
static void
append_made (GstCaps * caps, GstStructure * output)
{
  append_rgb (caps, gst_structure_copy (output));
  append_indexed (caps, output);
}

/* Appends the caps to which @input can be converted, except @input itself. */
static void
append_outputs (GstCaps * caps, const GstStructure * input)
{
  GstStructure *rgb, *yuv;

  if (has_all_formats (input)) {
    append_indexed (caps, gst_structure_copy (input));
    return;
  }
  rgb = choose_formats (input, is_rgb);
  yuv = choose_formats (input, has_luma);
  if (rgb) {
    rename_colours (rgb, append_same);
    append_made (caps, rgb);
  }
  if (yuv) {
    assume_colours (yuv);
    rename_colours (yuv, append_rgb_colours);
    gst_structure_remove_field (yuv, "chroma-site");
    append_made (caps, yuv);
  }
}

/* Appends the caps of formats with luma that can be converted to @structure, which is RGB.
 * There are none if RGB output cannot have its colorimetry. Takes ownership of
 * @structure. */
static void
append_luma (GstCaps * caps, GstStructure * structure)
{
  gboolean has_colours = gst_structure_has_field (structure, "colorimetry");

  rename_colours (structure, append_yuv_colours);
  if (has_colours && !gst_structure_has_field (structure, "colorimetry")) {
    gst_structure_free (structure);
    return;
  }
  gst_structure_remove_field (structure, "chroma-site");
  set_formats (structure, has_luma);
  gst_caps_append_structure (caps, structure);
}

/* If @output is RGB, also indexed, appends the caps that can be converted to it, except
 * @output itself. */
static void
append_inputs (GstCaps * caps, const GstStructure * output)
{
  GstStructure *made, *rgb;

  if (has_all_formats (output))
    return;
  made = choose_formats (output, is_made_of_others);
  if (!made)
    return;
  rgb = gst_structure_copy (made);
  rename_colours (rgb, append_same);
  append_rgb (caps, rgb);
  append_luma (caps, made);
}

static GstCaps *
gst_mean_shift_palette_convert_caps (GstGpuFilter * filter,
    GstPadDirection direction, GstCaps * caps)
{
  GstCaps *result = gst_caps_copy (caps);

  /* Do not simplify the caps: their order is the preference. */
  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    if (direction == GST_PAD_SINK)
      append_outputs (result, gst_caps_get_structure (caps, i));
    else
      append_inputs (result, gst_caps_get_structure (caps, i));
  }
  gst_caps_unref (caps);
  return result;
}

static GstCaps *
gst_mean_shift_palette_get_formats (GstGpuFilter * filter,
    GstPadDirection direction)
{
  gboolean is_exact;

  GST_OBJECT_LOCK (filter);
  is_exact = GST_MEAN_SHIFT_PALETTE (filter)->settings.engine.quality
      == GPU_PALETTE_EXACT;
  GST_OBJECT_UNLOCK (filter);
  return gst_gpu_formats_get_caps (direction == GST_PAD_SINK || is_exact
      ? gpu_palette_takes : is_made);
}

static gboolean
can_be_any (GstCaps * caps, GstCaps * wanted)
{
  return !gst_caps_is_empty (caps) && gst_caps_can_intersect (caps, wanted);
}

static gboolean
remove_colours (GstCapsFeatures * features, GstStructure * structure,
    gpointer data)
{
  gst_structure_remove_field (structure, "colorimetry");
  return TRUE;
}

static const gchar *
gst_mean_shift_palette_explain_refusal (GstGpuFilter * self, GstCaps * caps)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  g_autoptr (GstCaps) made =
      GST_BASE_TRANSFORM_GET_CLASS (trans)->transform_caps (trans, GST_PAD_SINK,
      caps, NULL);
  g_autoptr (GstCaps) wanted = gst_pad_peer_query_caps (trans->srcpad, NULL);
  g_autoptr (GstCaps) taken = gst_gpu_formats_get_caps (gpu_palette_takes);
  /* What could be made if indexed output were allowed, and if colorimetry did not matter. */
  g_autoptr (GstCaps) indexed = gst_mean_shift_palette_convert_caps (self,
      GST_PAD_SINK, gst_caps_intersect (caps, taken));
  g_autoptr (GstCaps) colourless = gst_caps_copy (made);

  gst_caps_map_in_place (colourless, remove_colours, NULL);
  if (can_be_any (made, wanted))
    return NULL;
  if (can_be_any (indexed, wanted))
    return "The next element takes RGB8P alone, which holds 256 colours, and "
        "quality=exact leaves any number. Set quality=live, or ask for another "
        "format there.";
  if (can_be_any (colourless, wanted))
    return "The next element wants another colorimetry than frames have, and "
        "meanshiftpalette converts neither primaries nor transfer functions. "
        "Put \"videoconvert gamma-mode=remap primaries-mode=fast\" behind it, or "
        "ask for no colorimetry there.";
  return NULL;
}

void
gst_mean_shift_palette_caps_install (GstGpuFilterClass * klass)
{
  gst_gpu_port_add_pads (GST_ELEMENT_CLASS (klass), gpu_palette_takes, is_made);
  klass->get_formats = gst_mean_shift_palette_get_formats;
  klass->explain_refusal = gst_mean_shift_palette_explain_refusal;
  klass->convert_caps = gst_mean_shift_palette_convert_caps;
}
