/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstmeanshiftpalettesettings.h"

#define DEFAULT_RADIUS 0.02
#define DEFAULT_WEIGHTING GPU_PALETTE_FREQUENCY
#define DEFAULT_ITERATION_LIMIT 0
#define DEFAULT_TRANSFER GST_MEAN_SHIFT_PALETTE_TRANSFER_AUTO
#define DEFAULT_QUALITY GPU_PALETTE_LIVE
#define DEFAULT_HISTORY 1
#define DEFAULT_MIN_FREQUENCY 1
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
  PROP_WEIGHTING,
  PROP_ITERATION_LIMIT,
  PROP_TRANSFER,
  PROP_QUALITY,
  PROP_HISTORY,
  PROP_MIN_FREQUENCY,
  PROP_STABILITY,
  PROP_SCENE_CUT_THRESHOLD,
  PROP_HOLD,
  PROP_UPDATE_INTERVAL,
  PROP_PALETTE,
  PROP_COLORS,
  PROP_POST_MESSAGES,
};

/* --- types --- */

#define GST_TYPE_MEAN_SHIFT_PALETTE_WEIGHTING \
    (gst_mean_shift_palette_weighting_get_type ())
static GType
gst_mean_shift_palette_weighting_get_type (void)
{
  static const GEnumValue values[] = {
    {GPU_PALETTE_FREQUENCY, "A color weighs as much as its pixels",
        "frequency"},
    {GPU_PALETTE_PALETTE, "Every distinct color weighs the same", "palette"},
    {0, NULL, NULL}
  };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstMeanShiftPaletteWeighting", values));
  return type;
}

#define GST_TYPE_MEAN_SHIFT_PALETTE_TRANSFER \
    (gst_mean_shift_palette_transfer_get_type ())
static GType
gst_mean_shift_palette_transfer_get_type (void)
{
  static const GEnumValue values[] = {
    {GST_MEAN_SHIFT_PALETTE_TRANSFER_AUTO, "As the caps say, else sRGB",
        "auto"},
    {GST_MEAN_SHIFT_PALETTE_TRANSFER_SRGB, "sRGB", "srgb"},
    {GST_MEAN_SHIFT_PALETTE_TRANSFER_LINEAR, "Code values are light",
        "linear"},
    {0, NULL, NULL}
  };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstMeanShiftPaletteTransfer", values));
  return type;
}

#define GST_TYPE_MEAN_SHIFT_PALETTE_QUALITY \
    (gst_mean_shift_palette_quality_get_type ())
static GType
gst_mean_shift_palette_quality_get_type (void)
{
  static const GEnumValue values[] = {
    {GPU_PALETTE_EXACT,
        "Mean shift of every color to its end: slow, for stills", "exact"},
    {GPU_PALETTE_LIVE,
        "Peaks of the colors' density on a grid, in real time", "live"},
    {0, NULL, NULL}
  };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstMeanShiftPaletteQuality", values));
  return type;
}

/* --- values --- */

void
gst_mean_shift_palette_settings_init (GstMeanShiftPaletteSettings * settings)
{
  *settings = (GstMeanShiftPaletteSettings) {
    .engine = {
      .radius = DEFAULT_RADIUS,
      .weighting = DEFAULT_WEIGHTING,
      .iteration_limit = DEFAULT_ITERATION_LIMIT,
      .quality = DEFAULT_QUALITY,
      .history = DEFAULT_HISTORY,
      .min_frequency = DEFAULT_MIN_FREQUENCY,
      .stability = DEFAULT_STABILITY,
      .scene_cut_threshold = DEFAULT_SCENE_CUT_THRESHOLD,
      .hold = DEFAULT_HOLD,
      .update_interval = DEFAULT_UPDATE_INTERVAL,
      .limit = DEFAULT_COLORS,
  },.transfer = DEFAULT_TRANSFER,.posts_messages = DEFAULT_POST_MESSAGES,};
}

