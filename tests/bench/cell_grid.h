/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The colours of a picture as points in a grid of cells, on the host, and orders of these:
 * what the walks of ladder.h go over. */
#pragma once

#include "bench.h"
#include "gpu/palette/settings.h"
#include "gpu/palette/exact/exact.h"
#include "reference_lattice.h"

G_BEGIN_DECLS

/* A point as shaders/palette/exact/grid.glsl has it. */
typedef struct
{
  guint32 ab, L;
} CellPoint;

/* Distinct colours, in the order of R << 16 | G << 8 | B. */
typedef struct
{
  guint n;
  CellPoint *points;
  guint32 *weights;             /* pixels of each colour, or 1 */
  guint radius_squared;         /* in units of the lattice */
} CellColours;

/* Of the pixels of which alpha is not 0; @radius in Oklab units. */
CellColours *cell_colours_new (const BenchPicture * picture, gdouble radius,
    ReferenceTransfer transfer, GpuPaletteWeighting weighting);
void cell_colours_free (CellColours * colours);

/* Makes the pixels of all but about @n colours transparent. */
void cell_colours_thin (BenchPicture * picture, guint n);

/* Sums over all points before one: weights, and weighted L, a and b. */
typedef struct
{
  guint64 weight, L, a, b;
} BinSums;

typedef struct
{
  GpuPaletteGridCells cells;
  guint n_cells;
  guint32 *starts;              /* n_cells + 1: the first point of each */
  guint32 *origins;             /* the colour of each point */
  CellPoint *points;            /* by cell, colours of one in their order */
  guint32 *weights;
  BinSums *sums;               /* n + 1 */
} CellGrid;

/* Cells of 2^@shift_l lattice units along L and 2^@shift along a and b. */
CellGrid *cell_grid_new (const CellColours * colours, guint shift,
    guint shift_l);
void cell_grid_free (CellGrid * grid);

/* Of a point: L, a and b of its cell. */
void cell_grid_place (const CellGrid * grid, CellPoint point, guint place[3]);

/* --- orders of the cells of a box, in which near ones come soon after each other --- */

typedef enum
{
  CURVE_STRAIGHT,               /* row by row, the last axis first */
  CURVE_HILBERT,                /* through the least cube of 2^k cells a side
                                   that holds the box (John Skilling,
                                   "Programming the Hilbert curve", 2004) */
  CURVE_GILBERT,                /* through the box itself (Jakub Červený,
                                   "Generalized Hilbert space-filling curve",
                                   2019) */
  CURVES
} Curve;

const gchar *curve_get_name (Curve curve);

/* Returns, by cell (row by row, the last axis first), where it is on the curve:
 * numbers that grow along it; of a box of @size[0] · @size[1] · @size[2] cells, none
 * of them 0. Free with g_free(). */
guint64 *curve_new (Curve curve, const guint size[3]);

G_END_DECLS
