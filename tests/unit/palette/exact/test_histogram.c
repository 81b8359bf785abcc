/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The colours of frame after frame, as the palette lists them, against counts
 * of the CPU; and the box of their lattice points. */
#include "gpu/palette/exact/exact.h"
#include "gpu_fixture.h"
#include "tests.h"

#include <string.h>

#define WIDTH 62                /* no multiple of anything */
#define HEIGHT 50
#define N_PIXELS (WIDTH * HEIGHT)
#define BITMAP_WORDS (GPU_PALETTE_ALL_COLOURS / 32)
#define ABSENT 0x123456         /* a colour that no frame here has */

typedef struct
{
  GpuStream *stream;
  GpuPaletteExact *exact;
  GpuPaletteTables tables;
  GpuPaletteTuning tuning;
  GpuPaletteSettings settings;
  GpuPaletteReport report;

  GpuPaletteContext context;    /* of the last frame */
  gboolean converts;            /* to points as well */
  gboolean always;              /* whatever changed */
} Fixture;

static void
fixture_init (Fixture * fixture, guint slice)
{
  GpuDevice *device = gpu_fixture_device ();
  const GpuPaletteFormat format = {.in = GPU_PIXELS_RGBA,
    .out = GPU_PIXELS_RGBA, .width = WIDTH, .height = HEIGHT};

  *fixture = (Fixture) {.tuning.slice = slice, .settings.making.radius = 0.02,
    .settings.counting.least_alpha = 1};
  gpu_palette_tables_fill (&fixture->tables, gpu_palette_transfer_srgb, NULL);
  gpu_palette_tables_set_chroma (&fixture->tables, 1);
  fixture->stream = OK (gpu_stream_new (device, 2, "test", &error));
  fixture->exact = (GpuPaletteExact *)
      OK (gpu_palette_exact.create (device, &format, NULL, &error));
}

static void
fixture_clear (Fixture * fixture)
{
  gpu_palette_exact.free (&fixture->exact->parent);
  gpu_stream_unref (fixture->stream);
}

static gboolean
record (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  Fixture *fixture = data;

  fixture->context = (GpuPaletteContext) {.slicer = {stream},
    .settings = &fixture->settings, .tuning = &fixture->tuning,
    .tables = &fixture->tables, .report = &fixture->report};
  if (!gpu_palette_exact_count (fixture->exact, &fixture->context, in, error))
    return FALSE;
  if (fixture->converts)
    gpu_palette_exact_convert (fixture->exact, fixture->always);
  return gpu_palette_exact_read_count (fixture->exact, error);
}

static void
count (Fixture * fixture, const guint32 * pixels)
{
  g_autofree guint8 *unused = NULL;
  GpuFrameInfo info;
  const GpuFixtureWork work = { record, fixture, &info, &info };

  gpu_frame_info_init (&info, GPU_PIXELS_RGBA, WIDTH, HEIGHT);
  unused =
      OK (gpu_fixture_run (fixture->stream, &work, (const guint8 *) pixels,
          &error));
}

/* The first @n words of @from, to be freed. */
static guint32 *
read_words (Fixture * fixture, GpuBuffer * from, gsize n)
{
  g_autoptr (GpuBuffer) host =
      OK (gpu_buffer_new (gpu_fixture_device (), GPU_BUFFER_HOST, n * 4, "test",
          &error));

  OK (gpu_stream_begin (fixture->stream, &error));
  gpu_stream_copy (fixture->stream, from, 0, host, 0, n * 4);
  OK (gpu_stream_submit (fixture->stream, NULL, &error));
  OK (gpu_stream_wait_idle (fixture->stream, &error));
  OK (gpu_buffer_invalidate (host, &error));
  return g_memdup2 (gpu_buffer_get_data (host), n * 4);
}

static void
write_word (Fixture * fixture, GpuBuffer * to, guint32 word)
{
  OK (gpu_stream_begin (fixture->stream, &error));
  gpu_stream_fill (fixture->stream, to, 0, 4, word);
  OK (gpu_stream_submit (fixture->stream, NULL, &error));
}

/* --- what is expected --- */

/* As numbers.glsl has it: blocks of 8 x 8 x 16 values. */
static guint
number_of (guint32 pixel)
{
  guint r = pixel & 255, g = pixel >> 8 & 255, b = pixel >> 16 & 255;
  guint block = (r >> 3) << 9 | (g >> 3) << 4 | b >> 4;

  return block << 10 | (r & 7) << 7 | (g & 7) << 4 | (b & 15);
}

