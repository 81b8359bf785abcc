/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "texels.h"
#include "device.h"
#include "spirv.h"

/* --- reading SPIR-V --- */

/* A module, which shaders/embed.py has checked. Ids are those of SPIR-V. */
typedef struct
{
  const guint32 *words;         /* not owned */
  gsize n_words;
  gsize functions_at;           /* the first word of the first function */
  const guint32 **definitions;  /* by id: the instruction that defines a type, a number, a
                                   variable or an access chain; NULL: something else */
  guint32 n_ids;
} Spirv;

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
read_definitions (Spirv * module)
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

/* Returns the instruction that defines @id if it is an @operation; otherwise NULL. */
static const guint32 *
find (const Spirv * module, guint32 id, guint operation)
{
  const guint32 *definition = id < module->n_ids
      ? module->definitions[id] : NULL;

  return definition && SPIRV_OPERATION (definition[0]) == operation
      ? definition : NULL;
}

/* Returns the number of a decoration of @id, or of its member @member if that is not
 * negative; 0 if it has none. */
static guint32
get_decoration (const Spirv * module, guint32 id, gint member, guint decoration)
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

/* Returns the declaration of the storage buffer that @pointer points into, or NULL if it
 * points elsewhere. */
static const guint32 *
find_buffer (const Spirv * module, guint32 pointer)
{
  const guint32 *chain, *variable;

  while ((chain = find (module, pointer, SPIRV_ACCESS_CHAIN)))
    pointer = chain[3];
  variable = find (module, pointer, SPIRV_VARIABLE);
  return variable && variable[3] == SPIRV_STORAGE_BUFFER ? variable : NULL;
}

/* Returns the binding of a declaration of a storage buffer. */
static guint
get_binding (const Spirv * module, const guint32 * buffer)
{
  return get_decoration (module, buffer[2], -1, SPIRV_DECORATION_BINDING);
}

/* Reads @shader, which must live as long. The caller clears @module. */
static void
read_module (Spirv * module, const GpuShader * shader)
{
  module->words = shader->words;
  module->n_words = shader->size / sizeof (guint32);
  module->n_ids = shader->words[SPIRV_BOUND];
  module->definitions = g_new0 (const guint32 *, module->n_ids);
  module->functions_at = 0;
  read_definitions (module);
}

/* --- modules on their way through the rewriting --- */

/* A number that the new module needs as a constant. */
typedef struct
{
  guint32 value, id;
} Constant;

/* A module on its way through the rewriting. Ids are those of SPIR-V. */
typedef struct
{
  const GpuShader *shader;
  Spirv read;                   /* the module as it was */
  guint32 fours;                /* bit i is set: texels of binding i have four words */

  guint32 next_id;              /* of the new module, as all that follow */
  guint32 word_type;            /* 32-bit unsigned integers */
  guint32 texel_type;           /* vectors of four of them */
  gboolean has_word_type, has_texel_type;       /* they are in the module already */
  guint32 image_type;
  guint32 images[GPU_MAX_BINDINGS];     /* variables, or 0 */
  GArray *constants;            /* of Constant */
  GArray *functions;            /* words of its functions */
} Module;

/* The index of a word of a buffer: a number plus the value of an id. */
typedef struct
{
  guint32 id;                   /* 0: none */
  guint32 number;
} Place;

/* --- instructions --- */

static void
emit (GArray * words, guint operation, guint n, const guint32 * operands)
{
  const guint32 first = operation | (n + 1) << 16;

  g_array_append_val (words, first);
  g_array_append_vals (words, operands, n);
}

#define EMIT(words, operation, ...) \
  G_STMT_START { \
    const guint32 operands_[] = { __VA_ARGS__ }; \
    emit (words, operation, G_N_ELEMENTS (operands_), operands_); \
  } G_STMT_END

static guint32
constant_of (Module * module, guint32 value)
{
  Constant constant = { value, module->next_id };

  for (guint i = 0; i < module->constants->len; i++) {
    const Constant *known = &g_array_index (module->constants, Constant, i);

    if (known->value == value)
      return known->id;
  }
  module->next_id++;
  g_array_append_val (module->constants, constant);
  return constant.id;
}

