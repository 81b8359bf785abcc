// SPDX-License-Identifier: LGPL-2.1-or-later
// 64-bit integers as two words, low word first; signed values in two's complement. GLSL's
// 64-bit integers need the Int64 feature, which is optional.
#ifndef COMMON_WIDE_GLSL
#define COMMON_WIDE_GLSL

uvec2 wide_add (uvec2 a, uvec2 b)
{
  uint carry;
  uint low = uaddCarry (a.x, b.x, carry);

  return uvec2 (low, a.y + b.y + carry);
}

uvec2 wide_subtract (uvec2 a, uvec2 b)
{
  uint borrow;
  uint low = usubBorrow (a.x, b.x, borrow);

  return uvec2 (low, a.y - b.y - borrow);
}

uvec2 wide_negate (uvec2 a)
{
  return wide_subtract (uvec2 (0), a);
}

uvec2 wide_multiply (uint a, uint b)
{
  uint high, low;

  umulExtended (a, b, high, low);
  return uvec2 (low, high);
}

// Returns the product modulo 2^64.
uvec2 wide_times (uvec2 a, uint factor)
{
  uvec2 product = wide_multiply (a.x, factor);

  product.y += a.y * factor;
  return product;
}

// Returns the signed product of an unsigned and a signed word.
uvec2 wide_multiply_signed (uint a, int b)
{
  uvec2 product = wide_multiply (a, uint (b));

  if (b < 0)
    product.y -= a;
  return product;
}

uvec2 wide_from_signed (int a)
{
  return uvec2 (uint (a), uint (a >> 31));
}

bool wide_is_negative (uvec2 a)
{
  return int (a.y) < 0;
}

// Compares unsigned values.
bool wide_less (uvec2 a, uvec2 b)
{
  return a.y < b.y || (a.y == b.y && a.x < b.x);
}

float wide_to_float (uvec2 a)
{
  return float (a.y) * 4294967296.0 + float (a.x);
}

// Returns an estimate of the quotient in wide_divide_rounded(), off by at most one. Uses
// the absolute value: a small negative sum has all upper bits set, and a float would keep
// only those.
int wide_estimate_quotient (uvec2 sum, uint n)
{
  bool is_negative = wide_is_negative (sum);
  uvec2 size = is_negative ? wide_negate (sum) : sum;
  float quotient = wide_to_float (size) / float (n);

  return int (floor ((is_negative ? -quotient : quotient) + 0.5));
}

// Returns floor ((2 sum + n) / (2 n)) for a signed sum, n > 0, and a quotient of at most
// 12 bits. Estimates the quotient and corrects it until
// 0 <= 2 sum - n (2 quotient - 1) < 2 n.
int wide_divide_rounded (uvec2 sum, uint n)
{
  int quotient = wide_estimate_quotient (sum, n);
  uvec2 twice_n = uvec2 (n << 1, n >> 31);
  uvec2 twice_sum = uvec2 (sum.x << 1, (sum.y << 1) | (sum.x >> 31));
  uvec2 rest = wide_subtract (twice_sum,
      wide_multiply_signed (n, 2 * quotient - 1));

  while (wide_is_negative (rest)) {
    quotient--;
    rest = wide_add (rest, twice_n);
  }
  while (!wide_less (rest, twice_n)) {
    quotient++;
    rest = wide_subtract (rest, twice_n);
  }
  return quotient;
}

// Like wide_divide_rounded(), for an unsigned sum, a divisor n of two words, and a quotient
// of at most 16 bits. Returns 0 if n is 0.
uint wide_divide_rounded_unsigned (uvec2 sum, uvec2 n)
{
  if (n == uvec2 (0))
    return 0;
  uvec2 twice_n = wide_add (n, n);
  uvec2 dividend = wide_add (wide_add (sum, sum), n);
  uint quotient = uint (wide_to_float (dividend) / wide_to_float (twice_n));

  while (wide_less (dividend, wide_times (twice_n, quotient)))
    quotient--;
  while (!wide_less (dividend, wide_times (twice_n, quotient + 1)))
    quotient++;
  return quotient;
}

#endif
