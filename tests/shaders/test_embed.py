#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test_embed.py EMBED

Gives small modules to shaders/embed.py. Prints TAP.
"""
import pathlib
import sys

import program
import tap

EMBED = sys.argv[1]

# Reads and writes the one member of a block; %s: instructions in between.
MODULE = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %%main "main"
OpExecutionMode %%main LocalSize 1 1 1
OpName %%Block "Block"
OpDecorate %%Block BufferBlock
OpMemberDecorate %%Block 0 Offset 0
OpDecorate %%block DescriptorSet 0
OpDecorate %%block Binding 0
%%void = OpTypeVoid
%%function = OpTypeFunction %%void
%%bool = OpTypeBool
%%uint = OpTypeInt 32 0
%%zero = OpConstant %%uint 0
%%Block = OpTypeStruct %%uint
%%of_block = OpTypePointer Uniform %%Block
%%of_uint = OpTypePointer Uniform %%uint
%%block = OpVariable %%of_block Uniform
%%main = OpFunction %%void None %%function
%%begin = OpLabel
%%member = OpAccessChain %%of_uint %%block %%zero
%%value = OpLoad %%uint %%member
%%is_zero = OpIEqual %%bool %%value %%zero
%s
OpStore %%member %%value
OpReturn
OpFunctionEnd
"""


def assemble(name, text):
    """Returns the argument of embed.py for the module."""
    pathlib.Path(f"{name}.asm").write_text(text)
    made = program.run("spirv-as", "--target-env", "vulkan1.1", f"{name}.asm",
                       "-o", f"{name}.spv")
    assert made.returncode == 0, made.stderr
    return f"{name}={name}.spv"


def embed(instructions):
    module = assemble("module", MODULE % instructions)
    return program.run(sys.executable, EMBED, "out.c", "out.h", module)


def test_copy_of_a_value():
    """glslc writes it for conditions since 2026."""
    done = embed("%copy = OpCopyObject %bool %is_zero")
    assert done.returncode == 0, done.stderr
    assert "#define MODULE_BLOCK 0" in pathlib.Path("out.h").read_text()


def test_copy_of_a_pointer():
    done = embed("%copy = OpCopyObject %of_uint %member")
    assert done.returncode == 1 and "OpCopyObject" in done.stderr, done
    assert not pathlib.Path("out.c").exists()


def test_writes():
    """The stream has to know which bindings a shader writes: OpStore, or an atomic operation."""
    for store, mask in ("OpStore %%member %%value", "0x1, 0x1, 0, NULL"), (
            "", "0x1, 0x0, 0, NULL"), (
            "%%before = OpAtomicIAdd %%uint %%member %%one %%zero %%value", "0x1, 0x1, 0, NULL"):
        text = MODULE.replace("OpStore %%member %%value", store).replace(
            "%%Block = Op", "%%one = OpConstant %%uint 1\n%%Block = Op")
        done = program.run(sys.executable, EMBED, "out.c", "out.h",
                           assemble("module", text % ""))
        assert done.returncode == 0, done.stderr
        assert mask in pathlib.Path("out.c").read_text(), (store, mask)


def test_texels():
    """A device that fetches texels does so from buffers that the shader only reads."""
    module = MODULE.replace("BufferBlock", "Block").replace("Uniform", "StorageBuffer")
    for text, fetches in (module, False), (module.replace("OpStore %%member %%value", ""), True):
        done = program.run(sys.executable, EMBED, "out.c", "out.h",
                           assemble("module", text % ""))
        assert done.returncode == 0, done.stderr
        assert ("texels_module[]" in pathlib.Path("out.c").read_text()) == fetches, text


def assemble_one(name, binding):
    """Shaders of one file are always a group."""
    source = f'%%file = OpString "{name}.comp"\nOpSource GLSL 450 %%file\nOpName %%Block'
    text = MODULE.replace("OpName %%Block", source).replace("Binding 0", f"Binding {binding}")
    return assemble(name, text % "")


def test_group():
    """C code uses the names of one shader for all of its group."""
    for binding, group, fails in (0, ["one+other"], False), (1, [], False), (
            1, ["one+other"], True):
        done = program.run(sys.executable, EMBED, "out.c", "out.h", assemble_one("one", 0),
                           assemble_one("other", binding), *group)
        assert done.returncode == fails, done
        assert ("other has Block at another binding than one" in done.stderr) == fails, done


tap.run(tap.find(globals()))