static guint
colour_of (guint number)
{
  guint block = number >> 10;
  guint r = block >> 9 << 3 | (number >> 7 & 7);
  guint g = (block >> 4 & 31) << 3 | (number >> 4 & 7);
  guint b = (block & 15) << 4 | (number & 15);

  return r << 16 | g << 8 | b;
}

typedef struct
{
  guint number, count;
} Entry;

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *) a, y = *(const guint *) b;

  return (x > y) - (x < y);
}

/* Entries, ascending. Pixels with alpha 0 do not count. */
static GArray *
expected_list (const guint32 * pixels)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Entry));

  for (guint i = 0; i < N_PIXELS; i++) {
    guint number = number_of (pixels[i]);

    if (pixels[i] >> 24 != 0)
      g_array_append_val (numbers, number);
  }
  g_array_sort (numbers, compare_numbers);
  for (guint i = 0; i < numbers->len; i++) {
    Entry entry = { g_array_index (numbers, guint, i), 1 };

    if (list->len > 0
        && g_array_index (list, Entry, list->len - 1).number == entry.number)
      g_array_index (list, Entry, list->len - 1).count++;
    else
      g_array_append_val (list, entry);
  }
  return list;
}

static guint
bits_of (guint32 word)
{
  guint n = 0;

  for (; word; word &= word - 1)
    n++;
  return n;
}

static void
check_list (Fixture * fixture, GArray * expected)
{
  guint n = expected->len, n_present = 0;
  g_autofree guint32 *list = NULL, *weights = NULL, *ranks = NULL;
  g_autofree guint32 *present = NULL;

  g_assert_cmpuint (fixture->exact->solve.n, ==, n);
  g_assert_cmpuint (fixture->report.counted.colours, ==, n);
  list = read_words (fixture, fixture->exact->buffers.list, MAX (n, 1));
  weights = read_words (fixture, fixture->exact->buffers.weights, MAX (n, 1));
  ranks = read_words (fixture, fixture->exact->buffers.ranks, BITMAP_WORDS);
  present =
      read_words (fixture, fixture->exact->buffers.presence, BITMAP_WORDS);
  for (guint i = 0; i < n; i++) {
    const Entry *entry = &g_array_index (expected, Entry, i);
    guint word = entry->number / 32, bit = 1u << entry->number % 32;

    g_assert_cmphex (list[i], ==, colour_of (entry->number));
    g_assert_cmpuint (weights[i], ==, entry->count);
    g_assert_true (present[word] & bit);
    g_assert_cmpuint (ranks[word] + bits_of (present[word] & (bit - 1)), ==, i);
  }
  for (guint i = 0; i < BITMAP_WORDS; i++)
    n_present += bits_of (present[i]);
  g_assert_cmpuint (n_present, ==, n);
}

static gboolean
is_same_set (GArray * a, GArray * b)
{
  gboolean same = a->len == b->len;

  for (guint i = 0; same && i < a->len; i++)
    same = g_array_index (a, Entry, i).number
        == g_array_index (b, Entry, i).number;
  return same;
}

/* --- tests --- */

static guint32
random_pixel (GRand * random)
{
  guint32 pixel = g_rand_int (random) & 0xffffff;

  /* Some of all there are, many of a few, and some that do not count. */
  if (g_rand_int_range (random, 0, 2))
    pixel = (pixel & 0x030303) * 0x51;
  return pixel | (g_rand_int_range (random, 0, 8) ? 0xff000000 : 0);
}

