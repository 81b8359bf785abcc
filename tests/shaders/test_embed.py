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


def embed(instructions):
    pathlib.Path("module.asm").write_text(MODULE % instructions)
    made = program.run("spirv-as", "--target-env", "vulkan1.1", "module.asm",
                       "-o", "module.spv")
    assert made.returncode == 0, made.stderr
    return program.run(sys.executable, EMBED, "out.c", "out.h", "module=module.spv")


def test_copy_of_a_value():
    """glslc writes it for conditions since 2026."""
    done = embed("%copy = OpCopyObject %bool %is_zero")
    assert done.returncode == 0, done.stderr
    assert "#define MODULE_BLOCK 0" in pathlib.Path("out.h").read_text()


def test_copy_of_a_pointer():
    done = embed("%copy = OpCopyObject %of_uint %member")
    assert done.returncode == 1 and "OpCopyObject" in done.stderr, done
    assert not pathlib.Path("out.c").exists()


tap.run(tap.find(globals()))
