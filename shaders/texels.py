# SPDX-License-Identifier: LGPL-2.1-or-later
"""What changes in a SPIR-V module that fetches texels in place of loading words from buffers that
it only reads. Mesa's CPU device needs less time for that (docs/internals/design.md). The results
are the same, unless a buffer that the shader only reads is also bound where it writes, and it
reads there what it has written."""

# Words in front of the first instruction, and the one of them above all ids.
HEADER_WORDS, BOUND = 5, 3

# Opcodes.
CAPABILITY, TYPE_VOID, INT, FLOAT, VECTOR, IMAGE, STRUCT, POINTER = 17, 19, 21, 22, 23, 25, 30, 32
CONSTANT, FUNCTION, VARIABLE, LOAD, DECORATE, LABEL = 43, 54, 59, 61, 71, 248
CONSTRUCT, EXTRACT, FETCH, BITCAST, ADD, MULTIPLY, SHIFT_RIGHT = 80, 81, 95, 124, 128, 132, 194

DESCRIPTOR_SET, BINDING = 34, 33            # decorations
UNIFORM_CONSTANT, STORAGE_BUFFER = 0, 12    # storage classes
SAMPLED_BUFFER = 46                         # a capability
TEXEL_BUFFER = 5, 0, 0, 0, 1, 0             # of an image type: no depth, sampled, any format


def instructions(words):
    """Yields the index, the opcode and the operands of each instruction of a module."""
    at = HEADER_WORDS
    while at < len(words):
        length = words[at] >> 16
        yield at, words[at] & 0xffff, tuple(words[at + 1:at + length])
        at += length


def instruction(code, *operands):
    return [code | (len(operands) + 1) << 16, *operands]


