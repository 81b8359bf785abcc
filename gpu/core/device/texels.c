/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "texels.h"
#include "device.h"

/* --- SPIR-V: the part of it that shaders use here --- */

#define HEADER_WORDS 5
#define BOUND 3                 /* the word of the header above all ids */
#define OPERATION(word) ((word) & 0xffff)
#define LENGTH(word) ((word) >> 16)

enum
{
  OP_CAPABILITY = 17,
  OP_TYPE_VOID = 19,
  OP_TYPE_INT = 21,
  OP_TYPE_FLOAT = 22,
  OP_TYPE_VECTOR = 23,
  OP_TYPE_IMAGE = 25,
  OP_TYPE_ARRAY = 28,
  OP_TYPE_RUNTIME_ARRAY = 29,
  OP_TYPE_STRUCT = 30,
  OP_TYPE_POINTER = 32,
  OP_CONSTANT = 43,
  OP_FUNCTION = 54,
  OP_FUNCTION_CALL = 57,
  OP_VARIABLE = 59,
  OP_LOAD = 61,
  OP_STORE = 62,
  OP_COPY_MEMORY = 63,
  OP_ACCESS_CHAIN = 65,
  OP_DECORATE = 71,
  OP_MEMBER_DECORATE = 72,
  OP_COMPOSITE_CONSTRUCT = 80,
  OP_COMPOSITE_EXTRACT = 81,
  OP_IMAGE_FETCH = 95,
  OP_BITCAST = 124,
  OP_I_ADD = 128,
  OP_I_MUL = 132,
  OP_ATOMIC_LOAD = 227,
  OP_ATOMIC_STORE = 228,
  OP_ATOMIC_XOR = 242,
};

enum
{
  DECORATION_ARRAY_STRIDE = 6,
  DECORATION_BINDING = 33,
  DECORATION_DESCRIPTOR_SET = 34,
  DECORATION_OFFSET = 35,
};

#define CAPABILITY_SAMPLED_BUFFER 46
#define STORAGE_UNIFORM_CONSTANT 0
#define STORAGE_BUFFER 12
#define DIM_BUFFER 5
#define IS_SAMPLED 1

/* A number that the new module needs as a constant. */
typedef struct
{
  guint32 value, id;
} Constant;

