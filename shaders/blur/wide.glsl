// SPDX-License-Identifier: LGPL-2.1-or-later
// Unsigned integers of two words, without the optional Int64 feature.

struct Wide
{
  uint high, low;
};

Wide
wide_add (Wide a, Wide b)
{
  uint carry;
  uint low = uaddCarry (a.low, b.low, carry);

  return Wide (a.high + b.high + carry, low);
}

// The product with a factor so small that it fits.
Wide
wide_times (Wide a, uint factor)
{
  uint high, low;

  umulExtended (a.low, factor, high, low);
  return Wide (high + a.high * factor, low);
}

bool
wide_less_equal (Wide a, Wide b)
{
  return a.high < b.high || (a.high == b.high && a.low <= b.low);
}

float
wide_to_float (Wide a)
{
  return float (a.high) * 4294967296.0 + float (a.low);
}

// floor ((2 sum + divisor) / (2 divisor)), a quotient of at most 8 bits;
// 0 where the divisor is 0. Estimated, then corrected until it satisfies
// its definition.
uint
wide_divide_rounded (Wide sum, Wide divisor)
{
  if (divisor.high == 0 && divisor.low == 0)
    return 0;
  Wide twice = wide_add (divisor, divisor);
  Wide numerator = wide_add (wide_add (sum, sum), divisor);
  uint quotient =
      uint (wide_to_float (numerator) / wide_to_float (twice));

  while (!wide_less_equal (wide_times (twice, quotient), numerator))
    quotient--;
  while (wide_less_equal (wide_times (twice, quotient + 1), numerator))
    quotient++;
  return quotient;
}
