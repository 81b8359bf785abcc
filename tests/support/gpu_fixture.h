/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests and benchmarks of gpu/ share: one device, bytes in, bytes out. */
#pragma once

#include "gpu/core/frame/frame.h"
#include "gpu/core/stream/stream.h"

G_BEGIN_DECLS

/* Prints why there is no device, for tests that are skipped then. Ends the
 * program where there is one, which failed: that is no reason to skip. */
void gpu_fixture_explain_absence (const GError * error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GpuTicket, gpu_ticket_clear)

/* The value of @call, which must not fail: it passes "&error", and is TRUE or a pointer. */
#define OK(call) \
  ({ \
    g_autoptr (GError) error = NULL; \
    __auto_type ok_value = (call); \
    g_assert_no_error (error); \
    g_assert_true (ok_value); \
    ok_value; \
  })

/* @call must fail with the GpuErrorCode @code: it passes "&error", and is FALSE or NULL. */
#define FAILS(code, call) \
  do { \
    g_autoptr (GError) error = NULL; \
    g_assert_false (call); \
    g_assert_error (error, GPU_ERROR, code); \
  } while (0)

/* The device that tests run on: environment variable GPU_TEST_DEVICE (as the
 * selector of gpu_device_open()) or the best. Opened once; NULL where there is
 * none, as gpu_fixture_explain_absence() says: the caller then skips. Ends the
 * program if GPU_TEST_SUBGROUP_SIZE is set and a CPU device has subgroups of another
 * size; NULL if that is set and the device is no CPU. If GPU_TEST_TEXELS is "no", kernels
 * read no texels (gpu/core/device/bindings.h), as on a GPU. */
GpuDevice *gpu_fixture_device (void);
/* Of main(): TRUE where there is none; the program is then to end in 0. */
gboolean gpu_fixture_skips_all (void);
/* Drops it; call once at the end of main(). */
void gpu_fixture_close (void);
/* Runs all tests that were added, and drops the device. Returns what main() is to. */
int gpu_fixture_run_tests (void);
/* main() of a program that does no more: tests_add (@prefix, @add) and that. */
#define GPU_FIXTURE_MAIN(prefix, add) \
  int \
  main (int argc, char **argv) \
  { \
    g_test_init (&argc, &argv, NULL); \
    tests_add (prefix, add); \
    return gpu_fixture_run_tests (); \
  }

/* The same device once more, which is not the one that gpu_device_open() gives
 * to all: for the caller alone to spoil and to unref. */
GpuDevice *gpu_fixture_open_another (void);

/* As g_test_add_func(), for tests that are skipped where there is no device. */
void gpu_fixture_add_test (const gchar * path, GTestFunc run);

/* Records something that reads @in and writes @out. */
typedef gboolean (*GpuFixtureRecord) (GpuStream * stream,
    const GpuFrame * in, const GpuFrame * out, gpointer data,
    GError ** error);

/* Something that makes one frame of another. */
typedef struct
{
  GpuFixtureRecord record;
  gpointer data;
  const GpuFrameInfo *in, *out; /* may be the same */
} GpuFixtureWork;

/* Uploads in->size @bytes, records, submits, waits, downloads. Returns out->size
 * bytes to g_free(), or NULL with @error set. What nothing wrote reads as 0xa5. */
guint8 *gpu_fixture_run (GpuStream * stream, const GpuFixtureWork * work,
    const guint8 * bytes, GError ** error);

/* Between rows packed without padding and rows of a plane. */
void gpu_fixture_pack (const GpuFrameInfo * info, guint plane,
    const guint8 * tight, guint8 * frame);
void gpu_fixture_unpack (const GpuFrameInfo * info, guint plane,
    const guint8 * frame, guint8 * tight);

G_END_DECLS
