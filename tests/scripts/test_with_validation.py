#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test_with_validation.py WITH_VALIDATION

Which messages of a validation layer scripts/with-validation drops. A shell writes them as
layer 1.4.309 does; no device is used. Prints TAP.
"""
import pathlib
import sys

import program
import tap

WITH_VALIDATION = sys.argv[1]
LAYER = """\
cat messages > "$(sed -n 's/^khronos_validation.log_filename = //p' "$VK_LAYER_SETTINGS_PATH")"
"""
REPORTED = 3

ANOTHER = "another vkCmdDispatch command"
WRITES = "VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT accesses"
LAYOUT = "layout transition accesses"


def describe(kernel, before, missing, hazard="WRITE-AFTER-WRITE"):
    return f"""\
Validation Error: [ SYNC-HAZARD-{hazard} ] | MessageID = 0x5c0ec5d6
vkCmdDispatch(): hazard detected. Shader stage VK_SHADER_STAGE_COMPUTE_BIT writes to \
VkBuffer 0xac00000000ac[from], which was previously written by {before}.
The buffer is referenced by descriptor binding 0 (VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) from \
descriptor set 0 (VkDescriptorSet 0x140000000014), VkPipeline 0x9e000000009e[{kernel}].
The current synchronization allows all accesses at VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, \
but to prevent this hazard, it must protect {missing}.
Objects: 1
    [0] VkBuffer 0xac00000000ac[from]

"""


FALSE = [
    describe("affine", "vkCmdCopyBuffer", LAYOUT),
    describe("encode", ANOTHER, WRITES),
    describe("blur_pyramid_up", ANOTHER, WRITES),
]
TRUE = [
    describe("affine", ANOTHER, WRITES),
    describe("encode", "vkCmdFillBuffer", WRITES),
    describe("encode", ANOTHER, WRITES, "READ-AFTER-WRITE"),
]


def run(messages):
    pathlib.Path("messages").write_text(messages)
    return program.run(WITH_VALIDATION, "sh", "-c", LAYER)


def test_false_messages():
    done = run("".join(FALSE))
    assert done.returncode == 0 and not done.stderr, done.stderr


def test_true_messages():
    """Each one among false ones."""
    for message in TRUE:
        done = run("".join([*FALSE, message, *FALSE]))
        assert done.returncode == REPORTED, message
        assert done.stderr.strip().endswith(message.strip()), done.stderr
        assert done.stderr.count("Validation Error") == 1, done.stderr


tap.run(tap.find(globals()))
