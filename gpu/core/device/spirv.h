/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads SPIR-V, as far as texels.c must understand it: modules that shaders/embed.py has
 * checked. */
#pragma once

#include "shaders/shader.h"

G_BEGIN_DECLS

#define SPIRV_HEADER_WORDS 5
#define SPIRV_BOUND 3           /* the word of the header above all ids */

/* Of the first word of an instruction. */
#define SPIRV_OPERATION(word) ((word) & 0xffff)
#define SPIRV_LENGTH(word) ((word) >> 16)

enum
{
  SPIRV_CAPABILITY = 17,
  SPIRV_TYPE_VOID = 19,
  SPIRV_TYPE_INT = 21,
  SPIRV_TYPE_FLOAT = 22,
  SPIRV_TYPE_VECTOR = 23,
  SPIRV_TYPE_IMAGE = 25,
  SPIRV_TYPE_ARRAY = 28,
  SPIRV_TYPE_RUNTIME_ARRAY = 29,
  SPIRV_TYPE_STRUCT = 30,
  SPIRV_TYPE_POINTER = 32,
  SPIRV_CONSTANT = 43,
  SPIRV_SPEC_CONSTANT_TRUE = 48,
  SPIRV_SPEC_CONSTANT_FALSE = 49,
  SPIRV_SPEC_CONSTANT = 50,
  SPIRV_FUNCTION = 54,
  SPIRV_FUNCTION_CALL = 57,
  SPIRV_VARIABLE = 59,
  SPIRV_LOAD = 61,
  SPIRV_STORE = 62,
  SPIRV_COPY_MEMORY = 63,
  SPIRV_ACCESS_CHAIN = 65,
  SPIRV_DECORATE = 71,
  SPIRV_MEMBER_DECORATE = 72,
  SPIRV_COMPOSITE_CONSTRUCT = 80,
  SPIRV_COMPOSITE_EXTRACT = 81,
  SPIRV_IMAGE_FETCH = 95,
  SPIRV_BITCAST = 124,
  SPIRV_I_ADD = 128,
  SPIRV_I_MUL = 132,
  SPIRV_SHIFT_RIGHT_LOGICAL = 194,
  SPIRV_ATOMIC_LOAD = 227,
  SPIRV_ATOMIC_STORE = 228,
  SPIRV_ATOMIC_XOR = 242,
};

enum
{
  SPIRV_DECORATION_SPEC_ID = 1,
  SPIRV_DECORATION_ARRAY_STRIDE = 6,
  SPIRV_DECORATION_BINDING = 33,
  SPIRV_DECORATION_DESCRIPTOR_SET = 34,
  SPIRV_DECORATION_OFFSET = 35,
};

#define SPIRV_CAPABILITY_SAMPLED_BUFFER 46
#define SPIRV_STORAGE_UNIFORM_CONSTANT 0
#define SPIRV_STORAGE_BUFFER 12
#define SPIRV_DIM_BUFFER 5
#define SPIRV_IS_SAMPLED 1

/* A module. Ids are those of SPIR-V. */
typedef struct
{
  const guint32 *words;         /* not owned */
  gsize n_words;
  gsize functions_at;           /* the first word of the first function */
  const guint32 **definitions;  /* by id: the instruction that defines a type, a number, a
                                   variable or an access chain; NULL: something else */
  guint32 n_ids;
} GpuSpirv;

/* Reads @shader, which must live as long. The caller clears @module. */
void gpu_spirv_init (GpuSpirv * module, const GpuShader * shader);
void gpu_spirv_clear (GpuSpirv * module);

/* Returns the instruction that defines @id if it is an @operation; otherwise NULL. */
const guint32 *gpu_spirv_find (const GpuSpirv * module, guint32 id,
    guint operation);

/* Returns the number of a decoration of @id, or of its member @member if that is not
 * negative; 0 if it has none. */
guint32 gpu_spirv_get_decoration (const GpuSpirv * module, guint32 id,
    gint member, guint decoration);

/* Returns the declaration of the storage buffer that @pointer points into, or NULL if it
 * points elsewhere. */
const guint32 *gpu_spirv_find_buffer (const GpuSpirv * module,
    guint32 pointer);

/* Returns the binding of a declaration of a storage buffer. */
guint gpu_spirv_get_binding (const GpuSpirv * module, const guint32 * buffer);

/* Returns which bindings are written, as a bit mask. A buffer that a function is given counts
 * as written. */
guint32 gpu_spirv_find_written (const GpuSpirv * module);

G_END_DECLS