/* A module on its way through the rewriting. Ids are those of SPIR-V. */
typedef struct
{
  const guint32 *words;
  gsize n_words;
  gsize functions_at;           /* the first word of the first function */
  const guint32 **definitions;  /* by id: types, constants, variables and access chains;
                                   NULL: something else */
  guint32 n_definitions;
  guint32 written;              /* bit i is set: binding i is written */

  guint32 next_id;              /* of the new module, as all below */
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

/* --- reading --- */

static guint32
result_of (const guint32 * instruction)
{
  switch (OPERATION (instruction[0])) {
    case OP_TYPE_INT:
    case OP_TYPE_FLOAT:
    case OP_TYPE_VECTOR:
    case OP_TYPE_ARRAY:
    case OP_TYPE_RUNTIME_ARRAY:
    case OP_TYPE_STRUCT:
    case OP_TYPE_POINTER:
      return instruction[1];
    case OP_CONSTANT:
    case OP_VARIABLE:
    case OP_ACCESS_CHAIN:
      return instruction[2];
    default:
      return 0;
  }
}

static void
read_definitions (Module * module)
{
  for (gsize at = HEADER_WORDS; at < module->n_words;
      at += LENGTH (module->words[at])) {
    const guint32 *instruction = module->words + at;
    guint32 result = result_of (instruction);

    if (result)
      module->definitions[result] = instruction;
    if (OPERATION (instruction[0]) == OP_FUNCTION && !module->functions_at)
      module->functions_at = at;
  }
}

/* Returns the instruction that defines @id if it is an @operation; otherwise NULL. */
static const guint32 *
find (const Module * module, guint32 id, guint operation)
{
  const guint32 *definition = id < module->n_definitions
      ? module->definitions[id] : NULL;

  return definition && OPERATION (definition[0]) == operation
      ? definition : NULL;
}

/* Returns the number of a decoration of @id, or of its member @member if that is not
 * negative; 0 if it has none. */
static guint32
get_decoration (const Module * module, guint32 id, gint member,
    guint decoration)
{
  const guint operation = member < 0 ? OP_DECORATE : OP_MEMBER_DECORATE;

  for (gsize at = HEADER_WORDS;
      OPERATION (module->words[at]) != OP_FUNCTION;
      at += LENGTH (module->words[at])) {
    const guint32 *words = module->words + at;
    const guint32 *rest = words + (member < 0 ? 2 : 3);

    if (OPERATION (words[0]) == operation && words[1] == id
        && (member < 0 || words[2] == (guint32) member)
        && rest[0] == decoration)
      return rest[1];
  }
  return 0;
}

/* Returns the variable that a pointer points into, or NULL if that is not a storage buffer. */
static const guint32 *
find_buffer (const Module * module, guint32 pointer)
{
  const guint32 *chain, *variable;

  while ((chain = find (module, pointer, OP_ACCESS_CHAIN)))
    pointer = chain[3];
  variable = find (module, pointer, OP_VARIABLE);
  return variable && variable[3] == STORAGE_BUFFER ? variable : NULL;
}

static guint
binding_of (const Module * module, const guint32 * variable)
{
  return get_decoration (module, variable[2], -1, DECORATION_BINDING);
}

static void
note_write (Module * module, guint32 pointer)
{
  const guint32 *variable = find_buffer (module, pointer);

  if (variable)
    module->written |= 1u << binding_of (module, variable);
}

/* Finds which bindings are written. A buffer that a function is given counts as written. */
static void
read_writes (Module * module)
{
  for (gsize at = HEADER_WORDS; at < module->n_words;
      at += LENGTH (module->words[at])) {
    const guint32 *words = module->words + at;
    const guint operation = OPERATION (words[0]);

    if (operation == OP_STORE || operation == OP_COPY_MEMORY
        || operation == OP_ATOMIC_STORE)
      note_write (module, words[1]);
    else if (operation >= OP_ATOMIC_LOAD && operation <= OP_ATOMIC_XOR)
      note_write (module, words[3]);
    else if (operation == OP_FUNCTION_CALL)
      for (guint i = 4; i < LENGTH (words[0]); i++)
        note_write (module, words[i]);
  }
}

/* --- writing --- */

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
  const guint32 *constant = find (module, index, OP_CONSTANT);

  if (constant) {
    place->number += constant[3] * stride;
    return;
  }
  if (stride != 1)
    index = calculate (module, OP_I_MUL, index, constant_of (module, stride));
  place->id = place->id ? calculate (module, OP_I_ADD, place->id, index)
      : index;
}

/* Enters a member or an element of @type and returns its type. */
static guint32
enter (Module * module, Place * place, guint32 type, guint32 index)
{
  const guint32 *definition = module->definitions[type];
  guint32 member;

  switch (OPERATION (definition[0])) {
    case OP_TYPE_STRUCT:
      member = find (module, index, OP_CONSTANT)[3];
      place->number +=
          get_decoration (module, type, member, DECORATION_OFFSET) / 4;
      return definition[2 + member];
    case OP_TYPE_VECTOR:
      add_index (module, place, index, 1);
      return definition[2];
    default:
      add_index (module, place, index,
          get_decoration (module, type, -1, DECORATION_ARRAY_STRIDE) / 4);
      return definition[2];
  }
}

/* Returns where the words are that @chain points to. */
static Place
place_of (Module * module, const guint32 * chain)
{
  const guint32 *variable = find (module, chain[3], OP_VARIABLE);
  guint32 type = find (module, variable[1], OP_TYPE_POINTER)[3];
  Place place = { 0, 0 };

  for (guint i = 4; i < LENGTH (chain[0]); i++)
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
  return number == 0 ? place->id : calculate (module, OP_I_ADD, place->id,
      constant_of (module, number));
}

