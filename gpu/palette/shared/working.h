/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Working frames: what maps read and write in place of frames in formats that their shaders
 * do not support. Internal to gpu/palette/. */
#pragma once

#include "gpu/core/compute/convert.h"
#include "gpu/palette/format.h"

G_BEGIN_DECLS

/* Converts input to RGBA or RGBx of 8 bits, and such output to the format that is asked
 * for. Y'CbCr is converted in the depth of the frame; codes of R'G'B' and of alpha with other
 * bits are scaled and rounded. Alpha of the output is that of the input, in its own depth,
 * unless maps write the output themselves. Frames that maps support stay as they are, unless
 * there is a curve: its tables convert R'G'B' of all frames to sRGB and back. */
typedef struct
{
  GpuPaletteFormat frames;      /* what is converted */
  GpuPaletteFormat format;      /* what maps read and write */
  GpuConversion decode, encode; /* to @in, and from @out */
  GpuFrame in, out;             /* buffer NULL: maps read or write the frame itself */
  GpuBuffer *curve;             /* tables of frames.curve; NULL: none */
} GpuPaletteWorking;

/* Returns whether frames of @pixels can be converted or are supported by maps. */
gboolean gpu_palette_working_takes (GpuPixels pixels);

/* Fills in @working for frames of @format, requests its kernels and makes its buffers. Clear
 * it afterwards, also on FALSE. Errors: TOO_LARGE (a frame that is converted, or its working
 * frame, exceeds what shaders bind), OUT_OF_MEMORY, LOST. */
gboolean gpu_palette_working_init (GpuPaletteWorking * working,
    GpuDevice * device, const GpuPaletteFormat * format, GError ** error);
void gpu_palette_working_clear (GpuPaletteWorking * working);

/* Returns the size of its buffers in bytes. */
gsize gpu_palette_working_get_memory (const GpuPaletteWorking * working);

/* Sets @in and @out to what maps read and write for @frames. */
void gpu_palette_working_choose (const GpuPaletteWorking * working,
    const GpuFrames * frames, const GpuFrame ** in, const GpuFrame ** out);

/* Record the conversion of the input before maps read it, and of the output after they wrote
 * it. */
void gpu_palette_working_decode (const GpuPaletteWorking * working,
    const GpuSlicer * slicer, const GpuFrames * frames);
void gpu_palette_working_encode (const GpuPaletteWorking * working,
    const GpuSlicer * slicer, const GpuFrames * frames);

G_END_DECLS
