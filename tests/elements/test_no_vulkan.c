/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The plugin on a machine that has no libvulkan: it loads, it inspects, and an
 * element that is started says what is missing. */
#include <dlfcn.h>
#include <gmodule.h>
#include <gst/gst.h>
#include <string.h>

static guint refused;

/* The program's own dlopen() comes before the C library's, also for what it
 * loads. */
G_MODULE_EXPORT void *dlopen (const char *file, int flags);

void *
dlopen (const char *file, int flags)
{
  union
  {
    void *symbol;
    void *(*function) (const char *, int);
  } real;

  if (file && strstr (file, "libvulkan")) {
    refused++;
    return NULL;
  }
  real.symbol = dlsym (RTLD_NEXT, "dlopen");
  return real.function (file, flags);
}

static void
test_inspect (void)
{
  GstPlugin *plugin = gst_registry_find_plugin (gst_registry_get (),
      "gpufilters");
  GstPlugin *loaded;
  GstElementFactory *factory;

  g_assert_nonnull (plugin);
  loaded = gst_plugin_load (plugin);
  g_assert_nonnull (loaded);
  g_assert_cmpstr (gst_plugin_get_license (loaded), ==, "LGPL");
  gst_object_unref (loaded);
  gst_object_unref (plugin);

  factory = gst_element_factory_find ("gpublur");
  g_assert_nonnull (factory);
  g_assert_cmpuint (gst_element_factory_get_num_pad_templates (factory), ==, 2);
  gst_object_unref (factory);
  /* Nobody even tried. */
  g_assert_cmpuint (refused, ==, 0);
}

static void
test_start (void)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("gpublur", NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autoptr (GstStructure) stats = NULL;
  g_autoptr (GError) error = NULL;
  GstMessage *message;

  g_assert_nonnull (element);
  gst_object_ref_sink (element);
  gst_element_set_bus (element, bus);
  g_object_get (element, "stats", &stats, NULL);
  g_assert_nonnull (stats);
  for (guint i = 0; i < 2; i++) {
    g_assert_cmpint (gst_element_set_state (element, GST_STATE_READY), ==,
        GST_STATE_CHANGE_FAILURE);
    message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
    g_assert_nonnull (message);
    g_clear_error (&error);
    gst_message_parse_error (message, &error, NULL);
    g_assert_error (error, GST_LIBRARY_ERROR, (gint) GST_LIBRARY_ERROR_INIT);
    g_assert_nonnull (strstr (error->message, "libvulkan"));
    gst_message_unref (message);
    g_assert_null (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR));
  }
  g_assert_cmpuint (refused, >, 0);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  g_test_add_func ("/no-vulkan/inspect", test_inspect);
  g_test_add_func ("/no-vulkan/start", test_start);
  return g_test_run ();
}
