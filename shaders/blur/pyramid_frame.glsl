// SPDX-License-Identifier: LGPL-2.1-or-later
// Pixels of a frame out of what is summed of a level: for the shaders that go up.
// They have sum_rows(), of a pixel of theirs, and UNIT.

// Of next to no alpha, less than none may be left: that has no colours.
vec4
value_of (vec4 sum)
{
  if (ALPHA >= 0 && sum[ALPHA] < 0) {
    float alpha = sum[ALPHA];
    sum = vec4 (0);
    sum[ALPHA] = alpha;
  }
  return unpremultiply (sum);
}

#if VALUE_WORDS > 0

void
store_unit (int unit, int x, int y, vec4 weight)
{
  uint at = offset + uint (y) * stride + uint (x) * VALUE_WORDS;
  vec4 value = value_of (sum_rows (unit, weight));
  uvec4 words = VALUE_WORDS == 2 ? uvec4 (packHalf2x16 (within_halves (value).xy),
      packHalf2x16 (within_halves (value).zw), 0, 0) : floatBitsToUint (value);

  [[unroll]] for (uint i = 0; i < VALUE_WORDS; i++)
    if (x < width)
      target[at + i] = words[i];
}

#else

// Bytes out of the last bits of floats: conversions are slower (docs/benchmarks.md).
uvec4
codes_of (vec4 sum)
{
  vec4 value = value_of (sum);
  uvec4 codes = encode_light (value, floatBitsToUint (clamp (value, 0, 255)
          + 8388608.0) & 0xff);

  if (UNUSED >= 0)
    codes[UNUSED] = 255;
  return codes;
}

// The pixels of a unit; bytes past the plane's edge, which pad its last word,
// become 0.
void
store_unit (int unit, int x, int y, vec4 weight)
{
  uint words[UNIT * COMPONENTS / 4];
  uint at = offset + uint (y) * stride + uint (x) * COMPONENTS / 4;
  uint used = (uint (clamp (width - x, 0, UNIT)) * COMPONENTS + 3) / 4;

  [[unroll]] for (uint i = 0; i < words.length (); i++)
    words[i] = 0;
  [[unroll]] for (int p = 0; p < UNIT; p++) {
    uvec4 codes = codes_of (sum_rows (unit * UNIT + p, weight));

    [[unroll]] for (uint i = 0; i < COMPONENTS; i++) {
      uint byte = p * COMPONENTS + i;
      words[byte / 4] |= (x + p < width ? codes[i] : 0) << (byte % 4 * 8);
    }
  }
  [[unroll]] for (uint i = 0; i < words.length (); i++)
    if (i < used)
      target[at + i] = words[i];
}

#endif
