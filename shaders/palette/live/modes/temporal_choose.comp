// SPDX-License-Identifier: LGPL-2.1-or-later
// Chooses the mode of every pixel: the one that its bin offers, or the one that was held, in the
// frame before, at the place where its surface was then. Also writes a frame of one plane,
// R'G'B' or grey: each pixel shows its mode. Other kernels write other frames.
#include "core/pixels/pixels.glsl"
#define LIVE 2
#include "palette/live/modes/temporal.glsl"
#include "core/pixels/store.glsl"

layout (local_size_x = 256) in;
// Whether a workgroup gathers what it notes. FALSE on CPU devices, where barriers and shared
// memory are expensive.
layout (constant_id = FORMAT_CONSTANTS) const bool GATHERS = true;
layout (std430, binding = 7) readonly buffer Colours { uint colours[]; };
layout (std430, binding = 8) readonly buffer ColoursBefore { uint colours_before[]; };
layout (std430, binding = 9) readonly buffer PixelBins { uvec4 pixel_bins[]; };
layout (std430, binding = 10) readonly buffer Owners { uint owners[]; };
layout (std430, binding = 11) readonly buffer Homes { uint homes[]; };
layout (std430, binding = 12) readonly buffer HeldBefore { uint held_before[]; };
// The same, by quad.
layout (std430, binding = 12) readonly buffer QuadsBefore { uvec4 quads_before[]; };
layout (std430, binding = 13) writeonly buffer PixelModes { uvec4 pixel_modes[]; };
layout (std430, binding = 14) readonly buffer MotionState { Motion motion; };
// Bitmap of the slots of modes that pixels hold.
layout (std430, binding = 15) buffer InUse { uint in_use[SLOT_WORDS]; };

// Modes that come into one bin meet, and only one of them stays. Returns the slot of the one that
// stayed in place of this one.
uint left_of (uint slot)
{
  uint home = modes[slot].home;

  return frame.limit.most != 0 || home == NOT_OCCUPIED ? slot : homes[home];
}

// Where the pixels of an invocation come from.
struct Source
{
  uint block;                   // of all of them, as its side is a multiple of four
  uvec2 from;                   // of the first one; beyond the edges, if not in view
};

Source source_of (Quad quad)
{
  uint shift = frame.blocks.shift;
  uint block = (quad.y >> shift) * frame.blocks.columns + (quad.x >> shift);

  return Source (block, uvec2 (quad.x + uint (motion.blocks[block].vector[0]),
          quad.y + uint (motion.blocks[block].vector[1])));
}

// Returns the index in the frame before of pixel i, or NOBODY: it was not in view.
uint index_before (Source source, uint i)
{
  // As unsigned numbers, negative ones are beyond the edges, too.
  uint x = source.from.x + i, y = source.from.y;

  return x < frame.width && y < frame.height ? index_of_pixel (x, y) : NOBODY;
}

// Returns the word of the pixel of the frame before.
uint held_by (Source source, uint i)
{
  uint at = index_before (source, i);

  return at == NOBODY || state.begins_anew != 0 ? PIXEL_WITHOUT_MODE : held_before[at];
}

Hysteresis hysteresis_of (uint at, uint at_before, uint block)
{
  uint change = change_of_colour (colours_before[at_before], colours[at]);

  if (change == 0)
    return state.hysteresis;
  if (change > motion.moved_above)
    return Hysteresis (0, 0);
  return motion.blocks[block].hysteresis;
}

// Returns whether pixels held the mode in the slot when the frame began.
bool was_held (uint slot)
{
  return (state.held[slot / 32] >> slot % 32 & 1) != 0;
}

// Returns the new word of a pixel that stays with its mode: no other one is nearer.
uint stay (uint held, uint waits)
{
  return held | waits - min (waits, DOUBT * frame.rates.ms) << WAITS_SHIFT;
}

// Returns the new word of a pixel that holds another mode than the one it is offered.
uint compare (Hysteresis hysteresis, uint bin, uint offered, uint held,
    uint waits)
{
  ivec3 middle = 8 * ivec3 (bin_of_word (bin));
  uint to_offered = squared_distance (middle, place_of (offered));
  uint to_held = squared_distance (middle, place_of (held));

  if (to_offered >= to_held)
    return stay (held, waits);
  waits = min (waits + frame.rates.ms, WAITS_MOST);
  // With a limit of modes, pixels do not wait for a mode that was not there: they would show what
  // it is to replace.
  bool is_enough = waits > hysteresis.wait_ms
      || (frame.limit.most != 0 && !was_held (offered));
  uint patience = state.age < SETTLED_MS ? frame.hysteresis.wait_ms / QUICK_DIVISOR
      : PATIENCE * frame.hysteresis.wait_ms;

  return waits > patience
      || (is_enough && to_offered + hysteresis.margin < to_held)
      ? offered : held | waits << WAITS_SHIFT;
}

// --- modes that pixels hold ---

