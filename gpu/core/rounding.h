/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Division and multiples, of numbers that are not negative. Arguments are evaluated more
 * than once. */
#pragma once

#define DIV_UP(x, n) (((x) + (n) - 1) / (n))
#define ROUND_UP(x, n) (DIV_UP (x, n) * (n))
#define ROUND_DOWN(x, n) ((x) / (n) * (n))
