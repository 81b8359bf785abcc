/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the benchmarks share: pictures, rotating frames, medians, tables. */
#pragma once

#include "gpu/core/frame/frame.h"
#include "gpu/core/stream/stream.h"
#include <stdio.h>

G_BEGIN_DECLS

/* Input pictures: RGBA, tightly packed. */
typedef struct
{
  gchar *name;
  guint width, height;
  guint8 *bytes;
} BenchPicture;

void bench_picture_free (BenchPicture * picture);

/* Uniform noise in R, G and B, alpha 255: what no cache and no compression of
 * a device can profit from. */
BenchPicture *bench_picture_noise (guint width, guint height, guint32 seed);

/* The same, and noise in alpha. */
BenchPicture *bench_picture_transparent_noise (guint width, guint height,
    guint32 seed);

/* Reads a binary PPM (P6, 8 bits), or raw RGBA from a file whose name ends in
 * .rgba, of exactly @width x @height pixels; if these are 0, a PPM of any size. NULL with
 * @error set if the file cannot be read or does not have that size. */
BenchPicture *bench_picture_load (const gchar * file, guint width,
    guint height, GError ** error);

/* A ring of frames in device memory, larger together than any cache, so that
 * no measurement reads what the one before left there. */
typedef struct
{
  guint n;
  GpuFrame *in, *out;
} BenchFrames;

/* At least two, and about @footprint bytes; the pictures by turns. The output
 * frames have the input's format. */
BenchFrames *bench_frames_new (GpuStream * stream, GpuPixels pixels,
    BenchPicture * const *pictures, guint n_pictures, gsize footprint,
    GError ** error);
void bench_frames_free (BenchFrames * frames);

/* Records the work on one frame; the stream is recording. */
typedef gboolean (*BenchRecord) (GpuStream * stream, const GpuFrame * in,
    const GpuFrame * out, gpointer data, GError ** error);

typedef struct
{
  gdouble gpu;                  /* ms, first to last command; median */
  gdouble wall;                 /* ms per frame; median */
  gdouble cpu;                  /* ms of all the process's threads per frame;
                                   median */
  gdouble longest;              /* ms, the longest dispatch of any frame */
  GpuTimings timings;           /* of the last frame */
} BenchResult;

/* How work is repeated. */
typedef struct
{
  GpuStream *stream;
  BenchFrames *frames;          /* by turns */
  guint n;                      /* frames that count, after a warm-up */
  guint slots;                  /* frames queued before one is waited for, no more
                                   than the stream has, and 8; those that take
                                   several submissions are waited for one by one */
} BenchSeries;

gboolean bench_run (const BenchSeries * series, BenchRecord record,
    gpointer data, BenchResult * result, GError ** error);

/* A shader that copies @in to @out, to compare with: what no kernel that reads
 * a frame and writes one can beat. Devices' own copies take several times as
 * long on some. */
gboolean bench_copy (GpuStream * stream, const GpuFrame * in,
    const GpuFrame * out, gpointer data, GError ** error);

/* The median of gdoubles, which it sorts; 0 of none. */
gdouble bench_median (GArray * values);

/* A column of a table: its title and its width on the screen, at the left if that is
 * negative, and its name in files. Without a title or a name it is not there. */
typedef struct
{
  const gchar *title;
  gint width;
  const gchar *name;
} BenchColumn;

/* Prints the titles, and writes the names to @csv, if that is not NULL. @columns end
 * with an empty one. */
void bench_print_titles (const BenchColumn * columns, FILE * csv);

/* The same for a row: @format has a value for each column, between bars. */
void bench_print_row (const BenchColumn * columns, FILE * csv,
    const gchar * format, ...) G_GNUC_PRINTF (3, 4);

/* Prints the time of every stage that took any. */
void bench_print_stages (const GpuTimings * timings);

/* Parses "1920x1080,64x64"; returns pairs, ends the program on nonsense. */
GArray *bench_parse_sizes (const gchar * text);
/* Parses "3,9,19". */
GArray *bench_parse_numbers (const gchar * text);

/* Whether what an option was set to, names between commas, "both" or "all", has
 * @name. */
gboolean bench_is_chosen (const gchar * option, const gchar * name);

/* Measures and prints everything; also as rows of @csv, where not NULL. FALSE
 * with @error set, or without where there is no device. */
typedef gboolean (*BenchRun) (FILE * csv, GError ** error);

/* All of main(): parses @options, and --csv, runs, says what went wrong.
 * Returns the exit status. */
int bench_main (int argc, char **argv, const gchar * name,
    const GOptionEntry * options, BenchRun run);

G_END_DECLS
