# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=sh

# Fails unless FILE is a picture of 3 bytes a pixel, without padding, and has COLOURS.
expect_colours() { # COLOURS WIDTH HEIGHT FILE
  size=$(stat -c %s "$4")
  if [ "$size" -ne $(($2 * $3 * 3)) ]; then
    echo "$4 has $size bytes, not those of $2 x $3 pixels"
    return 1
  fi
  found=$(od -An -v -tx1 -w3 "$4" | sort -u | wc -l)
  echo "$found colours, $1 expected"
  [ "$found" -eq "$1" ]
}
