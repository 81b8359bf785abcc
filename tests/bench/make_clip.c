/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes a clip of photographs (clips.h), as bare R, G, B, A.
 *
 *   make_clip moving a.ppm b.ppm clip.rgba */
#include "bench.h"
#include "clips.h"

/* Any, but always the same. */
#define SEED 20

static gboolean
write_frames (const ClipKind * kind, const ClipPhotographs * photographs,
    FILE * file)
{
  gsize size = (gsize) photographs->width * photographs->height * 4;
  g_autofree guint8 *rgba = g_malloc (size);
  g_autoptr (GRand) random = g_rand_new_with_seed (SEED);
  gboolean ok = TRUE;

  for (guint frame = 0; ok && frame < kind->n_frames; frame++) {
    clip_make_frame (kind, photographs, frame, random, rgba);
    ok = fwrite (rgba, size, 1, file) == 1;
  }
  return ok;
}

static gboolean
write_clip (const ClipKind * kind, const ClipPhotographs * photographs,
    const gchar * path, GError ** error)
{
  FILE *file = fopen (path, "wb");
  gboolean ok = file && write_frames (kind, photographs, file);

  if (file)
    ok = fclose (file) == 0 && ok;
  if (!ok)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "cannot write %s",
        path);
  return ok;
}

/* @files: the photographs, all of one size, and the clip. */
static gboolean
make_clip (const ClipKind * kind, char **files, GError ** error)
{
  BenchPicture *first = bench_picture_load_ppm (files[0], error);
  BenchPicture *second = NULL;
  gboolean ok = first != NULL;

  if (ok && kind->n_photographs == 2) {
    second = bench_picture_load (files[1], first->width, first->height, error);
    ok = second != NULL;
  }
  ok = ok
      && write_clip (kind, &(ClipPhotographs) {first->bytes,
        second ? second->bytes : NULL, first->width, first->height},
      files[kind->n_photographs], error);
  g_clear_pointer (&first, bench_picture_free);
  g_clear_pointer (&second, bench_picture_free);
  return ok;
}

int
main (int argc, char **argv)
{
  const ClipKind *kind = argc > 1 ? clip_kind_find (argv[1]) : NULL;
  g_autoptr (GError) error = NULL;

  if (!kind || argc != 3 + (int) kind->n_photographs) {
    g_printerr ("usage: make_clip noise|light A.ppm CLIP.rgba\n"
        "       make_clip moving|cut A.ppm B.ppm CLIP.rgba\n");
    return 2;
  }
  if (!make_clip (kind, argv + 2, &error)) {
    g_printerr ("make_clip: %s\n", error->message);
    return 1;
  }
  return 0;
}
