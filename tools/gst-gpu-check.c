/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report.h"

#include <locale.h>

#define SUMMARY \
    "Says which Vulkan devices gpublur and meanshiftpalette can use, whether each gives\n" \
    "the right answers, and how long it takes.\n\n" \
    "The exit status is 0 where all devices that can be used are right, 1 where one is\n" \
    "not, and 2 where none can be used."

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  setlocale (LC_ALL, "");
  g_option_context_set_summary (context, SUMMARY);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc > 1) {
    g_printerr ("%s; see gst-gpu-check --help\n",
        error ? error->message : "There are no arguments");
    return 64;
  }
  /* Flush each line, in case a driver ends the process. */
  setvbuf (stdout, NULL, _IOLBF, 0);
  printf ("gst-gpu-video-filters %s\n", PACKAGE_VERSION);
  return check_report (stdout, check_answers, check_n_answers);
}
