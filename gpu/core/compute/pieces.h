/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Splits work into pieces. A piece is one dispatch, fill or copy that is short enough
 * for the pacer (gpu/core/stream/pacer.h). */
#pragma once

#include "gpu/core/stream/stream.h"

G_BEGIN_DECLS

/* The caller sets all members but @first and @end, which start at 0. */
typedef struct
{
  gconstpointer work;           /* kind of work, see gpu_stream_get_dispatch_units() */
  guint64 units;                /* units of work per item, > 0 */
  guint64 n;                    /* total number of items */
  guint64 step;                 /* > 0; the size of every piece but the last is a
                                   multiple of this number of items */
  guint64 most;                 /* maximum size of a piece, in steps, > 0 */
  gboolean is_in_place;         /* pieces read and write the same buffer, in different words: a
                                   barrier comes between them, as validation knows ranges of
                                   buffers only */
  guint64 first, end;           /* current piece: items @first to @end - 1 */
} GpuPieces;

/* Moves to the next piece. Pieces are disjoint (gpu_stream_begin_disjoint()), unless they are
 * in place. If the current submission has no time left for the piece, submits @stream, waits,
 * and begins a new submission (gpu_stream_pace()). The caller then records the piece as one
 * dispatch, fill or copy, which is measured. Returns FALSE after the last piece, or when the
 * recording has failed.
 *
 *   while (gpu_pieces_next (&pieces, stream))
 *     gpu_stream_dispatch (stream, ...);
 */
gboolean gpu_pieces_next (GpuPieces * pieces, GpuStream * stream);

G_END_DECLS