/* No more than there is room for: the first ones. */
static void
take_palette (GpuPaletteSettings * settings, const GValue * array)
{
  guint n = gst_value_array_get_size (array);

  settings->n_colours = MIN (n, GPU_PALETTE_MAX_COLOURS);
  for (guint i = 0; i < settings->n_colours; i++)
    settings->colours[i] =
        g_value_get_uint (gst_value_array_get_value (array, i));
}

static void
list_palette (const GpuPaletteSettings * settings, GValue * array)
{
  GValue colour = G_VALUE_INIT;

  g_value_init (&colour, G_TYPE_UINT);
  for (guint i = 0; i < settings->n_colours; i++) {
    g_value_set_uint (&colour, settings->colours[i]);
    gst_value_array_append_value (array, &colour);
  }
  g_value_unset (&colour);
}

gboolean
gst_mean_shift_palette_settings_set (GstMeanShiftPaletteSettings * settings,
    guint id, const GValue * value)
{
  switch (id) {
    case PROP_RADIUS:
      settings->engine.radius = g_value_get_double (value);
      break;
    case PROP_WEIGHTING:
      settings->engine.weighting = g_value_get_enum (value);
      break;
    case PROP_ITERATION_LIMIT:
      settings->engine.iteration_limit = g_value_get_uint (value);
      break;
    case PROP_TRANSFER:
      settings->transfer = g_value_get_enum (value);
      break;
    case PROP_QUALITY:
      settings->engine.quality = g_value_get_enum (value);
      break;
    case PROP_HISTORY:
      settings->engine.history = g_value_get_uint (value);
      break;
    case PROP_MIN_FREQUENCY:
      settings->engine.min_frequency = g_value_get_uint (value);
      break;
    case PROP_STABILITY:
      settings->engine.stability = g_value_get_double (value);
      break;
    case PROP_SCENE_CUT_THRESHOLD:
      settings->engine.scene_cut_threshold = g_value_get_double (value);
      break;
    case PROP_HOLD:
      settings->engine.hold = g_value_get_boolean (value);
      break;
    case PROP_UPDATE_INTERVAL:
      settings->engine.update_interval = g_value_get_uint (value);
      break;
    case PROP_PALETTE:
      take_palette (&settings->engine, value);
      break;
    case PROP_COLORS:
      settings->engine.limit = g_value_get_uint (value);
      break;
    case PROP_POST_MESSAGES:
      settings->posts_messages = g_value_get_boolean (value);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_mean_shift_palette_settings_get (const GstMeanShiftPaletteSettings *
    settings, guint id, GValue * value)
{
  switch (id) {
    case PROP_RADIUS:
      g_value_set_double (value, settings->engine.radius);
      break;
    case PROP_WEIGHTING:
      g_value_set_enum (value, settings->engine.weighting);
      break;
    case PROP_ITERATION_LIMIT:
      g_value_set_uint (value, settings->engine.iteration_limit);
      break;
    case PROP_TRANSFER:
      g_value_set_enum (value, settings->transfer);
      break;
    case PROP_QUALITY:
      g_value_set_enum (value, settings->engine.quality);
      break;
    case PROP_HISTORY:
      g_value_set_uint (value, settings->engine.history);
      break;
    case PROP_MIN_FREQUENCY:
      g_value_set_uint (value, settings->engine.min_frequency);
      break;
    case PROP_STABILITY:
      g_value_set_double (value, settings->engine.stability);
      break;
    case PROP_SCENE_CUT_THRESHOLD:
      g_value_set_double (value, settings->engine.scene_cut_threshold);
      break;
    case PROP_HOLD:
      g_value_set_boolean (value, settings->engine.hold);
      break;
    case PROP_UPDATE_INTERVAL:
      g_value_set_uint (value, settings->engine.update_interval);
      break;
    case PROP_PALETTE:
      list_palette (&settings->engine, value);
      break;
    case PROP_COLORS:
      g_value_set_uint (value, settings->engine.limit);
      break;
    case PROP_POST_MESSAGES:
      g_value_set_boolean (value, settings->posts_messages);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

/* --- the properties --- */

#define LIVE_PROPERTY (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS \
    | GST_PARAM_CONTROLLABLE | GST_PARAM_MUTABLE_PLAYING)

void
gst_mean_shift_palette_settings_install (GObjectClass * object_class)
{
  /**
   * GstMeanShiftPalette:radius:
   *
   * Distance in Oklab within which colours attract each other. 0 passes frames
   * through; into RGB8P it is as 0.005.
   */
  g_object_class_install_property (object_class, PROP_RADIUS,
      g_param_spec_double ("radius", "Radius",
          "Distance in Oklab within which colors attract each other "
          "(0 passes frames through)", 0,
          GPU_PALETTE_MAX_RADIUS, DEFAULT_RADIUS, LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:weighting:
   *
   * Whether a colour weighs as much as it has pixels, or as any other.
   */
  g_object_class_install_property (object_class, PROP_WEIGHTING,
      g_param_spec_enum ("weighting", "Weighting", "What a color weighs",
          GST_TYPE_MEAN_SHIFT_PALETTE_WEIGHTING, DEFAULT_WEIGHTING,
          LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:iteration-limit:
   *
   * Steps after which a colour stops on its way. 0: none. With `live` it means
   * nothing.
   */
  g_object_class_install_property (object_class, PROP_ITERATION_LIMIT,
      g_param_spec_uint ("iteration-limit", "Iteration limit",
          "Steps that a color may move, with quality=exact "
          "(0 = until it stops)", 0,
          G_MAXUINT, DEFAULT_ITERATION_LIMIT, LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:transfer:
   *
   * From code values to light: as the caps say, sRGB, or not at all.
   */
  g_object_class_install_property (object_class, PROP_TRANSFER,
      g_param_spec_enum ("transfer", "Transfer function",
          "From code values to light",
          GST_TYPE_MEAN_SHIFT_PALETTE_TRANSFER, DEFAULT_TRANSFER,
          LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:quality:
   *
   * In real time, or mean shift of every colour to its end.
   */
  g_object_class_install_property (object_class, PROP_QUALITY,
      g_param_spec_enum ("quality", "Quality", "How colors are moved: "
          "in real time, or exactly",
          GST_TYPE_MEAN_SHIFT_PALETTE_QUALITY, DEFAULT_QUALITY, LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:history:
   *
   * Frames whose colours are counted together: the one at hand and those that were
   * processed before it with the same #GstMeanShiftPalette:quality, as far back as
   * the last flush, stream, scene cut or change of caps or
   * #GstMeanShiftPalette:transfer.
   */
  g_object_class_install_property (object_class, PROP_HISTORY,
      g_param_spec_uint ("history", "History",
          "Frames whose colors are counted together (this one and those before "
          "it)", 1, GPU_PALETTE_MAX_HISTORY, DEFAULT_HISTORY, LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:min-frequency:
   *
   * Colours with fewer pixels among those that are counted attract nothing, but are
   * attracted.
   */
  g_object_class_install_property (object_class, PROP_MIN_FREQUENCY,
      g_param_spec_uint ("min-frequency", "Minimum frequency",
          "Pixels that a color must have to attract others", 1,
          G_MAXUINT, DEFAULT_MIN_FREQUENCY, LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:stability:
   *
   * How long colours of the palette are kept from frame to frame, and how long
   * pixels keep them. 0: every frame has a palette of its own. 0.5 suits live
   * video. With `exact` it means nothing.
   */
  g_object_class_install_property (object_class, PROP_STABILITY,
      g_param_spec_double ("stability", "Stability",
          "How much pixels keep their colors from frame to frame (of quality=live; "
          "0 = not at all)", 0, 1, DEFAULT_STABILITY, LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:scene-cut-threshold:
   *
   * Mean change of luminance, over coarse blocks of the frame, from which on a
   * frame begins a new scene: nothing is kept then but palettes that
   * #GstMeanShiftPalette:hold or #GstMeanShiftPalette:palette asks for, and
   * #GstMeanShiftPalette:history begins anew, with `exact` as well. 0: never.
   */
  g_object_class_install_property (object_class, PROP_SCENE_CUT_THRESHOLD,
      g_param_spec_double ("scene-cut-threshold", "Scene cut threshold",
          "Mean change of luminance that begins a new scene (0 = none, 1 = from "
          "black to white)", 0, 1, DEFAULT_SCENE_CUT_THRESHOLD, LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:hold:
   *
   * Keeps the palette of the last frame, or of the next one where none is kept
   * yet. With `exact` it means nothing.
   */
  g_object_class_install_property (object_class, PROP_HOLD,
      g_param_spec_boolean ("hold", "Hold",
          "Keep the palette as it is (of quality=live)", DEFAULT_HOLD,
          LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:update-interval:
   *
   * Frames that share a palette, unless a new scene begins. With `exact` it means
   * nothing.
   */
  g_object_class_install_property (object_class, PROP_UPDATE_INTERVAL,
      g_param_spec_uint ("update-interval", "Update interval",
          "Frames that share a palette (of quality=live)", 1, G_MAXUINT,
          DEFAULT_UPDATE_INTERVAL, LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:palette:
   *
   * Up to 256 colours, unsigned, 0xRRGGBB each, that all others become: each mode
   * the nearest. Of more, the first 256 count. Empty: those of the frames. With
   * `exact` it means nothing.
   *
   * Where none is given, one reads the colours of the newest frame that is done, most
   * frequent first, if its pixels were counted: with
   * #GstMeanShiftPalette:post-messages or #GstMeanShiftPalette:colors.
   */
  g_object_class_install_property (object_class, PROP_PALETTE,
      gst_param_spec_array ("palette", "Palette",
          "Colors that all others become, 0xRRGGBB each (of quality=live; "
          "empty = those of the frames)",
          g_param_spec_uint ("color", "Color", "0xRRGGBB", 0, 0xffffff, 0,
              G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS),
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
          | GST_PARAM_MUTABLE_PLAYING));
  /**
   * GstMeanShiftPalette:colors:
   *
   * How many colours frames may have. They are chosen so that all others are near
   * one; #GstMeanShiftPalette:radius is not used then. 0: as many as there are. With
   * `exact`, and where #GstMeanShiftPalette:palette is set, it means nothing.
   */
  g_object_class_install_property (object_class, PROP_COLORS,
      g_param_spec_uint ("colors", "Colors",
          "Colors that a frame may have, in place of a radius (of quality=live; "
          "0 = as many as there are)", 0, GPU_PALETTE_MAX_COLOURS,
          DEFAULT_COLORS, LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:post-messages:
   *
   * Posts an element message for each frame that turns out to be done: a structure
   * `meanshiftpalette` with its `timestamp`, `stream-time`, `running-time` and
   * `duration`, the `radius` in use, and two arrays, most frequent first: `palette`,
   * the colours that it has, 0xRRGGBB each, up to 256, and `shares`, their parts of
   * the pixels. Colours within a quarter of the radius (of 0.005 at least) of another
   * are one here. Where frames pass through, there are none.
   */
  g_object_class_install_property (object_class, PROP_POST_MESSAGES,
      g_param_spec_boolean ("post-messages", "Post messages",
          "Post the palette of each frame on the bus",
          DEFAULT_POST_MESSAGES, LIVE_PROPERTY));

  gst_type_mark_as_plugin_api (GST_TYPE_MEAN_SHIFT_PALETTE_WEIGHTING, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_MEAN_SHIFT_PALETTE_TRANSFER, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_MEAN_SHIFT_PALETTE_QUALITY, 0);
}
