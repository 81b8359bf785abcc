/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstmeanshiftpalette.h"

#include <gst/gst.h>
#include <string.h>

/* --- palettes as text --- */

#define FORMS "Write colours as \"#1a1c2c,#5d275d\" or <0x1a1c2c, 0x5d275d>."

/* Returns what follows the name of a type, such as "(uint)", which GStreamer writes before
 * values. */
static gchar *
skip_type (gchar * text)
{
  gchar *end = text + 1;

  if (text[0] != '(' || !g_ascii_isalpha (*end))
    return text;
  while (g_ascii_isalnum (*end))
    end++;
  return end[0] == ')' && end[1] != '\0' ? g_strchug (end + 1) : text;
}

/* If @text is within two such characters, removes them and returns TRUE. */
static gboolean
strip_pair (gchar ** text, gchar first, gchar last)
{
  const gsize length = strlen (*text);

  if (length < 2 || (*text)[0] != first || (*text)[length - 1] != last)
    return FALSE;
  (*text)[length - 1] = '\0';
  (*text)++;
  return TRUE;
}

/* The brackets of GStreamer's arrays and lists, and of Python's lists, tuples and sets. */
static gboolean
strip_brackets (gchar ** text)
{
  return strip_pair (text, '<', '>') || strip_pair (text, '{', '}')
      || strip_pair (text, '[', ']') || strip_pair (text, '(', ')');
}

static gboolean
parse_digits (const gchar * digits, guint base, guint64 * colour)
{
  return g_ascii_string_to_unsigned (digits, base, 0, 0xffffff, colour, NULL);
}

/* @may_be_decimal: without a prefix, it is a decimal number; otherwise it is hexadecimal. */
static gboolean
parse_colour (const gchar * text, gboolean may_be_decimal, guint64 * colour)
{
  if (g_ascii_strncasecmp (text, "0x", 2) == 0)
    return parse_digits (text + 2, 16, colour);
  if (text[0] == '#')
    text++;
  else if (may_be_decimal)
    return parse_digits (text, 10, colour);
  return strlen (text) == 6 && parse_digits (text, 16, colour);
}

static gboolean
add_colour (GpuPaletteGiven * palette, gchar * entry, gboolean in_brackets,
    GError ** error)
{
  gchar *text = skip_type (entry);
  const gboolean is_quoted = strip_pair (&text, '"', '"')
      || strip_pair (&text, '\'', '\'');
  guint64 colour;

  if (palette->n_colours == GPU_PALETTE_MAX_COLOURS) {
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
        "it holds at most %u colours.", GPU_PALETTE_MAX_COLOURS);
    return FALSE;
  }
  if (!parse_colour (text, in_brackets && !is_quoted, &colour)) {
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
        "\"%s\" is not a colour. " FORMS, text);
    return FALSE;
  }
  palette->colours[palette->n_colours++] = colour;
  return TRUE;
}

/* Reads the colours in @text, which may be NULL. docs/meanshiftpalette.md describes the
 * forms. Returns FALSE and sets @error, and leaves @palette as it is, if an entry is not a
 * colour or if there are too many. */
static gboolean
parse_palette (const gchar * text, GpuPaletteGiven * palette, GError ** error)
{
  g_autofree gchar *copy = g_strdup (text ? text : "");
  /* GStreamer writes backslashes before '#' and ','. It does not remove them where it loads
   * a preset. */
  gchar *inner = skip_type (g_strstrip (g_strdelimit (copy, "\\", ' ')));
  const gboolean in_brackets = strip_brackets (&inner);
  g_auto (GStrv) entries = g_strsplit_set (inner, ", \t\r\n", -1);
  GpuPaletteGiven parsed = { 0 };

  for (gchar ** entry = entries; *entry; entry++)
    if (**entry != '\0' && !add_colour (&parsed, *entry, in_brackets, error))
      return FALSE;
  *palette = parsed;
  return TRUE;
}

void
gst_mean_shift_palette_text_append (GString * text, guint32 colour)
{
  if (text->len > 0)
    g_string_append_c (text, ',');
  g_string_append_printf (text, "#%06x", colour);
}

/* --- choices --- */

/* *INDENT-OFF* */
static const GstGpuEnum weightings = {"GstMeanShiftPaletteWeighting", (const GEnumValue[]) {
  {GPU_PALETTE_FREQUENCY, "A color weighs as much as its pixels", "frequency"},
  {GPU_PALETTE_PALETTE, "Every distinct color weighs the same", "palette"},
  {0, NULL, NULL}
}};

