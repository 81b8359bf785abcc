/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How steady a filter's output is (steadiness.h), from files of bare R, G, B, A:
 * what it got and what it made of that, with as many frames.
 *
 *   flicker WxH noise INPUT OUTPUT   % that moves by more than 0.02 from a frame
 *                                    to the next; within 10; distortion
 *   flicker WxH still INPUT OUTPUT   of what stays in the input, % that changes
 *                                    at all; by 8 levels; distortion
 *   flicker WxH moving INPUT STEADY PLAIN  the largest ratio of distortions in
 *                                          any frame; of what was uncovered
 *   flicker WxH light INPUT STEADY PLAIN   the first of these
 *   flicker WxH cut INPUT STEADY PLAIN     the ratio in the frame of the cut;
 *                                          the largest behind it
 *
 * The last three are of the clips in clips.h. */
#include "bench.h"
#include "clips.h"
#include "measures.h"
#include "steadiness.h"

#include <string.h>

/* Frames that are not looked at, so that a filter which learns has learnt. */
#define NOISE_FROM 10
#define STILL_FROM 20

#define LATER 10

/* Input, output, and what the output is compared with. */
#define MAX_CLIPS 3

typedef struct
{
  guint width, height, n_frames;
  gsize n_pixels;               /* of a frame */
  const guint8 *clips[MAX_CLIPS];
} Material;

static const guint8 *
frame_of (const Material * material, guint clip, guint frame)
{
  return material->clips[clip] + 4 * material->n_pixels * frame;
}

/* --- one output --- */

static gdouble
distortion_from (const Material * material, guint frame)
{
  return measure_distortion (frame_of (material, 0, frame),
      frame_of (material, 1, frame),
      (material->n_frames - frame) * material->n_pixels);
}

static void
print_noise (const Material * material)
{
  const guint8 *output = frame_of (material, 1, NOISE_FROM);
  guint n_frames = material->n_frames - NOISE_FROM;

  g_print ("%.4f %.4f %.6f\n",
      100 * steadiness_moved (output, n_frames, material->n_pixels, 1),
      100 * steadiness_moved (output, n_frames, material->n_pixels, LATER),
      distortion_from (material, NOISE_FROM));
}

static void
print_still (const Material * material)
{
  SteadinessOfStill still =
      steadiness_of_still (frame_of (material, 0, STILL_FROM),
      frame_of (material, 1, STILL_FROM), material->n_frames - STILL_FROM,
      material->n_pixels);

  g_print ("%.4f %.4f %.6f\n", 100 * still.changed, 100 * still.changed_far,
      distortion_from (material, STILL_FROM));
}

/* --- two outputs --- */

static gdouble
cost_of (const Material * material, const guint8 * input, guint frame)
{
  return steadiness_cost (input, frame_of (material, 1, frame),
      frame_of (material, 2, frame), material->n_pixels);
}

static gdouble
worst_cost_from (const Material * material, guint from)
{
  gdouble worst = 0;

  for (guint frame = from; frame < material->n_frames; frame++)
    worst = MAX (worst,
        cost_of (material, frame_of (material, 0, frame), frame));
  return worst;
}

static gdouble
worst_cost_of_uncovered (const Material * material)
{
  gsize size = 4 * material->n_pixels;
  g_autofree guint8 *kept = g_malloc (size);
  gdouble worst = 0;

  for (guint frame = 0; frame < material->n_frames; frame++) {
    memcpy (kept, frame_of (material, 0, frame), size);
    if (clip_keep_uncovered (material->width, material->height, frame, kept))
      worst = MAX (worst, cost_of (material, kept, frame));
  }
  return worst;
}

static void
print_moving (const Material * material)
{
  g_print ("%.4f %.4f\n", worst_cost_from (material, 0),
      worst_cost_of_uncovered (material));
}

static void
print_light (const Material * material)
{
  g_print ("%.4f\n", worst_cost_from (material, 0));
}

static void
print_cut (const Material * material)
{
  g_print ("%.4f %.4f\n",
      cost_of (material, frame_of (material, 0, CLIP_CUT), CLIP_CUT),
      worst_cost_from (material, CLIP_CUT + 1));
}

/* --- what is asked for --- */

typedef struct
{
  const gchar *name;
  guint n_clips, least_frames;
  void (*print) (const Material * material);
} Question;

static const Question questions[] = {
  {"noise", 2, NOISE_FROM + LATER + 1, print_noise},
  {"still", 2, STILL_FROM + 2, print_still},
  {"moving", 3, 1, print_moving},
  {"light", 3, 1, print_light},
  {"cut", 3, CLIP_CUT + 2, print_cut}
};

static const Question *
find_question (const gchar * name)
{
  for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
    if (strcmp (questions[i].name, name) == 0)
      return &questions[i];
  return NULL;
}

/* Files of frames of one size, and of as many as the first has. */
static gboolean
check_length (const Question * question, Material * material, guint clip,
    gsize length, const gchar * path, GError ** error)
{
  gsize size = 4 * material->n_pixels;

  if (clip == 0)
    material->n_frames = length / size;
  if (length != material->n_frames * size
      || material->n_frames < question->least_frames) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
        "%s has %" G_GSIZE_FORMAT " bytes; it is to have %u frames of %"
        G_GSIZE_FORMAT, path, length,
        MAX (material->n_frames, question->least_frames), size);
    return FALSE;
  }
  return TRUE;
}

static gboolean
answer (const Question * question, Material * material, char **paths,
    GError ** error)
{
  GMappedFile *files[MAX_CLIPS] = { NULL };
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < question->n_clips; i++) {
    files[i] = g_mapped_file_new (paths[i], FALSE, error);
    ok = files[i] && check_length (question, material, i,
        g_mapped_file_get_length (files[i]), paths[i], error);
    if (ok)
      material->clips[i] =
          (const guint8 *) g_mapped_file_get_contents (files[i]);
  }
  if (ok)
    question->print (material);
  for (guint i = 0; i < MAX_CLIPS; i++)
    g_clear_pointer (&files[i], g_mapped_file_unref);
  return ok;
}

int
main (int argc, char **argv)
{
  const Question *question = argc > 2 ? find_question (argv[2]) : NULL;
  g_autoptr (GArray) sizes = NULL;
  g_autoptr (GError) error = NULL;
  Material material = { 0 };

  if (!question || argc != 3 + (int) question->n_clips) {
    g_printerr ("usage: flicker WxH noise|still INPUT OUTPUT\n"
        "       flicker WxH moving|light|cut INPUT STEADY PLAIN\n");
    return 2;
  }
  sizes = bench_parse_sizes (argv[1]);
  material.width = g_array_index (sizes, guint, 0);
  material.height = g_array_index (sizes, guint, 1);
  material.n_pixels = (gsize) material.width * material.height;
  if (!answer (question, &material, argv + 3, &error)) {
    g_printerr ("flicker: %s\n", error->message);
    return 1;
  }
  return 0;
}
