/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests.h"

static struct
{
  const gchar *name;
  GTestFunc run;
} tests[128];

static guint n_tests;

void
tests_register (const gchar * name, GTestFunc run)
{
  g_assert_cmpuint (n_tests, <, G_N_ELEMENTS (tests));
  tests[n_tests].name = name;
  tests[n_tests++].run = run;
}

void
tests_add (const gchar * prefix,
    void (*add) (const gchar * path, GTestFunc run))
{
  for (guint i = 0; i < n_tests; i++) {
    g_autofree gchar *path = g_strconcat (prefix, tests[i].name, NULL);

    add (g_strdelimit (path, "_", '-'), tests[i].run);
  }
}

guint
tests_count_files (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  const gchar *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir))) {
    g_autofree gchar *path = g_build_filename ("/proc/self/fd", name, NULL);
    g_autofree gchar *target = g_file_read_link (path, NULL);

    n += !target || !g_file_test (target, G_FILE_TEST_IS_REGULAR);
  }
  return n;
}
