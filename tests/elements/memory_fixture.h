/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests of GstGpuMemory share: an allocator on the device of element_fixture.h, whose
 * events are counted, and copies from memory to memory on that device. All of this fails
 * the test where something goes wrong. */
#pragma once

#include "element_fixture.h"
#include "gst/memory/gstgpumemory.h"

G_BEGIN_DECLS

/* Bytes of memories that are copied on the device. */
#define MEMORY_FIXTURE_SIZE 4096

typedef struct
{
  GpuDevice *device;
  GstElement *owner;
  GstAllocator *allocator;
  GpuStream *stream;
} MemoryFixture;

/* Returns new references, and forgets earlier events. */
MemoryFixture memory_fixture_open (void);
/* Drops the references that @f has, if any; memories may live on. */
void memory_fixture_close (MemoryFixture * f);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MemoryFixture, memory_fixture_close);

/* A new memory of MEMORY_FIXTURE_SIZE. */
GstMemory *memory_fixture_alloc (MemoryFixture * f);

/* What maps did since the fixture was opened. Atomic. */
typedef struct
{
  guint downloads, result_waits, reader_waits, failures;
} MemoryFixtureCounts;

extern MemoryFixtureCounts memory_fixture_counts;
/* The code (GpuError) of the newest failure. */
gint memory_fixture_last_error (void);
/* These were all. @downloads: by maps, where there are two sides. */
void memory_fixture_assert_events (guint downloads, guint result_waits,
    guint reader_waits);

/* The CPU sets all bytes of @memory, or finds them all set, to @value. */
void memory_fixture_write (GstMemory * memory, guint8 value);
void memory_fixture_assert_bytes (GstMemory * memory, guint8 value);

/* Submits a copy of one memory to another, and its download if @download; returns
 * whether it uploaded. */
gboolean memory_fixture_copy (MemoryFixture * f, GstMemory * from,
    GstMemory * to, gboolean download);
/* The same, which uploads where there are two sides. */
void memory_fixture_assert_upload (MemoryFixture * f, GstMemory * from,
    GstMemory * to, gboolean download);

G_END_DECLS
