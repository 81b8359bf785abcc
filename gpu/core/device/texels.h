/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "shaders/shader.h"

G_BEGIN_DECLS

/* Returns the module of @shader with texel fetches in place of loads from storage buffers, as
 * far as it does not write the buffer, and the value is a number or a vector of 32 bits
 * each. For binding i of such a buffer, the new module also needs binding
 * GPU_MAX_BINDINGS + i, a uniform texel buffer of 32-bit unsigned integers with the same
 * bytes. Its results are the same, unless a buffer that it does not write is also bound
 * where it writes, and an invocation reads there what another one, or itself, has written.
 *
 * The caller frees the words. Sets *@size to their number of bytes. Why this is faster on some
 * CPU devices: docs/internals/design.md. */
guint32 *gpu_texels_rewrite (const GpuShader * shader, gsize * size);

G_END_DECLS
