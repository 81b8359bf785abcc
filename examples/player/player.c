/* SPDX-License-Identifier: 0BSD */
/* usage: player FILE-OR-URI [VIDEO-SINK]
 *
 * Plays a film through both filters. Keys change properties and print the palette.
 *
 *   gcc player.c -o player $(pkg-config --cflags --libs gstreamer-1.0)
 */
#include <gst/gst.h>

#include <glib-unix.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

/* The blur removes noise, which would take colours of its own. */
#define FILTERS "gpublur name=blur sigma=1" \
    " ! meanshiftpalette name=palette colors=16 post-messages=true"

typedef struct
{
  GMainLoop *loop;
  GstElement *filters;
  GstMessage *palette;          /* of the newest frame that is done, or NULL */
  gboolean has_failed;
} Player;

static const struct
{
  gchar less, more;
  const gchar *property;        /* the name of the element and of its property */
  gdouble step, min, max;
} controls[] = {
  {'s', 'S', "blur::sigma", 0.5, 0, 20},
  {'c', 'C', "palette::colors", 1, 2, 256},
  {'t', 'T', "palette::stability", 0.1, 0, 1},
};

/* Sets a property while the film plays, and prints it. Any thread may do that; the next frame
 * has the new value. GObject converts a double to the type of a property that is a number. */
static void
change (GstElement * filters, guint control, gdouble step)
{
  const gchar *name = controls[control].property;
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_DOUBLE);
  gst_child_proxy_get_property (GST_CHILD_PROXY (filters), name, &value);
  g_value_set_double (&value, CLAMP (g_value_get_double (&value) + step,
          controls[control].min, controls[control].max));
  gst_child_proxy_set_property (GST_CHILD_PROXY (filters), name, &value);
  gst_child_proxy_get_property (GST_CHILD_PROXY (filters), name, &value);
  g_print ("%s %g\n", name, g_value_get_double (&value));
}

/* The colour with the most pixels is first. */
static void
print_palette (GstMessage * message)
{
  const gchar *text = message ? gst_structure_get_string
      (gst_message_get_structure (message), "palette-text") : "";
  g_auto (GStrv) colours = g_strsplit (text, ",", -1);

  for (guint i = 0; colours[i]; i++) {
    guint rgb = strtoul (colours[i] + 1, NULL, 16);

    g_print ("\x1b[48;2;%u;%u;%um   \x1b[0m %s  ",
        rgb >> 16, rgb >> 8 & 255, rgb & 255, colours[i]);
  }
  g_print ("%u colours\n", g_strv_length (colours));
}

static gboolean
on_key (gint fd, GIOCondition condition, gpointer data)
{
  Player *player = data;
  gchar key;

  if (read (fd, &key, 1) != 1)
    key = 'q';                  /* the terminal was closed */
  for (guint i = 0; i < G_N_ELEMENTS (controls); i++)
    if (key == controls[i].less || key == controls[i].more)
      change (player->filters, i,
          key == controls[i].more ? controls[i].step : -controls[i].step);
  if (key == 'p')
    print_palette (player->palette);
  else if (key == 'q')
    g_main_loop_quit (player->loop);
  return key != 'q';
}

/* Returns whether standard input is a terminal, which then gives each key at once. Ctrl-Z
 * and Ctrl-\ would leave it in this mode, so they do nothing. Ctrl-C is a signal. */
static gboolean
enter_key_mode (struct termios *old)
{
  struct termios mode;

  if (tcgetattr (STDIN_FILENO, old) != 0)
    return FALSE;
  mode = *old;
  mode.c_lflag &= ~(ICANON | ECHO);
  mode.c_cc[VSUSP] = mode.c_cc[VQUIT] = _POSIX_VDISABLE;
  return tcsetattr (STDIN_FILENO, TCSANOW, &mode) == 0;
}

/* Once the source is removed, a second signal ends the program, even if it hangs. */
static gboolean
on_signal (gpointer data)
{
  g_main_loop_quit (((Player *) data)->loop);
  return G_SOURCE_REMOVE;
}

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer data)
{
  Player *player = data;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = NULL;

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ELEMENT:
      if (gst_message_has_name (message, "meanshiftpalette"))
        gst_message_replace (&player->palette, message);
      break;
    case GST_MESSAGE_PROGRESS: /* The driver compiles shaders in the first run. */
      gst_message_parse_progress (message, NULL, NULL, &text);
      g_printerr ("%s\n", text);
      break;
    case GST_MESSAGE_WARNING:
      gst_message_parse_warning (message, &error, NULL);
      g_printerr ("Warning: %s\n", error->message);
      break;
    case GST_MESSAGE_ERROR:    /* The text says where it happened, and often why. */
      gst_message_parse_error (message, &error, &text);
      g_printerr ("Error: %s\n%s\n", error->message, text ? text : "");
      player->has_failed = TRUE;
      break;
    default:
      break;
  }
  if (GST_MESSAGE_TYPE (message) & (GST_MESSAGE_ERROR | GST_MESSAGE_EOS))
    g_main_loop_quit (player->loop);
  return G_SOURCE_CONTINUE;
}

static void
play (Player * player, GstElement * playbin)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (playbin);
  struct termios old;
  gboolean has_keys = enter_key_mode (&old);

  gst_bus_add_watch (bus, on_message, player);
  g_unix_signal_add (SIGINT, on_signal, player);
  g_unix_signal_add (SIGTERM, on_signal, player);
  if (has_keys) {
    g_unix_fd_add (STDIN_FILENO, G_IO_IN | G_IO_HUP, on_key, player);
    g_print ("Less, more: s S sigma, c C colours, t T stability.\n"
        "Print the palette: p. Quit: q.\n");
  }
  gst_element_set_state (playbin, GST_STATE_PLAYING);   /* errors are messages */
  g_main_loop_run (player->loop);
  if (has_keys)
    tcsetattr (STDIN_FILENO, TCSANOW, &old);
  gst_element_set_state (playbin, GST_STATE_NULL);
  gst_bus_remove_watch (bus);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *uri = NULL;
  GstElement *playbin, *sink;
  Player player = { NULL };

  gst_init (&argc, &argv);
  if (argc < 2) {
    g_printerr ("usage: player FILE-OR-URI [VIDEO-SINK]\n");
    return EXIT_FAILURE;
  }
  player.filters = gst_parse_bin_from_description (FILTERS, TRUE, &error);
  sink = gst_element_factory_make (argc > 2 ? argv[2] : "autovideosink", NULL);
  playbin = gst_element_factory_make ("playbin", NULL);
  if (!player.filters || !sink || !playbin) {
    g_printerr ("%s\n", error ? error->message : sink ? "There is no playbin."
        : "There is no such sink.");
    return EXIT_FAILURE;
  }
  uri = gst_uri_is_valid (argv[1]) ? g_strdup (argv[1])
      : gst_filename_to_uri (argv[1], NULL);
  g_object_set (playbin, "uri", uri, "video-filter", player.filters,
      "video-sink", sink, NULL);
  player.loop = g_main_loop_new (NULL, FALSE);
  play (&player, playbin);
  gst_clear_message (&player.palette);
  gst_object_unref (playbin);
  g_main_loop_unref (player.loop);
  return player.has_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
