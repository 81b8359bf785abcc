// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup lets modes settle among cells (docs/internals/temporal.md),
// and writes their places. An invocation works for one mode, and for every LIMIT_MOST-th cell.
#include "palette/live/modes/limit.glsl"

layout (local_size_x = LIMIT_MOST) in;
#include "palette/live/modes/limit_least.glsl"
layout (std430, binding = 5) buffer Cells { ModeCell cells[]; };

uint n_cells, n_modes;          // modes are in the first slots

// By slot: the place of the mode, and sums over its cells: of weights, and of coordinates with
// these weights. The latter are two words, the low one first.
shared uint place[3][LIMIT_MOST], weight[LIMIT_MOST], moments[3][2][LIMIT_MOST];

// By slot: first the worth of the mode, then what its candidate saves.
shared uint gain[2][LIMIT_MOST];

// By slot: the order of the candidate, or NOBODY; and first the greatest product of its cells,
// then the index of the candidate.
shared uint candidate[LIMIT_MOST], found[LIMIT_MOST];

#define FOR_CELLS(cell) \
  for (uint cell = gl_LocalInvocationID.x; cell < n_cells; cell += LIMIT_MOST)

ivec3 place_in (uint slot)
{
  return ivec3 (place[0][slot], place[1][slot], place[2][slot]);
}

ivec3 place_of_cell (uint cell)
{
  return ivec3 (cells[cell].place[0], cells[cell].place[1], cells[cell].place[2]);
}

// Returns a word by which cells are in their order. The middle of bin i is at 8 * i, and no axis
// has more than 1024 bins.
uint order_of (uint cell)
{
  uvec3 at = uvec3 (place_of_cell (cell)) / (8u << CELL_LEVEL);

  return (at.y << 8 | at.z) << 8 | at.x;
}

uint product_of (uint cell)
{
  return leading_product (cells[cell].n, cells[cell].distance);
}

// Forgets the round before.
void begin_round (uint slot)
{
  gain[0][slot] = gain[1][slot] = found[slot] = 0;
  candidate[slot] = NOBODY;
  weight[slot] = 0;
  for (uint axis = 0; axis < 3; axis++)
    moments[axis][0][slot] = moments[axis][1][slot] = 0;
}

// Finds the mode that a cell belongs to, and adds to its worth.
void join (uint cell)
{
  ivec3 at = place_of_cell (cell);
  uint slot = 0, least = NOBODY, second = NOBODY;

  for (uint other = 0; other < n_modes; other++) {
    uint distance = squared_distance (at, place_in (other));

    second = min (second, max (least, distance));
    if (distance < least) {
      least = distance;
      slot = other;
    }
  }
  cells[cell].slot = slot;
  cells[cell].distance = least;
  atomicMax (found[slot], product_of (cell));
  if (second != NOBODY) {
    uvec2 more = wide_multiply (cells[cell].n, loss_of (second) - loss_of (least));

    WIDE_ATOMIC_ADD (gain[0][slot], gain[1][slot], more);
  }
}

void compare_candidates ()
{
  FOR_CELLS (cell) {
    uint slot = cells[cell].slot, product = product_of (cell);

    if (product != 0 && product == found[slot])
      atomicMin (candidate[slot], order_of (cell));
  }
  barrier ();
  FOR_CELLS (cell)
    if (candidate[cells[cell].slot] == order_of (cell))
      found[cells[cell].slot] = cell;
}

// Adds a cell to what the candidate saves.
void save (uint cell, uint slot)
{
  uint before = cells[cell].distance;
  uint after = squared_distance (place_of_cell (cell), place_of_cell (found[slot]));

  if (after < before) {
    uvec2 more = wide_multiply (cells[cell].n, loss_of (before) - loss_of (after));

    WIDE_ATOMIC_ADD (gain[0][slot], gain[1][slot], more);
  }
}

// Adds a cell to the mean of its mode.
void pull (uint cell, uint slot)
{
  atomicAdd (weight[slot], cells[cell].n);
  for (uint axis = 0; axis < 3; axis++) {
    uvec2 moment = wide_multiply (cells[cell].n, cells[cell].place[axis]);

    WIDE_ATOMIC_ADD (moments[axis][0][slot], moments[axis][1][slot], moment);
  }
}

void move (uint slot)
{
  if (weight[slot] == 0)
    return;
  for (uint axis = 0; axis < 3; axis++)
    place[axis][slot] = wide_divide_rounded_unsigned (uvec2 (moments[axis][0][slot],
            moments[axis][1][slot]), uvec2 (weight[slot], 0));
}

// Pixels do not hold the mode any more.
void replace (uint slot, uint by)
{
  atomicAnd (state.held[slot / 32], ~(1u << slot % 32));
  for (uint axis = 0; axis < 3; axis++)
    place[axis][slot] = cells[found[by]].place[axis];
}

uvec2 gain_of (uint slot)
{
  return uvec2 (gain[0][slot], gain[1][slot]);
}

void do_round (uint slot)
{
  begin_round (slot);
  barrier ();
  FOR_CELLS (cell)
    join (cell);
  barrier ();
  compare_candidates ();

  uint least = first_of_least (slot, slot < n_modes ? gain_of (slot) : uvec2 (NOBODY));
  uvec2 worth = gain_of (least);

  barrier ();
  gain[0][slot] = gain[1][slot] = 0;
  barrier ();
  FOR_CELLS (cell) {
    uint mine = cells[cell].slot;

    if (candidate[mine] != NOBODY)
      save (cell, mine);
    pull (cell, mine);
  }
  barrier ();

  uint by = first_of_least (slot, ~gain_of (slot));

  if (n_modes == 1 || !wide_less (worth, gain_of (by)))
    move (slot);
  else if (slot == least)
    replace (slot, by);
  barrier ();
}

uint count_rounds ()
{
  // Modes that are not new may leave slots between them.
  bool has_gaps = state.n_slots != 0 && n_modes < frame.capacity;

  if (n_cells == 0 || n_cells > MOST_CELLS || has_gaps)
    return 0;
  return min (MOST_COMPARED / (n_cells * (frame.limit.most + MORE_PER_CELL)), MOST_ROUNDS);
}

void main ()
{
  load_grid ();
  load_frame ();
  uint slot = gl_LocalInvocationID.x;

  if (live.rest == SETTLED_AFTER || !settles ())
    return;
  n_cells = state.limited.n_cells;
  n_modes = frame.capacity - count_free_slots ();

  uint n_rounds = count_rounds ();

  for (uint axis = 0; axis < 3; axis++)
    place[axis][slot] = modes[slot].place[axis];
  for (uint round = 0; round < n_rounds; round++)
    do_round (slot);
  if (slot < n_modes)
    for (uint axis = 0; axis < 3; axis++)
      modes[slot].place[axis] = place[axis][slot];
}
