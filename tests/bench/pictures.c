/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a filter makes of the scenes (scenes.h), from files of bare R, G, B, A.
 *
 *   pictures list                   all scenes: group, name, photographs
 *   pictures make SCENE FOLDER CLIP writes its frames; FOLDER has the photographs,
 *                                   NAME.ppm
 *   pictures measure SCENE FOLDER CLIP OUTPUT [PLAIN]
 *                                   a line for each measure: its name, its value.
 *                                   PLAIN is another output, to compare with
 *   pictures distance CLIP OUTPUT   the mean distance alone, of any clip
 */
#include "bench.h"
#include "clips.h"
#include "scene_measures.h"

#include <string.h>

#define FRAME_BYTES (4 * SCENE_PIXELS)

/* Any, but always the same. */
#define SEED 32

/* Frames before it are not looked at for what moves: a filter learns. */
#define SETTLED 10

/* How long ago something was where what it left is a ghost, and when it is a
 * stain. */
#define GHOST_FRAMES 5
#define STAIN_FRAMES (2 * SCENE_HALF_SECOND)

/* Of a frame, so that distances count: near black a code value is as much as
 * 0.07. */
#define LEAST_LIGHTNESS 0.2

/* Less distance than this is none. */
#define LEAST_DISTANCE 0.005

/* --- the photographs --- */

typedef struct
{
  BenchPicture *first, *other;
} Photographs;

static void
photographs_clear (Photographs * photographs)
{
  g_clear_pointer (&photographs->first, bench_picture_free);
  g_clear_pointer (&photographs->other, bench_picture_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Photographs, photographs_clear);

/* Nothing, where there is no @name. */
static gboolean
load (const gchar * folder, const gchar * name, BenchPicture ** picture,
    GError ** error)
{
  g_autofree gchar *file = g_strdup_printf ("%s/%s.ppm", folder, name);

  if (name)
    *picture = bench_picture_load (file, SCENE_PHOTOGRAPH_WIDTH,
        SCENE_PHOTOGRAPH_HEIGHT, error);
  return !name || *picture;
}

static gboolean
load_photographs (const Scene * scene, const gchar * folder,
    Photographs * photographs, GError ** error)
{
  return load (folder, scene->photograph, &photographs->first, error)
      && load (folder, scene->other, &photographs->other, error);
}

static void
draw (const Scene * scene, const Photographs * photographs, guint frame,
    gdouble * levels)
{
  ScenePhotographs bytes = {
    photographs->first ? photographs->first->bytes : NULL,
    photographs->other ? photographs->other->bytes : NULL
  };

  scene_draw (scene, &bytes, frame, levels);
}

/* --- clips --- */

static gboolean
write_frames (const Scene * scene, const Photographs * photographs, FILE * file)
{
  g_autofree gdouble *levels = g_new (gdouble, 3 * SCENE_PIXELS);
  g_autofree guint8 *rgba = g_malloc (FRAME_BYTES);
  g_autoptr (GRand) random = g_rand_new_with_seed (SEED);
  gboolean ok = TRUE;

  for (guint frame = 0; ok && frame < scene->n_frames; frame++) {
    draw (scene, photographs, frame, levels);
    clip_add_noise (levels, SCENE_PIXELS, scene->noise, random, rgba);
    ok = fwrite (rgba, FRAME_BYTES, 1, file) == 1;
  }
  return ok;
}

static gboolean
make (const Scene * scene, char **paths, GError ** error)
{
  g_auto (Photographs) photographs = { 0 };
  FILE *file;
  gboolean ok;

  if (!load_photographs (scene, paths[0], &photographs, error))
    return FALSE;
  file = fopen (paths[1], "wb");
  ok = file && write_frames (scene, &photographs, file);
  if (file)
    ok = fclose (file) == 0 && ok;
  if (!ok)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "cannot write %s",
        paths[1]);
  return ok;
}

/* --- measures --- */

