/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "palette_tests.h"

#include <string.h>

#define MOST_TESTS 256

static struct
{
  PaletteTests kinds;
  const gchar *path;
  GTestFunc run;
  void (*add) (void);
} tests[MOST_TESTS];

static guint n_tests;

gboolean palette_is_full;

void
palette_tests_register (PaletteTests kinds, const gchar * path, GTestFunc run,
    void (*add) (void))
{
  g_assert_cmpuint (n_tests, <, MOST_TESTS);
  tests[n_tests].kinds = kinds;
  tests[n_tests].path = path;
  tests[n_tests].run = run;
  tests[n_tests++].add = add;
}

static void
add_test (guint i)
{
  g_autofree gchar *path = g_strdup (tests[i].path);

  if (tests[i].add)
    tests[i].add ();
  else
    g_test_add_func (g_strdelimit (path, "_", '-'), tests[i].run);
}

guint
palette_tests_add (PaletteTests wanted, const gchar * group)
{
  const gsize length = group ? strlen (group) : 0;
  guint n = 0;

  for (guint i = 0; i < n_tests; i++) {
    const gchar *path = tests[i].path + 1;

    if (group && (strncmp (path, group, length) || path[length] != '/'))
      continue;
    n++;
    if (tests[i].kinds & wanted)
      add_test (i);
  }
  return n;
}
