/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "shaders/shader.h"

G_BEGIN_DECLS

/* Returns the module of @shader with texel fetches in place of loads from storage buffers, as
 * far as it does not write the buffer, and the value is a number or a vector of 32 bits
 * each. For binding i of such a buffer, the new module also needs binding
 * GPU_MAX_BINDINGS + i, a uniform texel buffer with the same bytes. Its texels are words,
 * 32-bit unsigned integers; or if gpu_texels_find_fours() has bit i they are fours, vectors of
 * four words. Its results are the same, unless a buffer that it does not write is also bound
 * where it writes, and an invocation reads there what another one, or itself, has written.
 *
 * The caller frees the words. Sets *@size to their number of bytes. Why this is faster on some
 * CPU devices: docs/internals/design.md. */
guint32 *gpu_texels_rewrite (const GpuShader * shader, gsize * size);

/* Returns the bindings, as a bit mask, of which the rewritten @shader fetches fours: those
 * from which it loads nothing but vectors of four. */
guint32 gpu_texels_find_fours (const GpuShader * shader);

G_END_DECLS
