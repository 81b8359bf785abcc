/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interface between the shaders of regions and gpu/blur/regions/. C and GLSL include
 * this. */
#ifndef BLUR_REGIONS_SHARED_H
#define BLUR_REGIONS_SHARED_H

/* The most regions of a frame. */
#define REGIONS_MOST 256

/* Parts in which shares of treated samples are counted. */
#define REGION_WHOLE 4096

/* --- a region, REGION_WORDS words --- */

#define REGION_LEFT 0           /* the rectangle inside the frame, in pixels; ends */
#define REGION_TOP 1            /* exclusive */
#define REGION_RIGHT 2
#define REGION_BOTTOM 3
#define REGION_BOX_X 4          /* the rectangle of the shape, which may cross the */
#define REGION_BOX_Y 5          /* frame's edges; signed */
#define REGION_BOX_WIDTH 6
#define REGION_BOX_HEIGHT 7
#define REGION_SHAPE 8
#define REGION_FEATHER 9        /* pixels */
#define REGION_ACTION 10
#define REGION_BLOCK 11         /* pixels */
#define REGION_COLUMNS 12       /* of blocks */
#define REGION_ROWS 13
#define REGION_FIRST_BLOCK 14   /* number of its first block */
#define REGION_COLOUR 15        /* two words: codes of components 0 and 1, 2 and 3 */
#define REGION_SHIFT_X 17       /* from a pixel of the frame to the blurred one, signed; */
#define REGION_SHIFT_Y 18       /* multiples of ATLAS_TILE */
#define REGION_WORDS 19

#define REGION_RECTANGLE 0
#define REGION_ELLIPSE 1

/* The longest side of an ellipse's rectangle: sums of squares of products of two sides fit
 * into 64 bits. */
#define REGION_MOST_ELLIPSE 46340

/* In ascending order of priority. */
#define REGION_BLUR 0
#define REGION_PIXELATE 1
#define REGION_FILL 2

/* --- specialization constant of the copy shader --- */

#define COPY_INVERTS 0          /* alpha becomes the largest alpha minus alpha */
#define COPY_CONSTANTS 1

/* --- blocks --- */

/* Specialization constant of the shader of means: the threads of a workgroup. */
#define MEANS_THREADS 0

/* Items of each block, of which a workgroup finds the mean: what a slicer counts for a
 * workgroup, however many threads it has. */
#define MEANS_ITEMS 256
#define MEANS_CONSTANTS 1

/* The means of a block: codes of components 0 and 1, 2 and 3. */
#define REGION_BLOCK_WORDS 2

/* --- tiles of the frame --- */

/* Columns and rows of a tile, in pixels. Words of a row never lie in two tiles. */
#define REGION_TILE 16

/* The most columns and rows of a frame: PAINTED_TILE() has 11 bits for each, in tiles. */
#define REGION_MOST_SIDE (REGION_TILE << 11)

/* A word for a tile to paint: its column and row in tiles; and the region that has its pixels, all
 * or some of them. If several may have some, words follow with a bit for each region that meets
 * the tile. */
#define PAINTED_TILE(x, y, region) ((x) | (y) << 11 | (guint32) (region) << 22)
#define PAINTED_TILE_X(word) ((word) & 0x7ffu)
#define PAINTED_TILE_Y(word) ((word) >> 11 & 0x7ffu)
#define PAINTED_TILE_REGION(word) ((word) >> 22)

/* --- specialization constants of the paint shader, behind those of the format --- */

#define PAINT_ACTION 0          /* of the regions that have all of the tiles; or
                                   PAINT_SEARCH */
#define PAINT_MIXES 1           /* one of: */
#define PAINT_WHOLLY 0          /* all samples of regions are treated fully */
#define PAINT_SHARED 1          /* they are mixed with those of the frame, or some
                                   components stay */
#define PAINT_BY_ALPHA 2        /* by alpha as well */
#define PAINT_BY_INVERSE 3      /* by the largest alpha minus alpha as well */
#define PAINT_SHAPES 2          /* regions have ellipses or feathers */
#define PAINT_TILE_WORDS 3      /* words of a row of a tile in the plane, and rows: CPU */
#define PAINT_TILE_ROWS 4       /* devices are slow to divide by what is not constant */
#define PAINT_CONSTANTS 5

/* The region of each pixel is looked for. */
#define PAINT_SEARCH 3

/* --- the atlas --- */

/* Specialization constants of the shader that gathers it. */
#define GATHER_INSIDE 0         /* no cell crosses an edge of the frame */
#define GATHER_TILE_WORDS 1     /* as PAINT_TILE_WORDS and PAINT_TILE_ROWS, of tiles of the */
#define GATHER_TILE_ROWS 2      /* atlas */
#define GATHER_CONSTANTS 3

/* Columns and rows of a tile of the atlas, in pixels. A tile has a word: the number of its
 * cell, from 1; 0: none. Words of a row never lie in two tiles. */
#define ATLAS_TILE 16

/* A cell: from a pixel of the atlas to that of the frame, signed. */
#define CELL_SHIFT_X 0
#define CELL_SHIFT_Y 1
#define CELL_WORDS 2

#endif