/* Emits an operation on two words and returns the result. */
static guint32
calculate (Module * module, guint operation, guint32 one, guint32 other)
{
  const guint32 id = module->next_id++;

  EMIT (module->functions, operation, module->word_type, id, one, other);
  return id;
}

/* Moves @place by as many elements of @stride words as id @index says. */
static void
add_index (Module * module, Place * place, guint32 index, guint32 stride)
{
  const guint32 *constant = find (&module->read, index, SPIRV_CONSTANT);

  if (constant) {
    place->number += constant[3] * stride;
    return;
  }
  if (stride != 1)
    index =
        calculate (module, SPIRV_I_MUL, index, constant_of (module, stride));
  place->id = place->id ? calculate (module, SPIRV_I_ADD, place->id, index)
      : index;
}

/* Enters a member or an element of @type and returns its type. */
static guint32
enter (Module * module, Place * place, guint32 type, guint32 index)
{
  const guint32 *definition = module->read.definitions[type];
  guint32 member;

  switch (SPIRV_OPERATION (definition[0])) {
    case SPIRV_TYPE_STRUCT:
      member = find (&module->read, index, SPIRV_CONSTANT)[3];
      place->number +=
          get_decoration (&module->read, type, member,
          SPIRV_DECORATION_OFFSET) / 4;
      return definition[2 + member];
    case SPIRV_TYPE_VECTOR:
      add_index (module, place, index, 1);
      return definition[2];
    default:
      add_index (module, place, index,
          get_decoration (&module->read, type, -1,
              SPIRV_DECORATION_ARRAY_STRIDE) / 4);
      return definition[2];
  }
}

/* Returns where the words are that @chain points to. */
static Place
place_of (Module * module, const guint32 * chain)
{
  const guint32 *variable = find (&module->read, chain[3], SPIRV_VARIABLE);
  guint32 type = find (&module->read, variable[1], SPIRV_TYPE_POINTER)[3];
  Place place = { 0, 0 };

  for (guint i = 4; i < SPIRV_LENGTH (chain[0]); i++)
    type = enter (module, &place, type, chain[i]);
  return place;
}

/* Returns the index of the word @add words after @place. */
static guint32
index_of (Module * module, const Place * place, guint add)
{
  const guint32 number = place->number + add;

  if (!place->id)
    return constant_of (module, number);
  return number == 0 ? place->id : calculate (module, SPIRV_I_ADD, place->id,
      constant_of (module, number));
}

/* Emits texel @at, as @id. */
static void
fetch_texel (Module * module, guint binding, guint32 at, guint32 id)
{
  const guint32 image = module->next_id++;

  EMIT (module->functions, SPIRV_LOAD, module->image_type, image,
      module->images[binding]);
  EMIT (module->functions, SPIRV_IMAGE_FETCH, module->texel_type, id, image,
      at);
}

/* Emits word @id: the one @add words after @place. */
static void
fetch_word (Module * module, guint binding, const Place * place, guint add,
    guint32 id)
{
  const guint32 texel = module->next_id++;

  fetch_texel (module, binding, index_of (module, place, add), texel);
  EMIT (module->functions, SPIRV_COMPOSITE_EXTRACT, module->word_type, id,
      texel, 0);
}

/* Returns how many numbers of 32 bits a value of @type has, and sets *@part to their type;
 * 0: it is something else. */
static guint
count_parts (const Module * module, guint32 type, guint32 * part)
{
  const guint32 *vector = find (&module->read, type, SPIRV_TYPE_VECTOR);
  const guint32 *number;

  *part = vector ? vector[2] : type;
  number = find (&module->read, *part, SPIRV_TYPE_INT);
  if (!number)
    number = find (&module->read, *part, SPIRV_TYPE_FLOAT);
  if (!number || number[2] != 32)
    return 0;
  return vector ? vector[3] : 1;
}

/* Emits number @id, of type @type. Returns @id. */
static guint32
fetch_part (Module * module, guint binding, const Place * place, guint add,
    guint32 type, guint32 id)
{
  const gboolean is_word = type == module->word_type;
  const guint32 word = is_word ? id : module->next_id++;

  fetch_word (module, binding, place, add, word);
  if (!is_word)
    EMIT (module->functions, SPIRV_BITCAST, type, id, word);
  return id;
}