class Texels:
    """module: a Module of embed.py; words: those to be changed. For binding i of a buffer whose
    words are fetched, a texel buffer with the same bytes is at binding first + i."""

    def __init__(self, module, words, first):
        self.module, self.first, self.bound = module, first, words[BOUND]
        written = module.mask(module.written)
        self.blocks = {variable: module.types[pointer][1][1]
                       for variable, pointer, storage in module.variables
                       if storage == STORAGE_BUFFER
                       and not written >> module.decorations[variable] & 1}
        self.known = {}         # ids of types and constants
        self.declared = []      # words of those that are new, and of variables
        self.images = {}        # variables of texel buffers, by binding
        self.code = []          # of the fetch at hand
        self.types_at = self.functions_at = None
        self.read_declarations(words)
        self.word = self.declare((INT,), 32, 0)
        self.texel = self.declare((VECTOR,), self.word, 4)
        self.image = self.declare((IMAGE,), self.word, *TEXEL_BUFFER)
        self.image_pointer = self.declare((POINTER,), UNIFORM_CONSTANT, self.image)
        loads = [operands for _, code, operands in instructions(words)
                 if code == LOAD and self.parts(operands)]
        self.fours = {self.binding(load) for load in loads if self.parts(load)[0] == 4} - {
            self.binding(load) for load in loads if self.parts(load)[0] != 4}
        self.edits = self.change(words) if loads else []

    def read_declarations(self, words):
        for at, code, operands in instructions(words):
            if code in (INT, VECTOR, IMAGE, POINTER):
                self.known[(code,), operands[1:]] = operands[0]
            elif code == CONSTANT:
                self.known[(code, operands[0]), operands[2:]] = operands[1]
            elif code == FUNCTION:
                self.functions_at = at
                break
            if self.types_at is None and TYPE_VOID <= code < FUNCTION:
                self.types_at = at

    def binding(self, load):
        return self.module.decorations[self.module.chains[load[2]][2]]

    def parts(self, load):
        """Returns of how many numbers of 32 bits the loaded value consists, and their type; None
        if it is something else, or from elsewhere than a buffer that is only read."""
        chain = self.module.chains.get(load[2])
        if not chain or chain[2] not in self.blocks:
            return None
        code, operands = self.module.types[load[0]]
        number, n = operands if code == VECTOR else (load[0], 1)
        code, operands = self.module.types[number]
        return (n, number) if code in (INT, FLOAT) and operands[0] == 32 else None

    # --- instructions ---

    def new_id(self):
        self.bound += 1
        return self.bound - 1

    def declare(self, before, *after):
        """Returns the id of a type or a constant. before, after: its operands in front of the id
        and behind it, with the opcode."""
        if (before, after) not in self.known:
            self.known[before, after] = self.new_id()
            self.declared += instruction(*before, self.known[before, after], *after)
        return self.known[before, after]

    def constant(self, value):
        return self.declare((CONSTANT, self.word), value)

    def emit(self, code, kind, *operands, result=None):
        result = result or self.new_id()
        self.code += instruction(code, kind, result, *operands)
        return result

    # --- loads ---

    def place(self, chain):
        """Returns where the words are that an access chain points to: the id of an index, or
        None, and a number to be added to it."""
        kind, index, number = self.blocks[chain[2]], None, 0
        for element in chain[3:]:
            code, operands = self.module.types[kind]
            if code == STRUCT:
                member = self.module.values[element]
                number += self.module.offsets[kind, member] // 4
                kind = operands[member]
                continue
            stride = 1 if code == VECTOR else self.module.strides[kind] // 4
            kind = operands[0]
            if element in self.module.values and element not in self.module.constants:
                number += self.module.values[element] * stride
                continue
            if stride != 1:
                element = self.emit(MULTIPLY, self.word, element, self.constant(stride))
            index = self.emit(ADD, self.word, index, element) if index else element
        return index, number

    def index(self, place, add):
        """Returns the id of the index of the word add words after the place."""
        index, number = place[0], place[1] + add
        if not index:
            return self.constant(number)
        return self.emit(ADD, self.word, index, self.constant(number)) if number else index

    def number(self, image, index, kind, result=None):
        """Fetches the number at an index."""
        texel = self.emit(FETCH, self.texel, image, index)
        if kind == self.word:
            return self.emit(EXTRACT, kind, texel, 0, result=result)
        word = self.emit(EXTRACT, self.word, texel, 0)
        return self.emit(BITCAST, kind, word, result=result)

    def fetch(self, load, images):
        """Fetches what the load loads. images: the ids of texel buffers in its function."""
        kind, result, pointer = load[:3]
        binding, place = self.binding(load), self.place(self.module.chains[pointer])
        n, number = self.parts(load)
        if binding not in images:
            images[binding] = self.new_id()
        image = images[binding]
        if n == 1:
            self.number(image, self.index(place, 0), kind, result)
        elif binding in self.fours:
            four = self.emit(SHIFT_RIGHT, self.word, self.index(place, 0), self.constant(2))
            if kind == self.texel:
                self.emit(FETCH, kind, image, four, result=result)
            else:
                texel = self.emit(FETCH, self.texel, image, four)
                self.emit(BITCAST, kind, texel, result=result)
        else:
            self.emit(CONSTRUCT, kind, *[self.number(image, self.index(place, i), number)
                                         for i in range(n)], result=result)

    # --- the module ---

    def load_images(self, images):
        """Returns what a function begins with: it loads its texel buffers once."""
        words = []
        for binding, image in images.items():
            if binding not in self.images:
                self.images[binding] = self.new_id()
                self.declared += instruction(VARIABLE, self.image_pointer, self.images[binding],
                                             UNIFORM_CONSTANT)
            words += instruction(LOAD, self.image, image, self.images[binding])
        return words

    def change(self, words):
        """Returns the changes in order: where, how many words go, and those in their place."""
        functions = []          # where the first block has no more variables, images, edits
        for at, code, operands in instructions(words):
            after = at + (words[at] >> 16)
            if code == FUNCTION:
                functions.append([None, {}, []])
            elif code == VARIABLE and functions or code == LABEL and not functions[-1][0]:
                functions[-1][0] = after
            elif code == LOAD and self.parts(operands):
                self.code = []
                self.fetch(operands, functions[-1][1])
                functions[-1][2].append((at, after - at, self.code))
        edits = []
        for begin, images, fetches in functions:
            edits += [(begin, 0, self.load_images(images)), *fetches] if fetches else []
        decorations = [word for binding, image in self.images.items() for word in
                       instruction(DECORATE, image, DESCRIPTOR_SET, 0)
                       + instruction(DECORATE, image, BINDING, self.first + binding)]
        return [(BOUND, 1, [self.bound]),
                (HEADER_WORDS, 0, instruction(CAPABILITY, SAMPLED_BUFFER)),
                (self.types_at, 0, decorations), (self.functions_at, 0, self.declared), *edits]

    def apply(self, words):
        """Returns the changed words."""
        changed, done = [], 0
        for at, dropped, added in self.edits:
            changed += [*words[done:at], *added]
            done = at + dropped
        return changed + [*words[done:]]

    def pack(self):
        """Returns the changes as GpuShader.texels has them."""
        packed, done = [], 0
        for at, dropped, added in self.edits:
            assert at - done <= 0xffff and dropped <= 0xf and len(added) <= 0xfff
            packed += [(at - done) << 16 | dropped << 12 | len(added), *added]
            done = at + dropped
        return packed
