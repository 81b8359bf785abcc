/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests of the blur share: a blur, and cases of it against the float64
 * oracle. */
#pragma once

#include "gpu/blur/blur.h"
#include "gpu/blur/tuning.h"
#include "reference_blur.h"

G_BEGIN_DECLS

typedef struct
{
  GpuStream *stream;            /* NULL where there is no device */
  GpuBlur *blur;
  GpuDeviceInfo device_info;    /* before the test, which may change it */
  gboolean is_brief;            /* builds only kernels that run first */
  GpuBlurReport report;         /* of the last frame */
} Fixture;

typedef struct
{
  GpuPixels pixels;
  guint width, height;
  GpuBlurSettings settings;
  GpuBlurMethod ran;            /* the method that must run; AUTO: any */
  const gchar *stage;           /* the name that all its stages must have; NULL: any */
  /* Of linear light: from codes in 0…1 to light, and back. NULL: codes are blurred. */
  gdouble (*decode) (gdouble code);
  gdouble (*encode) (gdouble light);
} Case;

/* Those that a program is about: data of tests of several. */
typedef struct
{
  const GpuBlurMethod *list;
  guint n;
} Methods;

/* Adds a test, which is skipped without a device. Whatever it does to the device's info is
 * undone behind it. @tuning: of the blur, or NULL. @is_brief: as of the fixture. */
void blur_fixture_add (const gchar * path, gconstpointer data,
    void (*test) (Fixture * fixture, gconstpointer data),
    const GpuBlurTuning * tuning, gboolean is_brief);

/* Defines a test without data, of which blur_fixture_add_tests() knows: it adds all of them by
 * the path @prefix and their names, in which underscores become dashes. */
#define BLUR_TEST(name) \
  static void test_##name (Fixture * fixture, gconstpointer data); \
  static void __attribute__ ((constructor)) \
  register_test_##name (void) \
  { \
    blur_fixture_register (#name, test_##name); \
  } \
  static void \
  test_##name (Fixture * fixture, gconstpointer data)

void blur_fixture_register (const gchar * name,
    void (*test) (Fixture * fixture, gconstpointer data));
void blur_fixture_add_tests (const gchar * prefix, gboolean is_brief);

#define ADD(path, data, test) blur_fixture_add (path, data, test, NULL, FALSE)
#define ADD_BRIEF(path, test) blur_fixture_add (path, NULL, test, NULL, TRUE)

/* A kernel that the method can do. */
GpuBlurKernel kernel_of (GpuBlurMethod method);

/* The largest radius that @method can do on both axes, in frames like @pixels. */
guint find_reach (GpuBlurMethod method, GpuPixels pixels,
    GpuBlurPrecision precision);

/* Whether samples are codes of more than 8 bits. */
gboolean is_deep (const GpuPixelFormat * format);

/* Noise of every alpha in frames of any format: all bytes are samples. */
guint8 *make_frame (const GpuFrameInfo * info, guint32 seed);

/* Rows of a plane: all, or every other one. */
typedef struct
{
  guint plane;
  guint first, step, n;
} Rows;

/* The rows of plane @plane that field @field has; of a progressive frame, which is its own
 * field 0, all. */
Rows rows_of_field (const GpuFrameInfo * info, guint plane, guint field);

/* Samples of rows of a frame, without gaps; those of more than 8 bits are codes, of two bytes
 * each. Free with g_free(). */
guint8 *take_rows (const GpuFrameInfo * info, const Rows * rows,
    const guint8 * frame);

/* The plane that the oracle sees, of samples that take_rows() returned. */
ReferencePlane reference_plane (const GpuFrameInfo * info, const Rows * rows,
    const guint8 * samples, gboolean full_range);

/* These succeed, or the test fails: a blur as it was prepared last, and one that
 * is prepared first. */
guint8 *blur_prepared (Fixture * fixture, const GpuFrameInfo * in_info,
    const guint8 * in, const GpuFrameInfo * out_info,
    const GpuBlurSettings * settings);
guint8 *blur_frame (Fixture * fixture, const GpuFrameInfo * info,
    const guint8 * in, const GpuBlurSettings * settings);

/* Blurs a frame, which is as the oracle says, or the test fails; noise, in a layout
 * of its own, and in the usual one. */
void check_content (Fixture * fixture, const Case * c,
    const GpuFrameInfo * info, const guint8 * in);
void check_layout (Fixture * fixture, const Case * c,
    const GpuFrameInfo * info);
void check_case (Fixture * fixture, const Case * c);
void check_cases (Fixture * fixture, const Case * cases, guint n);

G_END_DECLS
