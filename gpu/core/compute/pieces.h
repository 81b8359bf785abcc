/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Work in pieces: each is one dispatch, fill or copy, short enough for the pacer. */
#pragma once

#include "gpu/core/stream/stream.h"

G_BEGIN_DECLS

/* Set all but the last two, which are 0 at first. */
typedef struct
{
  GpuCost cost;                 /* of a unit of work */
  guint64 units;                /* of work in an item, not 0 */
  guint64 n;                    /* items in all */
  guint64 step;                 /* not 0: every piece but the last has a multiple of
                                   so many items */
  guint64 most;                 /* steps of a piece at most, not 0 */
  guint64 first, end;           /* the piece at hand: items @first to @end - 1 */
} GpuPieces;

/* Goes on to the next piece, and submits @stream, waits for it and begins anew where
 * what was recorded leaves no time for that piece: then record it, as one dispatch,
 * fill or copy, which is measured. FALSE behind the last piece, or with @error set, as
 * of gpu_stream_pace(): gpu_pieces_are_done() tells which.
 *
 *   while (gpu_pieces_next (&pieces, stream, error))
 *     gpu_stream_dispatch (stream, ...);
 *   return gpu_pieces_are_done (&pieces);
 */
gboolean gpu_pieces_next (GpuPieces * pieces, GpuStream * stream,
    GError ** error);
gboolean gpu_pieces_are_done (const GpuPieces * pieces);

G_END_DECLS