// Bitmap of the modes that pixels of this workgroup hold.
shared uint noted[GATHERS ? SLOT_WORDS : 1];

void begin_notes ()
{
  if (!GATHERS)
    return;
  for (uint i = gl_LocalInvocationID.x; i < SLOT_WORDS; i += 256)
    noted[i] = 0;
  barrier ();
}

// Adds bits to a word of the bitmap of all modes that are held. The plain read avoids most
// atomics. Bits are only set during the dispatch: if the read is stale, the atomic decides.
void add_held (uint word, uint bits)
{
  if (bits == 0 || (bits & ~in_use[word]) == 0)
    return;
  bits &= ~atomicOr (in_use[word], bits);
  if (bits != 0)
    atomicAdd (live.output_colours, bitCount (bits));
}

// Marks the mode that a pixel holds by its new word, if any.
void note (uint word_of_pixel)
{
  uint slot = word_of_pixel & 0xffff, word = slot / 32, bit = 1u << slot % 32;

  if ((word_of_pixel & PIXEL_WITHOUT_MODE) != 0)
    return;
  if (!GATHERS)
    add_held (word, bit);
  else if ((noted[word] & bit) == 0)
    atomicOr (noted[word], bit);
}

void end_notes ()
{
  if (!GATHERS)
    return;
  barrier ();
  for (uint i = gl_LocalInvocationID.x; i < SLOT_WORDS; i += 256)
    add_held (i, noted[i]);
}

// --- pixels ---

// What the pixels of an invocation choose from. Pixels that do not exist stay, and hold nothing.
struct Choice
{
  uvec4 bins;                   // words of their bins
  uvec4 offered;                // words of what they are offered
  uvec4 held;                   // words of what they held
};

// Returns what a pixel is offered, as the word of a pixel.
uint offer_to (uint at, uint bin, uint level)
{
  uint offered = (bin & PIXEL_STAYS) != 0 ? COLOURS_STAY
      : owners[place_of_bin (number_of_bin (bin_of_word (bin), level),
          bin_grid.first_word[level])];

  return offered == COLOURS_STAY ? PIXEL_WITHOUT_MODE | colours[at] & 0xffffff : offered;
}

Choice load_choice (Quad quad, uint at, Source source, uint level)
{
  Choice choice;

  choice.bins = pixel_bins[at / 4];
  for (uint i = 0; i < 4; i++)
    choice.held[i] = i < quad.n ? held_by (source, i) : PIXEL_WITHOUT_MODE;
  for (uint i = 0; i < 4; i++)
    choice.offered[i] = offer_to (at + i, choice.bins[i], level);
  return choice;
}

// Returns whether a pixel is not to take what it is offered at once.
bool is_undecided (uint offered, uint held)
{
  return held != offered && ((offered | held) & PIXEL_WITHOUT_MODE) == 0
      && was_held (held & 0xffff);
}

// Returns the new word of pixel i, which is undecided.
uint nearer_of (Choice choice, uint at, Source source, uint i)
{
  uint offered = choice.offered[i], held = choice.held[i] & 0xffff;
  uint waits = choice.held[i] >> WAITS_SHIFT;

  if (held != offered)
    held = left_of (held);
  return held == offered ? stay (held, waits)
      : compare (hysteresis_of (at + i, index_before (source, i), source.block),
      choice.bins[i], offered, held, waits);
}

// Returns the new words of pixels.
uvec4 choose (Quad quad, uint at, uint level)
{
  Source source = source_of (quad);
  Choice choice = load_choice (quad, at, source, level);
  uvec4 words = choice.offered;

  for (uint i = 0; i < 4; i++)
    if (is_undecided (choice.offered[i], choice.held[i]))
      words[i] = nearer_of (choice, at, source, i);
  for (uint i = 0; i < 4; i++)
    if (i == 0 || ((words[i] ^ words[i - 1]) & (PIXEL_WITHOUT_MODE | 0xffff)) != 0)
      note (words[i]);
  return words;
}

void paint (Quad quad, uvec4 words)
{
  uint shown[4];

  for (uint i = 0; i < 4; i++)
    shown[i] = (words[i] & PIXEL_WITHOUT_MODE) != 0 ? words[i] & 0xffffff
        : modes[words[i] & 0xffff].shown;
  store_colours (quad, shown);
}

void main ()
{
  load_grid ();
  load_frame ();
  Quad quad = quad_of_thread ();
  uint at = index_of_pixel (quad.x, quad.y);
  uint level = live_level ();
  uvec4 words = uvec4 (0);

  if (live.rest < SETTLED_AFTER) {
    begin_notes ();
    if (quad.n > 0)
      words = choose (quad, at, level);
    end_notes ();
  } else if (quad.n > 0)
    words = quads_before[at / 4];
  if (quad.n > 0)
    pixel_modes[at / 4] = words;
  if (OUT_PLANES == 1)
    paint (quad, words);
}
