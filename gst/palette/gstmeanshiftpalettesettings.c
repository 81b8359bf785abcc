/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstmeanshiftpalettesettings.h"

#include "gst/common/gstgpuproperties.h"
#include "gstmeanshiftpalettetext.h"

#define DEFAULT_RADIUS 0.02
#define DEFAULT_CHROMA 0
#define DEFAULT_WEIGHTING GPU_PALETTE_FREQUENCY
#define DEFAULT_ITERATION_LIMIT 0
#define DEFAULT_TRANSFER GST_MEAN_SHIFT_PALETTE_TRANSFER_AUTO
#define DEFAULT_QUALITY GPU_PALETTE_LIVE
#define DEFAULT_HISTORY 1
#define DEFAULT_MIN_FREQUENCY 1
#define DEFAULT_ALPHA_THRESHOLD 1
#define DEFAULT_STABILITY 0.5
#define DEFAULT_SCENE_CUT_THRESHOLD 0.05
#define DEFAULT_HOLD FALSE
#define DEFAULT_UPDATE_INTERVAL 1
#define DEFAULT_COLORS 0
#define DEFAULT_POST_MESSAGES FALSE

enum
{
  PROP_0,
  PROP_RADIUS,
  PROP_CHROMA,
  PROP_WEIGHTING,
  PROP_ITERATION_LIMIT,
  PROP_TRANSFER,
  PROP_QUALITY,
  PROP_HISTORY,
  PROP_MIN_FREQUENCY,
  PROP_ALPHA_THRESHOLD,
  PROP_STABILITY,
  PROP_SCENE_CUT_THRESHOLD,
  PROP_HOLD,
  PROP_UPDATE_INTERVAL,
  PROP_PALETTE,
  PROP_COLORS,
  PROP_POST_MESSAGES,
};

/* --- choices --- */

/* *INDENT-OFF* */
static const GEnumValue weighting_values[] = {
  {GPU_PALETTE_FREQUENCY, "A color weighs as much as its pixels", "frequency"},
  {GPU_PALETTE_PALETTE, "Every distinct color weighs the same", "palette"},
  {0, NULL, NULL}
};

static const GstGpuEnum weightings = {"GstMeanShiftPaletteWeighting", weighting_values};

static const GEnumValue transfer_values[] = {
  {GST_MEAN_SHIFT_PALETTE_TRANSFER_AUTO, "As the caps say, else sRGB", "auto"},
  {GST_MEAN_SHIFT_PALETTE_TRANSFER_SRGB, "sRGB", "srgb"},
  {GST_MEAN_SHIFT_PALETTE_TRANSFER_LINEAR, "Code values are light", "linear"},
  {0, NULL, NULL}
};

static const GstGpuEnum transfers = {"GstMeanShiftPaletteTransfer", transfer_values};

static const GEnumValue quality_values[] = {
  {GPU_PALETTE_EXACT,
    "Mean shift of every color to its end: slow, for stills", "exact"},
  {GPU_PALETTE_LIVE, "Peaks of the colors' density on a grid, in real time", "live"},
  {0, NULL, NULL}
};

static const GstGpuEnum qualities = {"GstMeanShiftPaletteQuality", quality_values};

/* --- the properties --- */

#define OFFSET(field) G_STRUCT_OFFSET (GstMeanShiftPaletteSettings, field)

