// SPDX-License-Identifier: LGPL-2.1-or-later
// The hysteresis of pixels by the unrest around them. Include after temporal.glsl.

Hysteresis
hysteresis_with (uint unrest, uint age)
{
  uint margin = frame.hysteresis.margin * age * (UNREST_MOST - unrest)
      / (SETTLED_MS * UNREST_MOST);

  return Hysteresis (margin * margin,
      age < SETTLED_MS || unrest == UNREST_MOST ? 0 : frame.hysteresis.wait_ms);
}
