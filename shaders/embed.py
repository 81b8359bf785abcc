#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""embed.py OUT.c OUT.h NAME=FILE.spv ...

Checks every SPIR-V module and writes them as constant arrays: a GpuShader
named gpu_shader_NAME for each, with the size of its workgroups."""
import os
import subprocess
import struct
import sys

# What every device has for a workgroup (gpu/core/open/requirements.c). Arrays whose
# length is specialized are measured by their defaults.
SHARED_BYTES = 16384

LICENSE = '/* SPDX-License-Identifier: LGPL-2.1-or-later */\n/* generated */\n'


def instructions(words):
    """The code and the operands of each."""
    at = 5
    while at < len(words):
        length = words[at] >> 16
        yield words[at] & 0xffff, words[at + 1:at + length]
        at += length


def shared_bytes(words):
    """Bytes of a module's variables in memory that a workgroup shares."""
    sizes, values, total = {}, {}, 0
    for code, operands in instructions(words):
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


def group_size(words):
    """Threads of a workgroup along each axis, by default, and the number of the
    specialization constant that says otherwise, or -1."""
    constants, values, group, built_in = {}, {}, None, None
    for code, operands in instructions(words):
        if code == 16 and operands[1] == 17:    # execution mode, LocalSize
            group = [(threads, -1) for threads in operands[2:5]]
        elif code == 71 and operands[1] == 1:   # decoration, SpecId
            constants[operands[0]] = operands[2]
        elif code == 71 and operands[1:3] == (11, 25):  # BuiltIn WorkgroupSize
            built_in = operands[0]
        elif code in (43, 50):                  # constant, specialized or not
            values[operands[1]] = operands[2]
        elif code in (44, 51) and operands[1] == built_in:      # composite
            group = [(values[part], constants.get(part, -1))
                     for part in operands[2:5]]
    return group


def main(out_c, out_h, modules):
    source = [LICENSE, '#include "%s"\n' % os.path.basename(out_h)]
    header = [LICENSE, '#pragma once\n#include "gpu/core/device/shader.h"\n\n']
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
        group = ', '.join('{ %d, %d }' % axis for axis in group_size(words))
        source.append('const GpuShader gpu_shader_%s = { "%s", words_%s, '
                      'sizeof (words_%s), { %s } };\n'
                      % (name, name, name, name, group))
        header.append('extern const GpuShader gpu_shader_%s;\n' % name)
    with open(out_c, 'w') as file:
        file.writelines(source)
    with open(out_h, 'w') as file:
        file.writelines(header)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