/* Emits vector @id of type @type, at @place, which is a multiple of its size. */
static void
fetch_four (Module * module, guint binding, const Place * place,
    guint32 type, guint32 id)
{
  const gboolean is_texel = type == module->texel_type;
  const guint32 texel = is_texel ? id : module->next_id++;
  const guint32 at = calculate (module, SPIRV_SHIFT_RIGHT_LOGICAL,
      index_of (module, place, 0), constant_of (module, 2));

  fetch_texel (module, binding, at, texel);
  if (!is_texel)
    EMIT (module->functions, SPIRV_BITCAST, type, id, texel);
}

static guint
binding_of (const Module * module, const guint32 * load)
{
  return get_binding (&module->read, find_buffer (&module->read, load[3]));
}

/* Emits a fetch in place of a load, with the same result. */
static void
fetch (Module * module, const guint32 * load, guint n, guint32 part_type)
{
  const guint32 *chain = find (&module->read, load[3], SPIRV_ACCESS_CHAIN);
  const guint binding = binding_of (module, load);
  const Place place = place_of (module, chain);
  guint32 parts[2 + 4] = { load[1], load[2] };

  if (!module->images[binding])
    module->images[binding] = module->next_id++;
  if (n == 1) {
    fetch_part (module, binding, &place, 0, part_type, load[2]);
    return;
  }
  if (module->fours >> binding & 1) {
    fetch_four (module, binding, &place, load[1], load[2]);
    return;
  }
  for (guint i = 0; i < n; i++)
    parts[2 + i] = fetch_part (module, binding, &place, i, part_type,
        module->next_id++);
  emit (module->functions, SPIRV_COMPOSITE_CONSTRUCT, 2 + n, parts);
}

/* Returns whether @load loads from a buffer that is not written. */
static gboolean
is_fetchable (const Module * module, const guint32 * load)
{
  const guint32 *chain = find (&module->read, load[3], SPIRV_ACCESS_CHAIN);
  const guint32 *buffer = chain ? find_buffer (&module->read, load[3]) : NULL;

  return buffer && find (&module->read, chain[3], SPIRV_VARIABLE)
      && !(module->shader->writes >> get_binding (&module->read, buffer) & 1);
}

/* Returns how many numbers are fetched in place of @instruction, and sets *@part_type to their
 * type; 0: it stays. */
static guint
count_fetched (const Module * module, const guint32 * instruction,
    guint32 * part_type)
{
  return SPIRV_OPERATION (instruction[0]) == SPIRV_LOAD
      && is_fetchable (module, instruction)
      ? count_parts (module, instruction[1], part_type) : 0;
}

static guint32
find_fours (const Module * module)
{
  guint32 fours = 0, others = 0, part_type;

  for (gsize at = module->read.functions_at; at < module->read.n_words;
      at += SPIRV_LENGTH (module->read.words[at])) {
    const guint32 *instruction = module->read.words + at;
    guint n = count_fetched (module, instruction, &part_type);

    if (n > 0)
      *(n == 4 ? &fours : &others) |= 1u << binding_of (module, instruction);
  }
  return fours & ~others;
}

static void
rewrite_instruction (Module * module, const guint32 * instruction)
{
  guint32 part_type;
  guint n = count_fetched (module, instruction, &part_type);

  if (n > 0)
    fetch (module, instruction, n, part_type);
  else
    g_array_append_vals (module->functions, instruction,
        SPIRV_LENGTH (instruction[0]));
}

/* --- the new module --- */

/* Returns the type that @operation declares with operands @one and @other. If there is none,
 * *@exists becomes FALSE and the result is a new id. */
static guint32
find_type (Module * module, guint operation, guint32 one, guint32 other,
    gboolean * exists)
{
  *exists = TRUE;
  for (guint32 id = 1; id < module->read.n_ids; id++) {
    const guint32 *type = find (&module->read, id, operation);

    if (type && type[2] == one && type[3] == other)
      return id;
  }
  *exists = FALSE;
  return module->next_id++;
}

static void
declare_bindings (const Module * module, GArray * words)
{
  for (guint i = 0; i < GPU_MAX_BINDINGS; i++) {
    if (!module->images[i])
      continue;
    EMIT (words, SPIRV_DECORATE, module->images[i],
        SPIRV_DECORATION_DESCRIPTOR_SET, 0);
    EMIT (words, SPIRV_DECORATE, module->images[i], SPIRV_DECORATION_BINDING,
        GPU_MAX_BINDINGS + i);
  }
}

