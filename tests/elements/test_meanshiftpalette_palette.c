/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The property "palette" of meanshiftpalette: what can be set, what is refused, and
 * what is read. */
#include "element_fixture.h"

static GstElement *
make (void)
{
  return gst_object_ref_sink (fixture_make ("meanshiftpalette"));
}

static void
assert_palette (GstElement * element, const gchar * expected)
{
  g_autofree gchar *text = NULL;

  g_object_get (element, "palette", &text, NULL);
  g_assert_cmpstr (text, ==, expected);
}

/* --- text --- */

typedef struct
{
  const gchar *text, *palette;
} Form;

#define TWO "#1a1c2c,#5d275d"

static const Form forms[] = {
  {TWO, TWO},
  {"1a1c2c,#5d275d", TWO},
  {"0x1a1c2c,0X5D275D", TWO},
  {" #1A1C2C  5D275D ,", TWO},
  {"0xff", "#0000ff"},
  {"\\#1a1c2c\\,\\#5d275d", TWO},
  {"123456", "#123456"},
  {"", ""},
  {NULL, ""},
  /* as GStreamer writes arrays and lists */
  {"<0x1a1c2c, 0x5d275d>", TWO},
  {"< (uint)1711148, (guint)6104925 >", TWO},
  {"(uint)< 1711148, 6104925 >", TWO},
  {"{ 1711148, 6104925 }", TWO},
  {"<\"#1a1c2c\", (string)\"5d275d\">", TWO},
  {"<123456, 255, 0>", "#01e240,#0000ff,#000000"},
  {"<>", ""},
  /* as Python does */
  {"[1711148, 6104925]", TWO},
  {"(1711148,)", "#1a1c2c"},
  {"['#1a1c2c', '5d275d']", TWO},
  {"('123456',)", "#123456"},
  {"[]", ""},
};

static void
set (GstElement * element, const gchar * text)
{
  g_object_set (element, "palette", text, NULL);
}

TEST (forms)
{
  g_autoptr (GstElement) element = make ();

  assert_palette (element, "");
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++) {
    g_test_message ("%s", forms[i].text);
    set (element, "#abcdef");
    set (element, forms[i].text);
    assert_palette (element, forms[i].palette);
    set (element, forms[i].palette);
    assert_palette (element, forms[i].palette);
  }
}

/* As gst-launch-1.0 does, and as text of properties is set in C. */
TEST (launch)
{
  static const gchar *const descriptions[] = {
    "meanshiftpalette palette=#1a1c2c,#5d275d",
    "meanshiftpalette palette=0x1a1c2c,0x5d275d",
    "meanshiftpalette palette=\"<0x1a1c2c, 0x5d275d>\"",
    "meanshiftpalette palette=<(uint)0x1a1c2c,(uint)0x5d275d>",
  };

  for (guint i = 0; i < G_N_ELEMENTS (descriptions); i++) {
    GstElement *element = gst_object_ref_sink (fixture_make (descriptions[i]));

    assert_palette (element, TWO);
    fixture_set (element, "palette", "<>");
    assert_palette (element, "");
    fixture_set (element, "palette", TWO);
    assert_palette (element, TWO);
    gst_object_unref (element);
  }
}

/* --- values --- */

/* Values as GStreamer reads them from projects and other files, by their types. */
TEST (values)
{
  static const gchar *const values[] = {
    "(uint)< 1711148, 6104925 >",
    "(int)< 1711148, 6104925 >",
    "(guint64)< 1711148, 6104925 >",
    "(string)< \"#1a1c2c\", 5d275d >",
    "(uint){ 1711148, 6104925 }",
    "(int){ 1711148, 6104925 }",
    "(string){ 0x1a1c2c, \"#5d275d\" }",
    "(string)\"\\#1a1c2c\\,\\#5d275d\"",
  };
  g_autoptr (GstElement) element = make ();

  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    g_autofree gchar *text = g_strconcat ("s, palette=", values[i], NULL);
    g_autoptr (GstStructure) structure = gst_structure_from_string (text, NULL);

    g_test_message ("%s", values[i]);
    set (element, "");
    g_object_set_property (G_OBJECT (element), "palette",
        gst_structure_get_value (structure, "palette"));
    assert_palette (element, TWO);
  }
}

/* --- what is refused --- */

static const Form wrong[] = {
  {"red", "red"},
  {"#12345", "#12345"},
  {"#1234567", "#1234567"},
  {"#-12345", "#-12345"},
  {"0x1000000", "0x1000000"},
  {"0x", "0x"},
  {"255", "255"},
  {"-1", "-1"},
  {"#1a1c2c,#5d275d,ü", "ü"},
  {"<1711148, 16777216>", "16777216"},
  {"<-1>", "-1"},
  {"<1711148.0>", "1711148.0"},
  {"<1a1c2c>", "1a1c2c"},
  {"(aabbcc,ddeeff)", "aabbcc"},
  {"['#1a1c2c', None]", "None"},
  {"< < 1711148 > >", "<"},
  {"<1711148", "<1711148"},
  {"(uint", "(uint"},
};

/* The entry is named, the right form shown, and the old palette kept. */
TEST (wrong)
{
  g_autoptr (GstElement) element = make ();

  set (element, TWO);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autofree gchar *warning = g_strdup_printf ("*\"palette\" stays as it is: "
        "\"%s\" is not a colour. Write *\"#1a1c2c,#5d275d\"*",
        wrong[i].palette);

    g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_WARNING, warning);
    set (element, wrong[i].text);
    g_test_assert_expected_messages ();
    assert_palette (element, TWO);
  }
}

/* The caller owns the text. */
static gchar *
blues_new (guint n)
{
  GString *text = g_string_new ("#000000");

  for (guint i = 1; i < n; i++)
    g_string_append_printf (text, ",#%06x", i);
  return g_string_free (text, FALSE);
}

TEST (too_many)
{
  g_autofree gchar *most = blues_new (256), *more = blues_new (257);
  g_autoptr (GstElement) element = make ();

  set (element, most);
  assert_palette (element, most);
  set (element, TWO);
  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_WARNING,
      "*\"palette\" stays as it is: *256 colours*");
  set (element, more);
  g_test_assert_expected_messages ();
  assert_palette (element, TWO);
}

/* From READY on, applications read warnings from the bus. */
TEST (wrong_while_playing)
{
  g_autoptr (Harness) h = fixture_harness ("meanshiftpalette");

  set (h->element, TWO);
  fixture_take_messages (h->element, GST_MESSAGE_WARNING);
  set (h->element, "red");
  fixture_take_warning (h->element, GST_LIBRARY_ERROR,
      GST_LIBRARY_ERROR_SETTINGS, "\"red\" is not a colour");
  assert_palette (h->element, TWO);
}

/* --- the property itself --- */

TEST (property)
{
  g_autoptr (GstElement) element = make ();
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS
      (element), "palette");

  g_assert_true (G_IS_PARAM_SPEC_STRING (spec));
  g_assert_true (spec->flags & GST_PARAM_MUTABLE_PLAYING);
  g_assert_false (spec->flags & GST_PARAM_CONTROLLABLE);
}

FIXTURE_MAIN_SHARING ("/meanshiftpalette-palette/")