static guint32
fetch_word (Module * module, guint binding, const Place * place, guint add)
{
  const guint32 at = index_of (module, place, add);
  const guint32 image = module->next_id++, texel = module->next_id++;
  const guint32 word = module->next_id++;

  EMIT (module->functions, OP_LOAD, module->image_type, image,
      module->images[binding]);
  EMIT (module->functions, OP_IMAGE_FETCH, module->texel_type, texel, image,
      at);
  EMIT (module->functions, OP_COMPOSITE_EXTRACT, module->word_type, word, texel,
      0);
  return word;
}

/* Returns how many numbers of 32 bits a value of @type has, and sets *@part to their type;
 * 0: it is something else. */
static guint
count_parts (const Module * module, guint32 type, guint32 * part)
{
  const guint32 *vector = find (module, type, OP_TYPE_VECTOR);
  const guint32 *number;

  *part = vector ? vector[2] : type;
  number = find (module, *part, OP_TYPE_INT);
  if (!number)
    number = find (module, *part, OP_TYPE_FLOAT);
  if (!number || number[2] != 32)
    return 0;
  return vector ? vector[3] : 1;
}

static guint32
fetch_part (Module * module, guint binding, const Place * place, guint add,
    guint32 type, guint32 id)
{
  const guint32 word = fetch_word (module, binding, place, add);

  EMIT (module->functions, OP_BITCAST, type, id, word);
  return id;
}

/* Emits a fetch in place of a load, with the same result. */
static void
fetch (Module * module, const guint32 * load, guint n, guint32 part_type)
{
  const guint32 *chain = find (module, load[3], OP_ACCESS_CHAIN);
  const guint binding = binding_of (module, find_buffer (module, load[3]));
  const Place place = place_of (module, chain);
  guint32 parts[2 + 4] = { load[1], load[2] };

  if (!module->images[binding])
    module->images[binding] = module->next_id++;
  if (n == 1) {
    fetch_part (module, binding, &place, 0, part_type, load[2]);
    return;
  }
  for (guint i = 0; i < n; i++)
    parts[2 + i] = fetch_part (module, binding, &place, i, part_type,
        module->next_id++);
  emit (module->functions, OP_COMPOSITE_CONSTRUCT, 2 + n, parts);
}

/* Returns whether @load loads from a buffer that is not written. */
static gboolean
is_fetchable (const Module * module, const guint32 * load)
{
  const guint32 *chain = find (module, load[3], OP_ACCESS_CHAIN);
  const guint32 *buffer = chain ? find_buffer (module, load[3]) : NULL;

  return buffer && find (module, chain[3], OP_VARIABLE)
      && !(module->written >> binding_of (module, buffer) & 1);
}

static void
rewrite_instruction (Module * module, const guint32 * instruction)
{
  guint32 part_type;
  guint n = OPERATION (instruction[0]) == OP_LOAD
      && is_fetchable (module, instruction)
      ? count_parts (module, instruction[1], &part_type) : 0;

  if (n > 0)
    fetch (module, instruction, n, part_type);
  else
    g_array_append_vals (module->functions, instruction,
        LENGTH (instruction[0]));
}

/* --- the new module --- */

/* Returns the type that @operation declares with operands @one and @other. If there is none,
 * *@exists becomes FALSE and the result is a new id. */
static guint32
find_type (Module * module, guint operation, guint32 one, guint32 other,
    gboolean * exists)
{
  *exists = TRUE;
  for (guint32 id = 1; id < module->n_definitions; id++) {
    const guint32 *type = find (module, id, operation);

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
    EMIT (words, OP_DECORATE, module->images[i], DECORATION_DESCRIPTOR_SET, 0);
    EMIT (words, OP_DECORATE, module->images[i], DECORATION_BINDING,
        GPU_MAX_BINDINGS + i);
  }
}