/* Of all frames so far. */
typedef struct
{
  const Scene *scene;
  guint8 *seen;                 /* clean, with alpha 0 where it does not count */
  guint8 *touched;              /* 1 where the object was in any frame */
  SceneShare moved;
  gdouble distance, plain_distance;
  gdouble worst_ratio, jump;
  gdouble chroma, chroma_before;
  gdouble ghost, plain_ghost;
  gdouble stain;
  guint n_ghosts, n_kept, n_kept_of;
  gboolean is_kept;
} Tally;

static void
see_region (Tally * tally, const SceneMoment * moment)
{
  memcpy (tally->seen, moment->clean, FRAME_BYTES);
  for (gint i = 0; i < SCENE_PIXELS; i++)
    if (!scene_has_region (moment->scene, moment->frame, i,
            moment->clean + 4 * i))
      tally->seen[4 * i + 3] = 0;
}

static void
tally_small (Tally * tally, const SceneMoment * moment)
{
  guint from = tally->scene->object.first + SCENE_HALF_SECOND;
  gboolean is_kept;

  if (moment->frame < from)
    return;
  see_region (tally, moment);
  is_kept = scene_keeps_colour (scene_measure_mean (tally->seen,
          tally->seen), scene_measure_mean (tally->seen, moment->output));
  if (moment->frame == from)
    tally->is_kept = is_kept;
  tally->n_kept += is_kept;
  tally->n_kept_of++;
}

static void
tally_skin (Tally * tally, const SceneMoment * moment)
{
  if (moment->frame < SETTLED)
    return;
  see_region (tally, moment);
  tally->chroma += scene_measure_chroma (tally->seen, moment->output);
  tally->chroma_before += scene_measure_chroma (tally->seen, tally->seen);
}

static void
tally_light (Tally * tally, const SceneMoment * moment, const guint8 * input,
    const guint8 * plain)
{
  if (moment->frame >= SETTLED)
    tally->jump = MAX (tally->jump, scene_measure_jump (moment));
  if (plain && scene_measure_mean (moment->clean, moment->clean).L
      >= LEAST_LIGHTNESS)
    tally->worst_ratio = MAX (tally->worst_ratio,
        measure_ratio (measure_distortion (input, moment->output,
                SCENE_PIXELS), measure_distortion (input, plain,
                SCENE_PIXELS), LEAST_DISTANCE));
}

static gboolean
was_touched (const Scene * scene, guint frame, gint pixel)
{
  for (guint ago = 0; ago < GHOST_FRAMES && ago <= frame; ago++)
    if (scene_has_object (scene, frame - ago, pixel))
      return TRUE;
  return FALSE;
}

static void
tally_ghost (Tally * tally, const SceneMoment * moment, const guint8 * plain)
{
  const SceneObject *object = &tally->scene->object;
  gboolean is_touched = FALSE;

  memcpy (tally->seen, moment->clean, FRAME_BYTES);
  for (gint i = 0; i < SCENE_PIXELS; i++) {
    gboolean counts = was_touched (tally->scene, moment->frame, i);

    tally->touched[i] |= counts;
    is_touched |= counts;
    tally->seen[4 * i + 3] = counts ? 255 : 0;
  }
  if (is_touched) {
    tally->ghost += measure_distortion (tally->seen, moment->output,
        SCENE_PIXELS);
    if (plain)
      tally->plain_ghost += measure_distortion (tally->seen, plain,
          SCENE_PIXELS);
    tally->n_ghosts++;
  }
  if (plain && object->n_frames > 0
      && moment->frame == object->first + object->n_frames + STAIN_FRAMES) {
    for (gint i = 0; i < SCENE_PIXELS; i++)
      tally->seen[4 * i + 3] = tally->touched[i] ? 255 : 0;
    tally->stain = scene_measure_stain (tally->seen, moment->output, plain);
  }
}

static gboolean
is_of (const Scene * scene, const gchar * group)
{
  return strcmp (scene->group, group) == 0;
}