/* All properties except "palette", whose text is parsed. */
static const GstGpuProperty properties[] = {
  /**
   * GstMeanShiftPalette:radius:
   *
   * Distance in Oklab within which colours attract each other. With 0 frames pass
   * through; with RGB8P output, 0 means 0.005.
   */
  {PROP_RADIUS, "radius", "Radius",
    "Distance in Oklab within which colors attract each other "
    "(0 passes frames through)",
    GST_GPU_PROPERTY_LIVE, G_TYPE_DOUBLE, OFFSET (engine.making.radius),
    DEFAULT_RADIUS, 0, GPU_PALETTE_MAX_RADIUS},
  /**
   * GstMeanShiftPalette:chroma:
   *
   * Weight of hue and saturation against lightness in distances between colours: with 2, a
   * and b of Oklab count twice as much as L. More keeps small colourful things and the
   * colour of skin, and takes steps of lightness for it. Values between 0 and 0.5 act like
   * 0.5. 0: 2 if #GstMeanShiftPalette:colors is in effect, else 1.
   */
  {PROP_CHROMA, "chroma", "Chroma",
    "Weight of hue and saturation against lightness "
    "(0 = 2 with \"colors\", else 1)",
    GST_GPU_PROPERTY_LIVE, G_TYPE_DOUBLE, OFFSET (engine.making.chroma),
    DEFAULT_CHROMA, 0, GPU_PALETTE_MAX_CHROMA},
  /**
   * GstMeanShiftPalette:weighting:
   *
   * The weight of a colour: its number of pixels, or the same for every colour.
   */
  {PROP_WEIGHTING, "weighting", "Weighting", "What a color weighs",
    GST_GPU_PROPERTY_LIVE, G_TYPE_ENUM, OFFSET (engine.making.weighting),
    DEFAULT_WEIGHTING, .choices = &weightings},
  /**
   * GstMeanShiftPalette:iteration-limit:
   *
   * Maximum number of mean shift steps of a colour. 0: no limit. Ignored with `live`.
   */
  {PROP_ITERATION_LIMIT, "iteration-limit", "Iteration limit",
    "Steps that a color may move, with quality=exact (0 = until it stops)",
    GST_GPU_PROPERTY_LIVE, G_TYPE_UINT, OFFSET (engine.making.iteration_limit),
    DEFAULT_ITERATION_LIMIT, 0, G_MAXUINT},
  /**
   * GstMeanShiftPalette:transfer:
   *
   * The transfer function from code values to light: from the caps, sRGB, or linear.
   */
  {PROP_TRANSFER, "transfer", "Transfer function", "From code values to light",
    GST_GPU_PROPERTY_LIVE, G_TYPE_ENUM, OFFSET (transfer),
    DEFAULT_TRANSFER, .choices = &transfers},
  /**
   * GstMeanShiftPalette:quality:
   *
   * `live` finds modes in real time; `exact` moves every colour by mean shift until it
   * stops.
   */
  {PROP_QUALITY, "quality", "Quality",
    "How colors are moved: in real time, or exactly",
    GST_GPU_PROPERTY_LIVE, G_TYPE_ENUM, OFFSET (engine.quality),
    DEFAULT_QUALITY, .choices = &qualities},
  /**
   * GstMeanShiftPalette:history:
   *
   * Number of frames whose colours are counted together: the current frame and earlier
   * ones with the same #GstMeanShiftPalette:quality. The history begins again after a
   * flush, a new stream, a scene cut, or a change of caps or
   * #GstMeanShiftPalette:transfer.
   */
  {PROP_HISTORY, "history", "History",
    "Frames whose colors are counted together (this one and those before "
    "it)",
    GST_GPU_PROPERTY_LIVE, G_TYPE_UINT, OFFSET (engine.counting.history),
    DEFAULT_HISTORY, 1, GPU_PALETTE_MAX_HISTORY},
  /**
   * GstMeanShiftPalette:min-frequency:
   *
   * Colours with fewer counted pixels do not attract others, but are attracted.
   */
  {PROP_MIN_FREQUENCY, "min-frequency", "Minimum frequency",
    "Pixels that a color must have to attract others",
    GST_GPU_PROPERTY_LIVE, G_TYPE_UINT, OFFSET (engine.making.min_frequency),
    DEFAULT_MIN_FREQUENCY, 1, G_MAXUINT},
  /**
   * GstMeanShiftPalette:alpha-threshold:
   *
   * Pixels with less alpha are not counted, and keep their colour.
   */
  {PROP_ALPHA_THRESHOLD, "alpha-threshold", "Alpha threshold",
    "Alpha from which on pixels are counted; others keep their color",
    GST_GPU_PROPERTY_LIVE, G_TYPE_UINT, OFFSET (engine.counting.least_alpha),
    DEFAULT_ALPHA_THRESHOLD, 1, 255},
  /**
   * GstMeanShiftPalette:stability:
   *
   * How long the palette keeps its colours from frame to frame, and how long pixels keep
   * their colours. 0: every frame has its own palette. 0.5 suits live video. Ignored with
   * `exact`.
   */
  {PROP_STABILITY, "stability", "Stability",
    "How much pixels keep their colors from frame to frame (of quality=live; "
    "0 = not at all)",
    GST_GPU_PROPERTY_LIVE, G_TYPE_DOUBLE, OFFSET (engine.motion.stability),
    DEFAULT_STABILITY, 0, 1},
  /**
   * GstMeanShiftPalette:scene-cut-threshold:
   *
   * A frame begins a new scene if the mean change of luminance, over coarse blocks of the
   * frame, reaches this value. Then nothing is kept except a palette from
   * #GstMeanShiftPalette:hold or #GstMeanShiftPalette:palette, and
   * #GstMeanShiftPalette:history begins again, with `exact` too. 0: never.
   */
  {PROP_SCENE_CUT_THRESHOLD, "scene-cut-threshold", "Scene cut threshold",
    "Mean change of luminance that begins a new scene (0 = none, 1 = from "
    "black to white)",
    GST_GPU_PROPERTY_LIVE, G_TYPE_DOUBLE,
    OFFSET (engine.counting.scene_cut_threshold),
    DEFAULT_SCENE_CUT_THRESHOLD, 0, 1},
  /**
   * GstMeanShiftPalette:hold:
   *
   * Keeps the palette of the last frame, or of the next frame if there is none yet.
   * Ignored with `exact`.
   */
  {PROP_HOLD, "hold", "Hold", "Keep the palette as it is (of quality=live)",
    GST_GPU_PROPERTY_LIVE, G_TYPE_BOOLEAN, OFFSET (engine.motion.hold),
    DEFAULT_HOLD},
  /**
   * GstMeanShiftPalette:update-interval:
   *
   * Number of frames that share a palette, unless a new scene begins. Ignored with
   * `exact`.
   */
  {PROP_UPDATE_INTERVAL, "update-interval", "Update interval",
    "Frames that share a palette (of quality=live)",
    GST_GPU_PROPERTY_LIVE, G_TYPE_UINT, OFFSET (engine.motion.update_interval),
    DEFAULT_UPDATE_INTERVAL, 1, G_MAXUINT},
  /**
   * GstMeanShiftPalette:colors:
   *
   * Maximum number of colours of a frame. They are chosen so that every other colour is
   * near one of them; #GstMeanShiftPalette:radius is not used then. 0: no limit. Ignored
   * with `exact`, and if #GstMeanShiftPalette:palette is set.
   */
  {PROP_COLORS, "colors", "Colors",
    "Colors that a frame may have, in place of a radius (of quality=live; "
    "0 = as many as there are)",
    GST_GPU_PROPERTY_LIVE, G_TYPE_UINT, OFFSET (engine.making.limit),
    DEFAULT_COLORS, 0, GPU_PALETTE_MAX_COLOURS},
  /**
   * GstMeanShiftPalette:post-messages:
   *
   * Posts an element message for each frame that is found to be finished. Its structure
   * `meanshiftpalette` has the `timestamp`, `stream-time`, `running-time` and `duration`
   * of the frame, the `radius` in use, and two arrays, most frequent first: `palette`,
   * the colours of the frame as 0xRRGGBB, up to 256, and `shares`, their fractions of
   * the pixels. `palette-text` and `shares-text` have the same as text. Colours within a
   * quarter of the radius (at least 0.005) of another one are merged here. Frames that
   * pass through have no message.
   */
  {PROP_POST_MESSAGES, "post-messages", "Post messages",
    "Post the palette of each frame on the bus",
    GST_GPU_PROPERTY_LIVE, G_TYPE_BOOLEAN, OFFSET (posts_messages),
    DEFAULT_POST_MESSAGES},
  {0}
};
/* *INDENT-ON* */