/* Types that the module has already must not be declared again. */
static void
declare_types (Module * module, GArray * words)
{
  const guint32 pointer = module->next_id++;

  if (!module->has_word_type)
    EMIT (words, OP_TYPE_INT, module->word_type, 32, 0);
  if (!module->has_texel_type)
    EMIT (words, OP_TYPE_VECTOR, module->texel_type, module->word_type, 4);
  EMIT (words, OP_TYPE_IMAGE, module->image_type, module->word_type,
      DIM_BUFFER, 0, 0, 0, IS_SAMPLED, 0);
  EMIT (words, OP_TYPE_POINTER, pointer, STORAGE_UNIFORM_CONSTANT,
      module->image_type);
  for (guint i = 0; i < GPU_MAX_BINDINGS; i++)
    if (module->images[i])
      EMIT (words, OP_VARIABLE, pointer, module->images[i],
          STORAGE_UNIFORM_CONSTANT);
}

static void
declare_constants (const Module * module, GArray * words)
{
  for (guint i = 0; i < module->constants->len; i++) {
    const Constant *constant = &g_array_index (module->constants, Constant, i);

    EMIT (words, OP_CONSTANT, module->word_type, constant->id, constant->value);
  }
}

/* Returns where the declarations of types begin. They follow all decorations. */
static gsize
find_types (const Module * module)
{
  gsize at = HEADER_WORDS;

  while (OPERATION (module->words[at]) < OP_TYPE_VOID
      || OPERATION (module->words[at]) >= OP_FUNCTION)
    at += LENGTH (module->words[at]);
  return at;
}

static void
rewrite_functions (Module * module)
{
  for (gsize at = module->functions_at; at < module->n_words;
      at += LENGTH (module->words[at]))
    rewrite_instruction (module, module->words + at);
}

/* Puts the parts together in the order that SPIR-V requires. */
static GArray *
assemble (Module * module)
{
  const gsize types_at = find_types (module);
  GArray *words = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_array_append_vals (words, module->words, HEADER_WORDS);
  EMIT (words, OP_CAPABILITY, CAPABILITY_SAMPLED_BUFFER);
  g_array_append_vals (words, module->words + HEADER_WORDS,
      types_at - HEADER_WORDS);
  declare_bindings (module, words);
  g_array_append_vals (words, module->words + types_at,
      module->functions_at - types_at);
  declare_types (module, words);
  declare_constants (module, words);
  g_array_append_vals (words, module->functions->data, module->functions->len);
  g_array_index (words, guint32, BOUND) = module->next_id;
  return words;
}

static void
module_init (Module * module, const GpuShader * shader)
{
  module->words = shader->words;
  module->n_words = shader->size / sizeof (guint32);
  module->n_definitions = module->next_id = shader->words[BOUND];
  module->definitions = g_new0 (const guint32 *, module->n_definitions);
  module->constants = g_array_new (FALSE, FALSE, sizeof (Constant));
  module->functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  read_definitions (module);
  read_writes (module);
  module->word_type = find_type (module, OP_TYPE_INT, 32, 0,
      &module->has_word_type);
  module->texel_type = find_type (module, OP_TYPE_VECTOR, module->word_type, 4,
      &module->has_texel_type);
  module->image_type = module->next_id++;
}

static void
module_clear (Module * module)
{
  g_array_unref (module->functions);
  g_array_unref (module->constants);
  g_free (module->definitions);
}

guint32 *
gpu_texels_rewrite (const GpuShader * shader, gsize * size)
{
  Module module = { NULL };
  GArray *words;

  module_init (&module, shader);
  rewrite_functions (&module);
  words = assemble (&module);
  module_clear (&module);
  *size = words->len * sizeof (guint32);
  return (guint32 *) g_array_free (words, FALSE);
}