/* Types that the module has already must not be declared again. */
static void
declare_types (Module * module, GArray * words)
{
  const guint32 pointer = module->next_id++;

  if (!module->has_word_type)
    EMIT (words, SPIRV_TYPE_INT, module->word_type, 32, 0);
  if (!module->has_texel_type)
    EMIT (words, SPIRV_TYPE_VECTOR, module->texel_type, module->word_type, 4);
  EMIT (words, SPIRV_TYPE_IMAGE, module->image_type, module->word_type,
      SPIRV_DIM_BUFFER, 0, 0, 0, SPIRV_IS_SAMPLED, 0);
  EMIT (words, SPIRV_TYPE_POINTER, pointer, SPIRV_STORAGE_UNIFORM_CONSTANT,
      module->image_type);
  for (guint i = 0; i < GPU_MAX_BINDINGS; i++)
    if (module->images[i])
      EMIT (words, SPIRV_VARIABLE, pointer, module->images[i],
          SPIRV_STORAGE_UNIFORM_CONSTANT);
}

static void
declare_constants (const Module * module, GArray * words)
{
  for (guint i = 0; i < module->constants->len; i++) {
    const Constant *constant = &g_array_index (module->constants, Constant, i);

    EMIT (words, SPIRV_CONSTANT, module->word_type, constant->id,
        constant->value);
  }
}

/* Returns where the declarations of types begin. They follow all decorations. */
static gsize
find_types (const Module * module)
{
  gsize at = SPIRV_HEADER_WORDS;

  while (SPIRV_OPERATION (module->read.words[at]) < SPIRV_TYPE_VOID
      || SPIRV_OPERATION (module->read.words[at]) >= SPIRV_FUNCTION)
    at += SPIRV_LENGTH (module->read.words[at]);
  return at;
}

static void
rewrite_functions (Module * module)
{
  for (gsize at = module->read.functions_at; at < module->read.n_words;
      at += SPIRV_LENGTH (module->read.words[at]))
    rewrite_instruction (module, module->read.words + at);
}

/* Puts the parts together in the order that SPIR-V requires. */
static GArray *
assemble (Module * module)
{
  const gsize types_at = find_types (module);
  GArray *words = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_array_append_vals (words, module->read.words, SPIRV_HEADER_WORDS);
  EMIT (words, SPIRV_CAPABILITY, SPIRV_CAPABILITY_SAMPLED_BUFFER);
  g_array_append_vals (words, module->read.words + SPIRV_HEADER_WORDS,
      types_at - SPIRV_HEADER_WORDS);
  declare_bindings (module, words);
  g_array_append_vals (words, module->read.words + types_at,
      module->read.functions_at - types_at);
  declare_types (module, words);
  declare_constants (module, words);
  g_array_append_vals (words, module->functions->data, module->functions->len);
  g_array_index (words, guint32, SPIRV_BOUND) = module->next_id;
  return words;
}

static void
module_init (Module * module, const GpuShader * shader)
{
  read_module (&module->read, shader);
  module->shader = shader;
  module->fours = find_fours (module);
  module->next_id = module->read.n_ids;
  module->constants = g_array_new (FALSE, FALSE, sizeof (Constant));
  module->functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  module->word_type = find_type (module, SPIRV_TYPE_INT, 32, 0,
      &module->has_word_type);
  module->texel_type = find_type (module, SPIRV_TYPE_VECTOR, module->word_type,
      4, &module->has_texel_type);
  module->image_type = module->next_id++;
}

static void
module_clear (Module * module)
{
  g_array_unref (module->functions);
  g_array_unref (module->constants);
  g_free (module->read.definitions);
}

guint32 *
gpu_texels_rewrite (const GpuShader * shader, gsize * size)
{
  Module module = { 0 };
  GArray *words;

  module_init (&module, shader);
  rewrite_functions (&module);
  words = assemble (&module);
  module_clear (&module);
  *size = words->len * sizeof (guint32);
  return (guint32 *) g_array_free (words, FALSE);
}

guint32
gpu_texels_find_fours (const GpuShader * shader)
{
  Module module = { 0 };

  module_init (&module, shader);
  module_clear (&module);
  return module.fours;
}