void
gst_mean_shift_palette_settings_install (GObjectClass * object_class)
{
  gst_gpu_properties_install (properties, object_class);
  /**
   * GstMeanShiftPalette:palette:
   *
   * The palette to use: up to 256 colours, as `#1a1c2c,#5d275d` or
   * `<0x1a1c2c, 0x5d275d>`. Each mode becomes the nearest of these colours. Empty: the
   * palette is found in the frames. Ignored with `exact`.
   *
   * A #GValue with a #GstValueArray or #GstValueList of numbers or strings can be set, too.
   * If an entry is not a colour, the old palette is kept, and a warning names the entry.
   *
   * If no palette is set, reading the property returns the colours of the newest finished
   * frame, most frequent first, if its pixels were counted: with
   * #GstMeanShiftPalette:post-messages or #GstMeanShiftPalette:colors.
   */
  g_object_class_install_property (object_class, PROP_PALETTE,
      g_param_spec_string ("palette", "Palette",
          "Colors that all others become, as \"#1a1c2c,#5d275d\" or "
          "<0x1a1c2c, 0x5d275d> (of quality=live; empty = those of the frames)",
          "", G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
          | GST_PARAM_MUTABLE_PLAYING));
}

/* --- values --- */

void
gst_mean_shift_palette_settings_init (GstMeanShiftPaletteSettings * settings)
{
  gst_gpu_properties_init (properties, settings);
}

static gchar *
write_palette (const GpuPaletteGiven * palette)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < palette->n_colours; i++)
    gst_mean_shift_palette_text_append (text, palette->colours[i]);
  return g_string_free (text, FALSE);
}

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

static void
set_palette (GstMeanShiftPaletteSettings * settings, GstElement * element,
    const gchar * text)
{
  g_autoptr (GError) error = NULL;

  GST_OBJECT_LOCK (element);
  gst_mean_shift_palette_text_parse (text, &settings->engine.making.given,
      &error);
  GST_OBJECT_UNLOCK (element);
  if (error)
    warn_of_refusal (element, error);
}

static void
get_palette (const GstMeanShiftPaletteSettings * settings,
    GstElement * element, GValue * text)
{
  GST_OBJECT_LOCK (element);
  g_value_take_string (text, write_palette (&settings->engine.making.given));
  GST_OBJECT_UNLOCK (element);
}

void
gst_mean_shift_palette_settings_set (GstMeanShiftPaletteSettings * settings,
    GstElement * element, const GValue * value, GParamSpec * pspec)
{
  if (g_str_equal (pspec->name, "palette"))
    set_palette (settings, element, g_value_get_string (value));
  else
    gst_gpu_properties_set (properties, settings, element, value, pspec);
}

void
gst_mean_shift_palette_settings_get (const GstMeanShiftPaletteSettings *
    settings, GstElement * element, GValue * value, GParamSpec * pspec)
{
  if (g_str_equal (pspec->name, "palette"))
    get_palette (settings, element, value);
  else
    gst_gpu_properties_get (properties, settings, element, value, pspec);
}
