/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One shader that makes a small picture of luma of a frame, in all shapes that a
 * parallel reduction can have: a workgroup for every square tile. */
#pragma once

#include "gpu/core/frame/frame.h"
#include "gpu/core/stream/stream.h"

G_BEGIN_DECLS

/* How the threads of a workgroup add up what they have. */
typedef enum
{
  REDUCTION_INTERLEAVED,        /* neighbours, then every other one, … */
  REDUCTION_SEQUENTIAL,         /* one half to the other, in a loop */
  REDUCTION_UNROLLED,           /* the same, written out */
  REDUCTION_FEW_BARRIERS,       /* the same, with none within a subgroup */
  REDUCTION_SUBGROUP_SUM,       /* as the product does: subgroup arithmetic */
  REDUCTION_WAYS
} ReductionWay;

typedef struct
{
  guint tile;                   /* pixels along either axis: 16, 32 or 64 */
  guint threads;                /* of a workgroup: 16, 64 or 256 */
  guint ahead;                  /* pixels that a thread fetches before it adds
                                   the first of them: 1, 2 or 4 */
  ReductionWay way;
} Reduction;

const gchar *reduction_way_get_name (ReductionWay way);

/* All that there are for tiles of @tile, every way next to the others of its
 * shape; a shape that has more to fetch at a time than a tile has pixels is left
 * out. Of Reduction. */
GArray *reduction_list (guint tile);

/* The layout of the result: a word for every tile, those cut off by the frame's
 * edges included, which is the mean of its pixels' luma in 256ths of a code
 * value, rounded down. */
void reduction_get_means_info (const GpuFrameInfo * in, guint tile,
    GpuFrameInfo * means);

/* Records one dispatch. @in: RGBA, plane 0 from the start of its buffer. @out:
 * its buffer alone is looked at, and has room for the words at its start. @data:
 * Reduction. */
gboolean reduction_record (GpuStream * stream, const GpuFrame * in,
    const GpuFrame * out, gpointer data, GError ** error);

/* The oracle: the mean luma of every tile of @tile x @tile pixels, or of as much of it as
 * lies in the frame, row by row: 0.2126 R + 0.7152 G + 0.0722 B, with these rounded to
 * 256ths, and the mean rounded down to 256ths of a code value. @rgba: @stride bytes from
 * row to row. To be freed. */
guint32 *reduction_sum_pixels (const guint8 * rgba, gsize stride, guint width,
    guint height, guint tile);

/* Runs it on one frame. FALSE with @error set where that fails or where a word is
 * not that of @means. */
gboolean reduction_check (GpuStream * stream, const Reduction * reduction,
    const GpuFrameInfo * info, const guint8 * frame, const guint32 * means,
    GError ** error);

G_END_DECLS
