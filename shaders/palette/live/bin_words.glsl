// SPDX-License-Identifier: LGPL-2.1-or-later
// Words of the bitmap of occupied bins that an invocation processes.
layout (constant_id = 0) const uint WORDS_PER_THREAD = 4;
