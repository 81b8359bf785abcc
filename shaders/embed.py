#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""embed.py OUT.c OUT.h NAME=FILE.spv ...

Checks every SPIR-V module and writes them as constant arrays: a GpuShader
named gpu_shader_NAME for each."""
import os
import subprocess
import struct
import sys

LICENSE = '/* SPDX-License-Identifier: LGPL-2.1-or-later */\n/* generated */\n'


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
