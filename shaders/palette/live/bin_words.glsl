// SPDX-License-Identifier: LGPL-2.1-or-later
// Words of the bitmap of occupied bins that a thread takes.
layout (constant_id = 0) const uint WORDS_PER_THREAD = 4;
