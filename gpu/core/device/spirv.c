/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "spirv.h"

static guint32
result_of (const guint32 * instruction)
{
  switch (SPIRV_OPERATION (instruction[0])) {
    case SPIRV_TYPE_INT:
    case SPIRV_TYPE_FLOAT:
    case SPIRV_TYPE_VECTOR:
    case SPIRV_TYPE_ARRAY:
    case SPIRV_TYPE_RUNTIME_ARRAY:
    case SPIRV_TYPE_STRUCT:
    case SPIRV_TYPE_POINTER:
      return instruction[1];
    case SPIRV_CONSTANT:
    case SPIRV_VARIABLE:
    case SPIRV_ACCESS_CHAIN:
      return instruction[2];
    default:
      return 0;
  }
}

static void
read_definitions (GpuSpirv * module)
{
  for (gsize at = SPIRV_HEADER_WORDS; at < module->n_words;
      at += SPIRV_LENGTH (module->words[at])) {
    const guint32 *instruction = module->words + at;
    guint32 result = result_of (instruction);

    if (result)
      module->definitions[result] = instruction;
    if (SPIRV_OPERATION (instruction[0]) == SPIRV_FUNCTION
        && !module->functions_at)
      module->functions_at = at;
  }
}

const guint32 *
gpu_spirv_find (const GpuSpirv * module, guint32 id, guint operation)
{
  const guint32 *definition = id < module->n_ids
      ? module->definitions[id] : NULL;

  return definition && SPIRV_OPERATION (definition[0]) == operation
      ? definition : NULL;
}

guint32
gpu_spirv_get_decoration (const GpuSpirv * module, guint32 id, gint member,
    guint decoration)
{
  const guint operation = member < 0 ? SPIRV_DECORATE : SPIRV_MEMBER_DECORATE;

  for (gsize at = SPIRV_HEADER_WORDS;
      SPIRV_OPERATION (module->words[at]) != SPIRV_FUNCTION;
      at += SPIRV_LENGTH (module->words[at])) {
    const guint32 *words = module->words + at;
    const guint32 *rest = words + (member < 0 ? 2 : 3);

    if (SPIRV_OPERATION (words[0]) == operation && words[1] == id
        && (member < 0 || words[2] == (guint32) member)
        && rest[0] == decoration)
      return rest[1];
  }
  return 0;
}

const guint32 *
gpu_spirv_find_buffer (const GpuSpirv * module, guint32 pointer)
{
  const guint32 *chain, *variable;

  while ((chain = gpu_spirv_find (module, pointer, SPIRV_ACCESS_CHAIN)))
    pointer = chain[3];
  variable = gpu_spirv_find (module, pointer, SPIRV_VARIABLE);
  return variable && variable[3] == SPIRV_STORAGE_BUFFER ? variable : NULL;
}

guint
gpu_spirv_get_binding (const GpuSpirv * module, const guint32 * buffer)
{
  return gpu_spirv_get_decoration (module, buffer[2], -1,
      SPIRV_DECORATION_BINDING);
}

/* Returns the binding that @pointer points into, as a bit mask. */
static guint32
mask_of (const GpuSpirv * module, guint32 pointer)
{
  const guint32 *buffer = gpu_spirv_find_buffer (module, pointer);

  return buffer ? 1u << gpu_spirv_get_binding (module, buffer) : 0;
}

/* Returns which bindings an instruction may write. */
static guint32
find_written_by (const GpuSpirv * module, const guint32 * words)
{
  const guint operation = SPIRV_OPERATION (words[0]);
  guint32 mask = 0;

  if (operation == SPIRV_STORE || operation == SPIRV_COPY_MEMORY
      || operation == SPIRV_ATOMIC_STORE)
    return mask_of (module, words[1]);
  if (operation >= SPIRV_ATOMIC_LOAD && operation <= SPIRV_ATOMIC_XOR)
    return mask_of (module, words[3]);
  if (operation == SPIRV_FUNCTION_CALL)
    for (guint i = 4; i < SPIRV_LENGTH (words[0]); i++)
      mask |= mask_of (module, words[i]);
  return mask;
}

guint32
gpu_spirv_find_written (const GpuSpirv * module)
{
  guint32 written = 0;

  for (gsize at = module->functions_at; at < module->n_words;
      at += SPIRV_LENGTH (module->words[at]))
    written |= find_written_by (module, module->words + at);
  return written;
}

void
gpu_spirv_init (GpuSpirv * module, const GpuShader * shader)
{
  module->words = shader->words;
  module->n_words = shader->size / sizeof (guint32);
  module->n_ids = shader->words[SPIRV_BOUND];
  module->definitions = g_new0 (const guint32 *, module->n_ids);
  module->functions_at = 0;
  read_definitions (module);
}

void
gpu_spirv_clear (GpuSpirv * module)
{
  g_free (module->definitions);
}