static const GstGpuEnum transfers = {"GstMeanShiftPaletteTransfer", (const GEnumValue[]) {
  {GST_MEAN_SHIFT_PALETTE_TRANSFER_AUTO, "As the caps say, else sRGB", "auto"},
  {GST_MEAN_SHIFT_PALETTE_TRANSFER_SRGB, "sRGB", "srgb"},
  {GST_MEAN_SHIFT_PALETTE_TRANSFER_LINEAR, "Code values are light", "linear"},
  {0, NULL, NULL}
}};

static const GstGpuEnum qualities = {"GstMeanShiftPaletteQuality", (const GEnumValue[]) {
  {GPU_PALETTE_EXACT, "Mean shift of every color to its end: slow, for stills", "exact"},
  {GPU_PALETTE_LIVE, "Peaks of the colors' density on a grid, in real time", "live"},
  {0, NULL, NULL}
}};

/* --- the properties --- */

/* docs/meanshiftpalette.md explains the properties. */
#define LIVE GST_GPU_PROPERTY_LIVE
#define OFFSET(field) G_STRUCT_OFFSET (GstMeanShiftPaletteSettings, field)

const GstGpuProperty gst_mean_shift_palette_properties[] = {
  {"radius", "Radius",
    "Distance in Oklab within which colors attract each other (0 passes frames through)",
    LIVE, G_TYPE_DOUBLE, OFFSET (engine.making.radius), 0.02, 0, GPU_PALETTE_MAX_RADIUS},
  {"max-shift", "Maximum shift",
    "How far colors move at most, in radii (of quality=live; 0 = to the ends of their ways)",
    LIVE, G_TYPE_DOUBLE, OFFSET (engine.making.max_shift), 2, 0, GPU_PALETTE_MAX_SHIFT},
  {"chroma", "Chroma",
    "Weight of hue and saturation against lightness (0 = 2 with \"colors\", else 1)",
    LIVE, G_TYPE_DOUBLE, OFFSET (engine.making.chroma), 0, 0, GPU_PALETTE_MAX_CHROMA},
  {"weighting", "Weighting", "What a color weighs",
    LIVE, G_TYPE_ENUM, OFFSET (engine.making.weighting), GPU_PALETTE_FREQUENCY,
    .choices = &weightings},
  {"iteration-limit", "Iteration limit",
    "Steps that a color may move, with quality=exact (0 = until it stops)",
    LIVE, G_TYPE_UINT, OFFSET (engine.making.iteration_limit), 0, 0, G_MAXUINT},
  {"transfer", "Transfer function", "From code values to light",
    LIVE, G_TYPE_ENUM, OFFSET (transfer), GST_MEAN_SHIFT_PALETTE_TRANSFER_AUTO,
    .choices = &transfers},
  {"quality", "Quality", "How colors are moved: in real time, or exactly",
    LIVE, G_TYPE_ENUM, OFFSET (engine.quality), GPU_PALETTE_LIVE, .choices = &qualities},
  {"history", "History",
    "Frames whose colors are counted together (this one and those before it)",
    LIVE, G_TYPE_UINT, OFFSET (engine.counting.history), 1, 1, GPU_PALETTE_MAX_HISTORY},
  {"min-frequency", "Minimum frequency", "Pixels that a color must have to attract others",
    LIVE, G_TYPE_UINT, OFFSET (engine.making.min_frequency), 1, 1, G_MAXUINT},
  {"alpha-threshold", "Alpha threshold",
    "Alpha from which on pixels are counted; others keep their color",
    LIVE, G_TYPE_UINT, OFFSET (engine.counting.least_alpha), 1, 1, 255},
  {"stability", "Stability",
    "How much pixels keep their colors from frame to frame (of quality=live; 0 = not at all)",
    LIVE, G_TYPE_DOUBLE, OFFSET (engine.motion.stability), 0.5, 0, 1},
  {"scene-cut-threshold", "Scene cut threshold",
    "Mean change of luminance, or of chroma, that begins a new scene (0 = none, "
        "1 = from black to white, or from green to magenta)",
    LIVE, G_TYPE_DOUBLE, OFFSET (engine.counting.scene_cut_threshold), 0.05, 0, 1},
  {"hold", "Hold", "Keep the palette as it is (of quality=live)",
    LIVE, G_TYPE_BOOLEAN, OFFSET (engine.motion.hold), FALSE},
  {"update-interval", "Update interval", "Frames that share a palette (of quality=live)",
    LIVE, G_TYPE_UINT, OFFSET (engine.motion.update_interval), 1, 1, G_MAXUINT},
  /* Its text is parsed: see gst_mean_shift_palette_settings_set_palette(). */
  {"palette", "Palette",
    "Colors that all others become, as \"#1a1c2c,#5d275d\" or <0x1a1c2c, 0x5d275d> (of "
    "quality=live; empty = those of the frames)", GST_GPU_PROPERTY_MUTABLE, G_TYPE_STRING},
  {"colors", "Colors",
    "Colors that a frame may have, in place of a radius (of quality=live; 0 = as many as "
    "there are)",
    LIVE, G_TYPE_UINT, OFFSET (engine.making.limit), 0, 0, GPU_PALETTE_MAX_COLOURS},
  {"coherence", "Coherence",
    "How much pixels side by side decide together about their colors (of quality=live; 0 = "
    "each by itself)",
    LIVE, G_TYPE_DOUBLE, OFFSET (engine.making.coherence), 0.25, 0, 1},
  {"post-messages", "Post messages", "Post the palette of each frame on the bus",
    LIVE, G_TYPE_BOOLEAN, OFFSET (posts_messages), FALSE},
  {0}
};
/* *INDENT-ON* */

