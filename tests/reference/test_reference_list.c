/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists of modes that are right, and such as are not. */
#include "reference_list.h"
#include "test_reference.h"

#include <string.h>

/* At this radius the first two are near each other. */
#define RADIUS 0.05
#define GREY 0x808080
#define GREYER 0x818181
#define RED 0xc02020

/* Six pixels of grey, three of it a little lighter, one red, and one that does not
 * count. */
static const guint8 picture[] = {
  0x80, 0x80, 0x80, 255, 0x80, 0x80, 0x80, 255, 0x80, 0x80, 0x80, 255,
  0x80, 0x80, 0x80, 255, 0x80, 0x80, 0x80, 1, 0x80, 0x80, 0x80, 255,
  0x81, 0x81, 0x81, 255, 0x81, 0x81, 0x81, 255, 0x81, 0x81, 0x81, 255,
  0xc0, 0x20, 0x20, 255, 0xc0, 0x20, 0x20, 0
};

/* @words of the fault; NULL: there is none. */
static void
check (gdouble radius, const ReferenceListed * modes, guint n_modes,
    const gchar * words)
{
  const ReferencePaletteSettings settings = {.radius = radius};
  guint n_merged;
  g_autofree gchar *fault = reference_list_find_fault (&settings, picture,
      sizeof picture / 4, modes, n_modes, &n_merged);

  if (words) {
    g_assert_nonnull (fault);
    g_assert_nonnull (strstr (fault, words));
  } else {
    g_assert_null (fault);
    g_assert_cmpuint (n_merged, ==, 3 - n_modes);
  }
}

static void
test_right (void)
{
  const ReferenceListed merged[] = { {GREY, 0.9}, {RED, 0.1} };
  const ReferenceListed apart[] = { {GREY, 0.6}, {GREYER, 0.3}, {RED, 0.1} };

  check (RADIUS, merged, 2, NULL);
  check (0.001, apart, 3, NULL);
}

static void
test_wrong (void)
{
  const ReferenceListed unsorted[] = { {RED, 0.1}, {GREY, 0.9} };
  const ReferenceListed apart[] = { {GREY, 0.6}, {GREYER, 0.3}, {RED, 0.1} };
  const ReferenceListed lighter[] = { {GREYER, 0.9}, {RED, 0.1} };
  const ReferenceListed twice[] = { {GREY, 0.9}, {GREY, 0.1} };
  const ReferenceListed foreign[] = { {GREY, 0.9}, {0xc02021, 0.1} };
  const ReferenceListed share[] = { {GREY, 0.8}, {RED, 0.2} };

  check (RADIUS, unsorted, 2, "sorted");
  check (RADIUS, apart, 3, "is near");
  check (RADIUS, lighter, 2, "is missing");
  check (RADIUS, twice, 2, "twice");
  check (RADIUS, foreign, 2, "no pixel");
  check (RADIUS, share, 2, "not 9 to 9");
  check (RADIUS, unsorted + 1, 1, "is missing");
}

void
test_reference_add_list (void)
{
  g_test_add_func ("/list/right", test_right);
  g_test_add_func ("/list/wrong", test_wrong);
}