/* Changes of no pixel, of some, and of all, so that counting starts anew. */
static void
check_edits (guint slice)
{
  static const guint changes[] = {
    N_PIXELS, 0, 1, 1, 30, 0, 300, N_PIXELS, N_PIXELS, 2, 0, N_PIXELS, 5
  };
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  g_autofree guint32 *pixels = g_new0 (guint32, N_PIXELS);
  g_autoptr (GArray) before = g_array_new (FALSE, FALSE, sizeof (Entry));
  guint n_recounted = 0;
  Fixture fixture;

  fixture_init (&fixture, slice);
  for (guint frame = 0; frame < G_N_ELEMENTS (changes); frame++) {
    GArray *expected;

    for (guint i = 0; i < changes[frame]; i++) {
      guint at = g_rand_int_range (random, 0, N_PIXELS);

      pixels[changes[frame] == N_PIXELS ? i : at] = random_pixel (random);
    }
    count (&fixture, pixels);
    expected = expected_list (pixels);
    check_list (&fixture, expected);
    g_assert_cmpuint (fixture.exact->solve.control[CONTROL_SET_CHANGED], ==,
        !is_same_set (before, expected));
    if (changes[frame] == 0)
      g_assert_cmpuint (fixture.exact->solve.control[CONTROL_WEIGHTS_CHANGED],
          ==, 0);
    n_recounted += fixture.report.counted.recounted;
    g_array_unref (before);
    before = expected;
  }
  g_assert_cmpuint (n_recounted, >, 1);
  g_assert_cmpuint (n_recounted, <, G_N_ELEMENTS (changes));
  fixture_clear (&fixture);
}

TEST (edits)
{
  check_edits (0);
}

TEST (slices)
{
  check_edits (256);
}

/* Nothing of the list is looked at where no counter was touched: it would have
 * been put right. */
TEST (untouched)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (4);
  g_autofree guint32 *pixels = g_new (guint32, N_PIXELS);
  g_autofree guint32 *list = NULL, *repaired = NULL;
  Fixture fixture;

  for (guint i = 0; i < N_PIXELS; i++)
    pixels[i] = random_pixel (random) | 0xff000000;
  fixture_init (&fixture, 0);
  count (&fixture, pixels);
  write_word (&fixture, fixture.exact->buffers.list, ABSENT);
  count (&fixture, pixels);
  g_assert_cmpuint (fixture.report.counted.changed_pixels, ==, 0);
  list = read_words (&fixture, fixture.exact->buffers.list, 1);
  g_assert_cmphex (list[0], ==, ABSENT);
  g_assert_cmpuint (fixture.exact->solve.control[CONTROL_SET_CHANGED], ==, 0);
  g_assert_cmpuint (fixture.exact->solve.n, >, 1000);
  /* One pixel is enough. */
  pixels[7] ^= 1;
  count (&fixture, pixels);
  repaired = read_words (&fixture, fixture.exact->buffers.list, 1);
  g_assert_cmphex (repaired[0], !=, ABSENT);
  fixture_clear (&fixture);
}

static void
check_box (Fixture * fixture)
{
  guint n = fixture->exact->solve.n;
  g_autofree guint32 *points =
      read_words (fixture, fixture->exact->buffers.points, 2 * n);
  GpuPaletteBox box = { {G_MAXUINT32, G_MAXUINT32, G_MAXUINT32}, {0, 0, 0} };

  for (guint i = 0; i < n; i++) {
    const guint32 *point = points + 2 * i;
    guint32 place[] = { point[1], point[0] & 0xffff, point[0] >> 16 };

    for (guint k = 0; k < 3; k++) {
      box.low[k] = MIN (box.low[k], place[k]);
      box.high[k] = MAX (box.high[k], place[k]);
    }
  }
  gpu_palette_exact_read_box (fixture->exact);
  for (guint k = 0; k < 3; k++) {
    g_assert_cmpuint (fixture->exact->solve.box.low[k], ==, box.low[k]);
    g_assert_cmpuint (fixture->exact->solve.box.high[k], ==, box.high[k]);
  }
}

/* Boxes of one colour, of the corners of what RGB can be, of noise, and of
 * colours that did not change, for which nobody looks again. */
TEST (box)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  g_autofree guint32 *pixels = g_new (guint32, N_PIXELS);
  Fixture fixture;

  fixture_init (&fixture, 0);
  fixture.converts = fixture.always = TRUE;
  for (guint frame = 0; frame < 5; frame++) {
    for (guint i = 0; i < N_PIXELS; i++)
      pixels[i] = 0xff000000 | (frame == 0 ? 0
          : frame < 3 ? (i & 1) * 0xff + (i >> 1 & 1) * 0xff00
          + (i >> 2 & 1) * 0xff0000 : g_rand_int (random) & 0xffffff);
    if (frame == 4)
      fixture.settings.making.radius = 0.3;     /* a coarser lattice */
    count (&fixture, pixels);
    check_box (&fixture);
    fixture.always = frame != 1 && frame != 2;
  }
  fixture_clear (&fixture);
}

GPU_FIXTURE_MAIN ("/histogram/", gpu_fixture_add_test)