/* --- the palette as a property --- */

/* In NULL, a message may get lost: gst_parse_launch() sets properties before the element
 * has a bus, and the bus of a stopped pipeline drops messages. */
static void
warn_of_refusal (GstElement * element, const GError * error)
{
  if (GST_STATE (element) == GST_STATE_NULL)
    g_warning ("%s: \"palette\" stays as it is: %s", GST_OBJECT_NAME (element),
        error->message);
  else
    GST_ELEMENT_WARNING (element, LIBRARY, SETTINGS,
        ("\"palette\" stays as it is: %s", error->message), (NULL));
}

void
gst_mean_shift_palette_settings_set_palette (GstMeanShiftPaletteSettings *
    settings, GstElement * element, const gchar * text)
{
  g_autoptr (GError) error = NULL;

  GST_OBJECT_LOCK (element);
  parse_palette (text, &settings->engine.making.given, &error);
  GST_OBJECT_UNLOCK (element);
  if (error)
    warn_of_refusal (element, error);
}

gchar *
gst_mean_shift_palette_settings_write_palette (const
    GstMeanShiftPaletteSettings * settings, GstElement * element)
{
  const GpuPaletteGiven *palette = &settings->engine.making.given;
  GString *text = g_string_new (NULL);

  GST_OBJECT_LOCK (element);
  for (guint i = 0; i < palette->n_colours; i++)
    gst_mean_shift_palette_text_append (text, palette->colours[i]);
  GST_OBJECT_UNLOCK (element);
  return g_string_free (text, FALSE);
}

/* --- presets --- */

/* Not `transfer`, which describes the input, nor `post-messages`. */
static const gchar *const preset_properties[] = {
  "quality", "radius", "max-shift", "chroma", "weighting", "iteration-limit",
  "history", "min-frequency", "alpha-threshold", "stability",
  "scene-cut-threshold",
  "hold", "update-interval", "palette", "colors", "coherence", NULL
};

/* Of this project. Chosen by photographs, so that greys stay grey and hues stay near: five
 * greys, so close that every grey is nearest to one of them; brown, dark and light skin, and
 * yellow; red; two greens; turquoise, two blues and violet. */
#define RETRO_16 \
    "#16161a,#393a3e,#707274,#b1b1af,#f0eee8,#5f3820,#a36e46,#e6ab85," \
    "#e6d070,#b0352f,#4e5a1c,#7f9a48,#46a09e,#4a579a,#80abd9,#985592"

/* *INDENT-OFF* */
static const GstGpuFilterPreset presets[] = {
  {"poster", "Few flat colors", {{"colors", "12"}}},
  {"retro-16", "16 given colors, as in pixel art",
    {{"palette", RETRO_16}, {"chroma", "1.5"}, {"radius", "0.01"}}},
  {"calm", "Soft steps as in a painting, steady from frame to frame",
    {{"colors", "32"}, {"chroma", "1"}, {"stability", "0.8"}}},
  {"detail", "Flat areas, and small things in colors of their own",
    {{"colors", "40"}, {"weighting", "palette"}, {"chroma", "1.5"}}},
  {NULL}
};
/* *INDENT-ON* */

const GstGpuFilterPresets gst_mean_shift_palette_presets =
    { preset_properties, presets };