static void
tally_frame (Tally * tally, const SceneMoment * moment, const guint8 * input,
    const guint8 * plain)
{
  const Scene *scene = tally->scene;

  tally->distance += measure_distortion (input, moment->output, SCENE_PIXELS);
  if (plain)
    tally->plain_distance += measure_distortion (input, plain, SCENE_PIXELS);
  if (is_of (scene, "small"))
    tally_small (tally, moment);
  if (is_of (scene, "skin"))
    tally_skin (tally, moment);
  if (is_of (scene, "ghost"))
    tally_ghost (tally, moment, plain);
  if (scene->light != SCENE_LIGHT_STEADY)
    tally_light (tally, moment, input, plain);
  else if (moment->frame >= SETTLED)
    scene_count_moved (moment, &tally->moved);
}

static void
print_tally (const Tally * tally)
{
  const Scene *scene = tally->scene;

  g_print ("distance %.5f\n", tally->distance / scene->n_frames);
  if (is_of (scene, "small"))
    g_print ("kept %d\nkept-later %.4f\n", tally->is_kept,
        (gdouble) tally->n_kept / tally->n_kept_of);
  if (is_of (scene, "skin"))
    g_print ("chroma %.4f\n", tally->chroma / tally->chroma_before);
  if (is_of (scene, "ghost"))
    g_print ("ghost %.5f\n", tally->ghost / tally->n_ghosts);
  if (scene->light != SCENE_LIGHT_STEADY)
    g_print ("jump %.5f\n", tally->jump);
  else
    g_print ("%s %.6f\n", scene->camera > SCENE_CAMERA_WIDE ? "boil" :
        "flicker", (gdouble) tally->moved.n / MAX (tally->moved.n_of, 1));
}

/* What has a meaning only beside another output. */
static void
print_compared (const Tally * tally)
{
  const Scene *scene = tally->scene;

  if (is_of (scene, "ghost"))
    g_print ("ghost-ratio %.4f\n", measure_ratio (tally->ghost
            / tally->n_ghosts, tally->plain_ghost / tally->n_ghosts,
            LEAST_DISTANCE));
  if (scene->object.n_frames > 0)
    g_print ("stain %.5f\n", tally->stain);
  if (scene->light != SCENE_LIGHT_STEADY)
    g_print ("light-worst %.4f\nlight-mean %.4f\n", tally->worst_ratio,
        tally->distance / tally->plain_distance);
}

enum
{
  INPUT, OUTPUT, PLAIN, N_CLIPS
};

static void
measure (const Scene * scene, const Photographs * photographs,
    const guint8 * const *clips)
{
  g_autofree gdouble *levels = g_new (gdouble, 3 * SCENE_PIXELS);
  g_autofree guint8 *clean = g_malloc (2 * FRAME_BYTES);
  g_autofree guint8 *seen = g_malloc (FRAME_BYTES);
  g_autofree guint8 *touched = g_malloc0 (SCENE_PIXELS);
  Tally tally = {.scene = scene, .seen = seen, .touched = touched};

  for (guint frame = 0; frame < scene->n_frames; frame++) {
    gsize at = (gsize) FRAME_BYTES * frame;
    SceneMoment moment = { scene, frame,
      clean + frame % 2 * FRAME_BYTES, clean + (frame + 1) % 2 * FRAME_BYTES,
      clips[OUTPUT] + at, frame > 0 ? clips[OUTPUT] + at - FRAME_BYTES : NULL
    };

    draw (scene, photographs, frame, levels);
    clip_round_levels (levels, SCENE_PIXELS, clean + frame % 2 * FRAME_BYTES);
    tally_frame (&tally, &moment, clips[INPUT] + at,
        clips[PLAIN] ? clips[PLAIN] + at : NULL);
  }
  print_tally (&tally);
  if (clips[PLAIN])
    print_compared (&tally);
}

