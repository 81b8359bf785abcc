/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstmeanshiftpalettetext.h"

#include <gst/gst.h>
#include <string.h>

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

gboolean
gst_mean_shift_palette_text_parse (const gchar * text,
    GpuPaletteGiven * palette, GError ** error)
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
