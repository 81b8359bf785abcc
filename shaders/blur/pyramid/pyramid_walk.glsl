// SPDX-License-Identifier: LGPL-2.1-or-later
// Walks, for CPU devices, on which a load takes longer than the arithmetic on its result. A
// thread walks along an axis of a plane, loads each sample once and uses no shared memory.
// Loops test their conditions at the end; otherwise their bodies would run once more with
// all threads masked (docs/internals/design.md).

const int RADIUS = PYRAMID_RADIUS;

// --- successive indices of an axis ---

struct Index
{
  int at;                       // may be beyond the edges
  int folded;                   // the same modulo n: inside the edges
  bool is_turned;               // if mirrored, counts from the other edge
};

Index index_from (int i, int n)
{
  // / and % are undefined for negative numbers: count from the edge outwards.
  bool before = i < 0;
  int distance = before ? -1 - i : i;
  int folded = distance % n;

  return Index (i, before ? n - 1 - folded : folded,
      (distance / n % 2 == 1) != before);
}

void next_index (inout Index index, int n)
{
  bool folds = index.folded == n - 1;

  index.at++;
  index.folded = folds ? 0 : index.folded + 1;
  index.is_turned = index.is_turned != folds;
}

// Returns the sample that replaces @index in edge mode @mode, counted from the first sample
// of the margin; -1: black. @margin: 0 for a frame.
int sample_from_edge (Index index, int n, int margin, uint mode)
{
  int clamped = clamp (index.at, -margin, n + margin - 1);

  if (mode == BLUR_EDGE_MIRROR || mode == BLUR_EDGE_WRAP)
    return margin + (mode == BLUR_EDGE_MIRROR && index.is_turned
        ? n - 1 - index.folded : index.folded);
  return mode == BLUR_EDGE_BLACK && margin == 0 && clamped != index.at ? -1
      : margin + clamped;
}

// --- sums on the way down ---

// The sums of four samples of the level. The first is finished next.
struct Sums
{
  vec4 values[4];
};

Sums no_sums ()
{
  return Sums (vec4[] (vec4 (0), vec4 (0), vec4 (0), vec4 (0)));
}

// Removes the first sum and returns it.
vec4 take_first (inout Sums sums)
{
  vec4 first = sums.values[0];

  [[unroll]] for (int k = 0; k < 3; k++)
    sums.values[k] = sums.values[k + 1];
  sums.values[3] = vec4 (0);
  return first;
}