/* --- files --- */

/* Maps @n files of as many bytes as the first, which is to have @n_frames, or
 * any number above 0 where that is 0. */
static gboolean
map_files (char **paths, guint n, guint n_frames, GMappedFile ** files,
    GError ** error)
{
  gsize length = (gsize) n_frames * FRAME_BYTES;

  for (guint i = 0; i < n; i++) {
    files[i] = g_mapped_file_new (paths[i], FALSE, error);
    if (!files[i])
      return FALSE;
    if (length == 0)
      length = g_mapped_file_get_length (files[i]);
    if (length == 0 || length % FRAME_BYTES > 0
        || g_mapped_file_get_length (files[i]) != length) {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
          "%s has %" G_GSIZE_FORMAT " bytes; it is to have %" G_GSIZE_FORMAT
          " frames of %d", paths[i], g_mapped_file_get_length (files[i]),
          MAX (length / FRAME_BYTES, 1), FRAME_BYTES);
      return FALSE;
    }
  }
  return TRUE;
}

static void
unmap_files (GMappedFile ** files, guint n)
{
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&files[i], g_mapped_file_unref);
}

static const guint8 *
bytes_of (GMappedFile * file)
{
  return (const guint8 *) g_mapped_file_get_contents (file);
}

/* @paths: of the photographs' folder, and of @n clips. */
static gboolean
measure_files (const Scene * scene, char **paths, guint n, GError ** error)
{
  g_auto (Photographs) photographs = { 0 };
  GMappedFile *files[N_CLIPS] = { NULL };
  gboolean ok = load_photographs (scene, paths[0], &photographs, error)
      && map_files (paths + 1, n, scene->n_frames, files, error);

  if (ok) {
    const guint8 *clips[N_CLIPS] = { NULL };

    for (guint i = 0; i < n; i++)
      clips[i] = bytes_of (files[i]);
    measure (scene, &photographs, clips);
  }
  unmap_files (files, N_CLIPS);
  return ok;
}

static gboolean
measure_distance_of_files (char **paths, GError ** error)
{
  GMappedFile *files[2] = { NULL };
  gboolean ok = map_files (paths, 2, 0, files, error);

  if (ok)
    g_print ("distance %.5f\n", measure_distortion (bytes_of (files[0]),
            bytes_of (files[1]), g_mapped_file_get_length (files[0]) / 4));
  unmap_files (files, 2);
  return ok;
}

/* --- what is asked for --- */

static void
list (void)
{
  for (const Scene * scene = scenes; scene->name; scene++)
    g_print ("%s %s %s %s\n", scene->group, scene->name,
        scene->photograph ? scene->photograph : "",
        scene->other ? scene->other : "");
}

int
main (int argc, char **argv)
{
  const gchar *task = argc > 1 ? argv[1] : "";
  const Scene *scene = argc > 2 ? scene_find (argv[2]) : NULL;
  g_autoptr (GError) error = NULL;
  gboolean ok = TRUE;

  if (argc == 2 && strcmp (task, "list") == 0)
    list ();
  else if (argc == 5 && scene && strcmp (task, "make") == 0)
    ok = make (scene, argv + 3, &error);
  else if ((argc == 6 || argc == 7) && scene && strcmp (task, "measure") == 0)
    ok = measure_files (scene, argv + 3, argc - 4, &error);
  else if (argc == 4 && strcmp (task, "distance") == 0)
    ok = measure_distance_of_files (argv + 2, &error);
  else {
    g_printerr ("usage: pictures list\n"
        "       pictures make SCENE FOLDER CLIP.rgba\n"
        "       pictures measure SCENE FOLDER CLIP.rgba OUTPUT.rgba [PLAIN.rgba]\n"
        "       pictures distance CLIP.rgba OUTPUT.rgba\n");
    return 2;
  }
  if (!ok)
    g_printerr ("pictures: %s\n", error->message);
  return ok ? 0 : 1;
}
