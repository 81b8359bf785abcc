#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""embed.py OUT.c OUT.h NAME=FILE.spv ...

Checks every SPIR-V module and writes them as constant arrays: a GpuShader
named gpu_shader_NAME for each."""
import os
import subprocess
import struct
import sys

# What every device has for a workgroup (gpu/core/requirements.c). Arrays whose
# length is specialized are measured by their defaults.
SHARED_BYTES = 16384

LICENSE = '/* SPDX-License-Identifier: LGPL-2.1-or-later */\n/* generated */\n'


def shared_bytes(words):
    """Bytes of a module's variables in memory that a workgroup shares."""
    sizes, values, total = {}, {}, 0
    at = 5
    while at < len(words):
        code = words[at] & 0xffff
        operands = words[at + 1:at + (words[at] >> 16)]
        at += words[at] >> 16
        if code in (20, 21, 22):                # bool, int, float
            sizes[operands[0]] = 4
        elif code == 23:                        # vector
            sizes[operands[0]] = sizes[operands[1]] * operands[2]
        elif code == 28:                        # array
            sizes[operands[0]] = (sizes[operands[1]]
                                  * values.get(operands[2], 0))
        elif code == 30:                        # struct
            sizes[operands[0]] = sum(sizes.get(member, 0)
                                     for member in operands[1:])
        elif code == 32:                        # pointer
            sizes[operands[0]] = sizes.get(operands[2], 0)
        elif code in (43, 50):                  # constant, specialized or not
            values[operands[1]] = operands[2]
        elif code == 59 and operands[2] == 4:   # variable, of a workgroup
            total += sizes[operands[0]]
    return total


def main(out_c, out_h, modules):
    source = [LICENSE, '#include "%s"\n' % os.path.basename(out_h)]
    header = [LICENSE, '#pragma once\n#include "gpu/core/kernel.h"\n\n']
    for module in modules:
        name, path = module.split('=', 1)
        subprocess.run(['spirv-val', '--target-env', 'vulkan1.1', path],
                       check=True)
        with open(path, 'rb') as file:
            data = file.read()
        words = struct.unpack('<%dI' % (len(data) // 4), data)
        if shared_bytes(words) > SHARED_BYTES:
            sys.exit('%s takes %d bytes of shared memory, and no more than %d '
                     'are there on every device'
                     % (name, shared_bytes(words), SHARED_BYTES))
        lines = [', '.join('0x%08x' % word for word in words[i:i + 6])
                 for i in range(0, len(words), 6)]
        source.append('\nstatic const guint32 words_%s[] = {\n  %s\n};\n'
                      % (name, ',\n  '.join(lines)))
        source.append('const GpuShader gpu_shader_%s = { "%s", words_%s, '
                      'sizeof (words_%s) };\n' % (name, name, name, name))
        header.append('extern const GpuShader gpu_shader_%s;\n' % name)
    with open(out_c, 'w') as file:
        file.writelines(source)
    with open(out_h, 'w') as file:
        file.writelines(header)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
