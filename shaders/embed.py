#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""embed.py OUT.c OUT.h NAME=FILE.spv ... NAME+NAME ...

Checks every SPIR-V module and writes it to OUT.c as a GpuShader named gpu_shader_NAME,
without debug names, and with its changes for texels (texels.py). The modules must have been
built with names (glslc -g). OUT.h declares the interface of each shader: NAME_BLOCK is the
binding of the buffer block Block, NAME_BUFFERS(of) initialises GpuDispatch.buffers from the
members of *of that have the names of the blocks (of several views of one buffer, the shortest
name), and GpuNamePush is the struct of its push constants. NAME+NAME: shaders that C code
uses in the same way (Group); those of one source file always are."""
import collections
import os
import re
import subprocess
import struct
import sys

import texels

# Shared memory that every device has per workgroup (gpu/core/open/candidate.c). An array
# whose length is a specialization constant counts with the default length.
SHARED_BYTES = 16384

# GPU_MAX_PUSH and GPU_MAX_BINDINGS (gpu/core/device/device.h).
MAX_PUSH = 128
MAX_BINDINGS = 16

LICENSE = '/* SPDX-License-Identifier: LGPL-2.1-or-later */\n/* generated */\n'

# Instructions that make pointers, or use them, in ways that neither base_of() nor texels.py
# follows; and matrices, whose elements the latter does not find.
UNKNOWN = {24: 'a matrix', 63: 'OpCopyMemory', 64: 'OpCopyMemorySized', 66: 'OpInBoundsAccessChain',
           67: 'OpPtrAccessChain', 83: 'OpCopyObject of a pointer'}

# Debug instructions: names, sources, lines.
DEBUG = (2, 3, 4, 5, 6, 7, 8, 317, 330)

STORAGE_OF_WORKGROUP = 4
STORAGE_OF_BUFFERS = (2, 12)
STORAGE_OF_PUSH_CONSTANTS = 9


def text(words):
    """Decodes a literal string."""
    data = struct.pack('<%dI' % len(words), *words)
    return data[:data.index(b'\0')].decode()


class Module:
    """The parts of a SPIR-V module that embed.py needs."""

    def __init__(self, name, path):
        self.name = name
        with open(path, 'rb') as file:
            data = file.read()
        self.words = struct.unpack('<%dI' % (len(data) // 4), data)
        self.names, self.members, self.decorations = {}, {}, {}
        self.offsets, self.types, self.values = {}, {}, {}
        self.constants, self.variables, self.group = {}, [], None
        self.built_in, self.local_size = None, None
        self.referenced, self.strings, self.source = set(), {}, None
        self.bases, self.written = {}, set()    # of pointers, variables
        self.chains, self.strides = {}, {}      # of pointers, arrays
        for _, code, operands in texels.instructions(self.words):
            if code in UNKNOWN and not self.copies_value(code, operands):
                sys.exit('%s has %s, which embed.py and texels.py do not follow'
                         % (name, UNKNOWN[code]))
            self.read(code, operands)

    def copies_value(self, code, operands):
        return code == 83 and self.types[operands[0]][0] != 32

    def read(self, code, operands):
        if code == 3 and self.source is None:   # source; the first one is main()'s file
            self.source = self.strings[operands[2]]
        elif code == 7:                         # string
            self.strings[operands[0]] = text(operands[1:])
        elif code == 5:                         # name
            self.names[operands[0]] = text(operands[1:])
        elif code == 6:                         # name of a member
            self.members[operands[0], operands[1]] = text(operands[2:])
        elif code == 16 and operands[1] == 17:  # execution mode, LocalSize
            self.local_size = [(threads, -1) for threads in operands[2:5]]
        elif code in (20, 21, 22, 23, 28, 29, 30, 32):  # types
            self.types[operands[0]] = code, operands[1:]
        elif code in (43, 50):                  # constant, specialization constant
            self.values[operands[1]] = operands[2]
        elif code in (44, 51) and operands[1] == self.built_in:  # composite
            self.group = operands[2:5]
        elif code == 59:                        # variable
            self.variables.append((operands[1], operands[0], operands[2]))
        elif code in (61, 65, 66, 68):          # load, access chains, array length
            self.referenced.add(operands[2])
            self.bases[operands[1]] = self.base_of(operands[2])
            if code == 65:
                self.chains[operands[1]] = operands
        elif code == 55 and self.is_of_buffer(operands[0]):     # parameter of a function
            sys.exit('%s passes a pointer into a buffer to a function: it is not seen '
                     'whether that writes' % self.name)
        elif code in (62, 228):                 # store, atomic store
            self.written.add(self.base_of(operands[0]))
        elif code in range(229, 243):           # atomic operations that change memory
            self.written.add(self.base_of(operands[2]))
        elif code == 71 and operands[1] == 1:   # decoration, SpecId
            self.constants[operands[0]] = operands[2]
        elif code == 71 and operands[1] == 6:   # ArrayStride
            self.strides[operands[0]] = operands[2]
        elif code == 71 and operands[1] == 33:  # Binding
            self.decorations[operands[0]] = operands[2]
        elif code == 71 and operands[1:3] == (11, 25):  # BuiltIn WorkgroupSize
            self.built_in = operands[0]
        elif code == 72 and operands[2] == 35:  # member decoration, Offset
            self.offsets[operands[0], operands[1]] = operands[3]

    def stripped(self):
        """Returns the words of the module without debug instructions."""
        words = list(self.words[:texels.HEADER_WORDS])
        for _, code, operands in texels.instructions(self.words):
            if code not in DEBUG:
                words += texels.instruction(code, *operands)
        return words

    def size_of(self, kind):
        code, operands = self.types[kind]
        if code == 23:                          # vector
            return self.size_of(operands[0]) * operands[1]
        if code == 28:                          # array
            return self.size_of(operands[0]) * self.values.get(operands[1], 0)
        if code == 30:                          # struct
            return sum(self.size_of(member) for member in operands)
        return operands[0] // 8 if code in (21, 22) else 4      # int, float; bool

    def shared_bytes(self):
        """Returns the bytes of shared memory per workgroup."""
        return sum(self.size_of(self.types[pointer][1][1])
                   for _, pointer, storage in self.variables
                   if storage == STORAGE_OF_WORKGROUP)

    def group_size(self):
        """Returns for each axis the default workgroup size and the index of the
        specialization constant that overrides it, or -1."""
        if self.group:
            return [(self.values[part], self.constants.get(part, -1))
                    for part in self.group]
        return self.local_size

    def bindings(self):
        """Returns the names of the buffer blocks at each binding. There are several if
        a shader declares several views of one buffer."""
        blocks = {}
        for variable, pointer, _ in self.variables:
            if variable not in self.decorations:
                continue
            block = self.names.get(self.types[pointer][1][1], '')
            if not block:
                sys.exit('%s: the buffer block at binding %d needs a name'
                         % (self.name, self.decorations[variable]))
            if self.decorations[variable] >= MAX_BINDINGS:
                sys.exit('%s: %s has a binding above %d'
                         % (self.name, block, MAX_BINDINGS - 1))
            blocks.setdefault(self.decorations[variable], []).append(block)
        return blocks

    def shortest(self, blocks):
        """Returns the name that stands for all views of one buffer."""
        first, *others = sorted(blocks, key=len)
        if others and len(others[0]) == len(first) and others[0] != first:
            sys.exit('%s: %s and %s are views of one buffer: give the one that names it '
                     'the shorter name' % (self.name, first, others[0]))
        return first

    def is_of_buffer(self, kind):
        code, operands = self.types[kind]
        return code == 32 and operands[0] in STORAGE_OF_BUFFERS

    def base_of(self, pointer):
        """Returns the variable in which a pointer points."""
        return self.bases.get(pointer, pointer)

    def mask(self, variables):
        """Returns the bit mask of the bindings of the variables."""
        return sum(1 << binding for binding in
                   {binding for variable, binding in self.decorations.items()
                    if variable in variables})

    def uses(self):
        """Returns the bit mask of the bindings that the shader uses."""
        mask = self.mask(self.referenced)
        if not mask:
            sys.exit('%s looks at no buffer' % self.name)
        return mask

    def push_size(self):
        push = self.push_constants()
        size = self.size_of(push) if push else 0
        if size > MAX_PUSH:
            sys.exit('%s has %d bytes of push constants, and no more than %d are '
                     'there on every device' % (self.name, size, MAX_PUSH))
        return size

    def push_constants(self):
        """Returns the type of the push constants, or None."""
        for _, pointer, storage in self.variables:
            if storage == STORAGE_OF_PUSH_CONSTANTS:
                return self.types[pointer][1][1]
        return None

    def push_members(self):
        """Returns the name and the size of each push constant."""
        push = self.push_constants()
        return push and [(self.members[push, i], self.size_of(member))
                         for i, member in enumerate(self.types[push][1])]

    def declare(self, kind, name):
        """Returns the declaration of a member of a C struct."""
        code, operands = self.types[kind]
        if code == 28:
            return '%s[%d]' % (self.declare(operands[0], name),
                               self.values[operands[1]])
        if code == 30:
            return 'struct %s %s' % (self.names[kind], name)
        if code == 22 and operands[0] == 32:
            return 'gfloat %s' % name
        if code == 21 and operands[0] == 32:
            return '%s %s' % ('gint32' if operands[1] else 'guint32', name)
        sys.exit('%s: push constant %s is neither a number nor a struct nor an array '
                 'of these, whose layout C has too' % (self.name, name))

    def structs_in(self, kind):
        """Returns the types of all nested structs; inner structs come first."""
        structs = []
        for member in self.types[kind][1]:
            if self.types[member][0] == 30:
                structs += self.structs_in(member) + [member]
        return structs

    def declare_members(self, kind):
        at, members = 0, []
        for i, member in enumerate(self.types[kind][1]):
            name = self.members[kind, i]
            if self.offsets[kind, i] != at:
                sys.exit('%s: C has no push constant %s at byte %d' %
                         (self.name, name, self.offsets[kind, i]))
            at += self.size_of(member)
            members.append('  %s;\n' % self.declare(member, name))
        return ''.join(members)


def upper(name):
    """Converts PixelBins to PIXEL_BINS."""
    return re.sub(r'(?<=[a-z0-9])(?=[A-Z])', '_', name).upper()


def camel(name):
    """Converts palette_bin_list to PaletteBinList."""
    return ''.join(part.capitalize() for part in name.split('_'))


class Group:
    """Shaders of which C code uses the names of one for all: buffer blocks of the same name
    have the same binding, and push constants, if there are any, the same members."""

    def __init__(self):
        self.first, self.blocks, self.push = None, {}, None

    def add(self, module):
        self.first = self.first or module.name
        for binding, blocks in module.bindings().items():
            for block in blocks:
                if self.blocks.setdefault(block, binding) != binding:
                    sys.exit('%s has %s at another binding than %s, or a shader like it'
                             % (module.name, block, self.first))
        push = module.push_members()
        self.push = self.push or push
        if push and push != self.push:
            sys.exit('%s has other push constants than %s, or a shader like it'
                     % (module.name, self.first))


def describe(module, structs):
    """Returns the header lines of a shader. structs: those that are already declared."""
    lines = ['\nextern const GpuShader gpu_shader_%s;\n' % module.name]
    for binding, blocks in sorted(module.bindings().items()):
        for block in sorted(blocks):
            lines.append('#define %s_%s %d\n' % (module.name.upper(), upper(block),
                                                binding))
    lines.append('#define %s_BUFFERS(of) { \\\n%s}\n' % (module.name.upper(), ''.join(
        '  [%d] = (of)->%s, \\\n' % (binding, upper(module.shortest(blocks)).lower())
        for binding, blocks in sorted(module.bindings().items()))))
    push = module.push_constants()
    if push:
        for kind in module.structs_in(push):
            name, members = module.names[kind], module.declare_members(kind)
            if structs.setdefault(name, members) != members:
                sys.exit('%s: another shader has another struct %s'
                         % (module.name, name))
            lines.append('#ifndef STRUCT_%s\n#define STRUCT_%s\nstruct %s\n{\n%s};\n'
                         '#endif\n' % (upper(name), upper(name), name, members))
        lines.append('typedef struct\n{\n%s} Gpu%sPush;\n'
                     % (module.declare_members(push), camel(module.name)))
    return lines


def validate(words):
    subprocess.run(['spirv-val', '--target-env', 'vulkan1.1', '-'], check=True,
                   input=struct.pack('<%dI' % len(words), *words))


def array(name, words):
    """Returns the definition of a C array."""
    lines = [', '.join('0x%08x' % word for word in words[i:i + 6])
             for i in range(0, len(words), 6)]
    return '\nstatic const guint32 %s[] = {\n  %s\n};\n' % (name, ',\n  '.join(lines))


def embed(module):
    """Validates the shader, with and without texels, and returns its C definition."""
    words = module.stripped()
    fetches = texels.Texels(module, words, MAX_BINDINGS)
    validate(words)
    validate(fetches.apply(words))
    changes = fetches.pack()
    source = [array('words_%s' % module.name, words)]
    if changes:
        source.append(array('texels_%s' % module.name, changes))
    members = ['"%s"' % module.name, 'words_%s' % module.name, 'sizeof (words_%s)' % module.name,
               '{ %s }' % ', '.join('{ %d, %d }' % axis for axis in module.group_size()),
               '0x%x' % module.uses(), '0x%x' % module.mask(module.written),
               '%d' % module.push_size(),
               'texels_%s' % module.name if changes else 'NULL', '%d' % len(changes),
               '0x%x' % sum(1 << binding for binding in fetches.fours)]
    return source + ['const GpuShader gpu_shader_%s = { %s };\n'
                     % (module.name, ', '.join(members))]


def main(out_c, out_h, arguments):
    source = [LICENSE, '#include "%s"\n' % os.path.basename(out_h)]
    header = [LICENSE, '#pragma once\n#include "shaders/shader.h"\n']
    alike = [argument.split('+') for argument in arguments if '=' not in argument]
    structs, groups = {}, collections.defaultdict(Group)
    for argument in filter(lambda argument: '=' in argument, arguments):
        name, path = argument.split('=', 1)
        module = Module(name, path)
        if module.shared_bytes() > SHARED_BYTES:
            sys.exit('%s takes %d bytes of shared memory, and no more than %d '
                     'are there on every device'
                     % (name, module.shared_bytes(), SHARED_BYTES))
        groups[module.source].add(module)
        for names in filter(lambda names: name in names, alike):
            groups[names[0]].add(module)
        header += describe(module, structs)
        source += embed(module)
    with open(out_c, 'w') as file:
        file.writelines(source)
    with open(out_h, 'w') as file:
        file.writelines(header)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
