/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames from images of others to images of others, on a device that was adopted. */
#include "affine.h"
#include "foreign_fixture.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "images_fixture.h"
#include "tests.h"

#include <string.h>

/* --- frames --- */

#define MAX_PLANES 2
#define LAYERS 3
#define FRAME_WORDS 400
#define ADDEND 12345

/* A rectangle of a plane, and where it lies in the frame. */
typedef struct
{
  Plane plane;                  /* of the image that it comes from */
  guint x, y, width, height;
  guint offset, row_texels;
} Rectangle;

/* What comes from a layer of an image, in this layout, and goes to another one. */
typedef struct
{
  VkFormat format;
  guint n_layers, from_layer, to_layer;
  VkImageLayout layout;
  guint n_planes;
  Rectangle rectangles[MAX_PLANES];
} Picture;

static guint
get_texel_offset (const Rectangle * rectangle, guint x, guint y)
{
  return rectangle->offset + (y * rectangle->row_texels + x)
      * rectangle->plane.texel;
}

static const guint8 *
get_texel (const Rectangle * rectangle, const guint8 * image, guint x, guint y)
{
  const Plane *plane = &rectangle->plane;

  return image + ((rectangle->y + y) * plane->width + rectangle->x + x)
      * plane->texel;
}

/* Never the same twice in a row, and another picture for each seed. */
static guint8 *
make_bytes (gsize size, guint seed)
{
  guint8 *bytes = g_malloc (size);

  for (gsize i = 0; i < size; i++)
    bytes[i] = (i * 2654435761u + seed * 40503u) >> 7;
  return bytes;
}

/* What theirs holds, and the frame that is expected of it. */
typedef struct
{
  TheirImage from, to;
  GpuImage image, target;
  guint8 *bytes[MAX_PLANES];
} Loan;

/* All layers hold something, so that the wrong one is seen. */
static void
fill_layers (const Picture * picture, Loan * loan)
{
  for (guint layer = 0; layer < picture->n_layers; layer++) {
    GpuImage image = loan->image;

    image.layer = layer;
    their_image_set_layout (&image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    for (guint p = 0; p < picture->n_planes; p++) {
      const Plane *plane = &picture->rectangles[p].plane;
      g_autofree guint8 *bytes = make_bytes (plane_get_size (plane),
          layer * MAX_PLANES + p);

      their_image_write (&image, plane, bytes);
      if (layer == picture->from_layer)
        loan->bytes[p] = g_steal_pointer (&bytes);
    }
    their_image_set_layout (&image, picture->layout);
  }
  loan->image.layout = picture->layout;
}

static void
lend (const Picture * picture, Loan * loan)
{
  const Rectangle *first = &picture->rectangles[0];

  loan->from = their_image_new (picture->format, first->plane.width,
      first->plane.height, picture->n_layers);
  loan->to = their_image_new (picture->format, first->width, first->height,
      picture->n_layers);
  loan->image = (GpuImage) {loan->from.image, VK_IMAGE_LAYOUT_UNDEFINED,
    picture->from_layer};
  loan->target = (GpuImage) {loan->to.image, VK_IMAGE_LAYOUT_UNDEFINED,
    picture->to_layer};
  fill_layers (picture, loan);
  their_image_set_layout (&loan->target, VK_IMAGE_LAYOUT_GENERAL);
}

static void
take_back (const Picture * picture, const Loan * loan)
{
  their_image_free (&loan->from);
  their_image_free (&loan->to);
  for (guint p = 0; p < picture->n_planes; p++)
    g_free (loan->bytes[p]);
}

/* --- what is recorded --- */

static VkImageMemoryBarrier last_barrier;       /* of an image */

static void VKAPI_CALL
see_barrier (VkCommandBuffer commands, VkPipelineStageFlags before,
    VkPipelineStageFlags after, VkDependencyFlags flags, uint32_t n_memory,
    const VkMemoryBarrier * memory, uint32_t n_buffers,
    const VkBufferMemoryBarrier * buffers, uint32_t n_images,
    const VkImageMemoryBarrier * images)
{
  if (n_images > 0)
    last_barrier = *images;
  gpu_hooks_get_driver ()->vkCmdPipelineBarrier (commands, before, after,
      flags, n_memory, memory, n_buffers, buffers, n_images, images);
}

/* What is read is kept, what is written is not wanted: some devices tell by the layout. */
static void
ready (GpuStream * stream, GpuImage * image, gboolean is_written)
{
  const VkImageLayout before =
      is_written ? VK_IMAGE_LAYOUT_UNDEFINED : image->layout;

  gpu_stream_ready_image (stream, image, is_written);
  g_assert_cmpint (image->layout, ==, is_written
      ? VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
      : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  g_assert_cmpint (last_barrier.oldLayout, ==, before);
  g_assert_cmpint (last_barrier.newLayout, ==, image->layout);
  g_assert_true (last_barrier.image == image->handle);
  g_assert_cmpuint (last_barrier.subresourceRange.baseArrayLayer, ==,
      image->layer);
  g_assert_cmpuint (last_barrier.subresourceRange.layerCount, ==, 1);
}

static void
set_size (const Rectangle * rectangle, GpuImageRegion * region)
{
  region->size = ((region->height - 1) * rectangle->row_texels + region->width)
      * rectangle->plane.texel;
}

static void
read_rectangle (GpuStream * stream, const Rectangle * rectangle,
    const GpuImage * image, GpuBuffer * frame)
{
  GpuImageRegion region = { rectangle->plane.aspect, rectangle->x,
    rectangle->y, rectangle->width, rectangle->height, rectangle->offset,
    rectangle->row_texels
  };

  set_size (rectangle, &region);
  gpu_stream_copy_from_image (stream, image, &region, frame);
}

/* In pieces: the columns of the first words, and the rest in two bands of rows. */
static void
write_rectangle (GpuStream * stream, const Rectangle * rectangle,
    GpuBuffer * frame, const GpuImage * image)
{
  const guint columns = 4 / rectangle->plane.texel, rows = 2;
  const guint width = rectangle->width, height = rectangle->height;
  const struct
  {
    guint x, y, width, height;
  } pieces[] = {
    {0, 0, columns, height},
    {columns, 0, width - columns, rows},
    {columns, rows, width - columns, height - rows},
  };

  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++) {
    GpuImageRegion region = { rectangle->plane.aspect, pieces[i].x,
      pieces[i].y, pieces[i].width, pieces[i].height,
      get_texel_offset (rectangle, pieces[i].x, pieces[i].y),
      rectangle->row_texels
    };

    set_size (rectangle, &region);
    gpu_stream_copy_to_image (stream, frame, image, &region);
  }
}

/* No command comes between those of the images and the step, whose order matters. @host: for
 * the frame after it. */
static void
record_frame (Fixture * fixture, const Picture * pictures, Loan * loans,
    guint n, GpuBuffer * host)
{
  g_autoptr (GpuBuffer) frame =
      new_buffer (fixture->device, GPU_BUFFER_DEVICE, FRAME_WORDS);
  GpuStream *stream = fixture->stream;

  gpu_stream_fill (stream, frame, 0, FRAME_WORDS * 4, 0xa5a5a5a5);
  for (guint i = 0; i < n; i++) {
    ready (stream, &loans[i].image, FALSE);
    for (guint p = 0; p < pictures[i].n_planes; p++)
      read_rectangle (stream, &pictures[i].rectangles[p], &loans[i].image,
          frame);
  }
  affine_record (stream, fixture->kernel, frame, FRAME_WORDS, ADDEND);
  for (guint i = 0; i < n; i++) {
    ready (stream, &loans[i].target, TRUE);
    for (guint p = 0; p < pictures[i].n_planes; p++)
      write_rectangle (stream, &pictures[i].rectangles[p], frame,
          &loans[i].target);
    ready (stream, &loans[i].target, FALSE);
  }
  gpu_stream_copy (stream, frame, 0, host, 0, FRAME_WORDS * 4);
}

/* --- what is expected --- */

static void
expect_frame (const Picture * pictures, const Loan * loans, guint n,
    guint32 words[FRAME_WORDS])
{
  guint8 *frame = (guint8 *) words;

  memset (frame, 0xa5, FRAME_WORDS * 4);
  for (guint i = 0; i < n; i++)
    for (guint p = 0; p < pictures[i].n_planes; p++) {
      const Rectangle *rectangle = &pictures[i].rectangles[p];

      for (guint y = 0; y < rectangle->height; y++)
        memcpy (frame + get_texel_offset (rectangle, 0, y),
            get_texel (rectangle, loans[i].bytes[p], 0, y),
            rectangle->width * rectangle->plane.texel);
    }
  for (guint i = 0; i < FRAME_WORDS; i++)
    words[i] = affine_step (words[i], ADDEND);
}

/* They find in it what the frame has there. */
static void
check_target (const Rectangle * rectangle, const GpuImage * target,
    const guint8 * frame)
{
  const Plane plane = { rectangle->plane.aspect, rectangle->width,
    rectangle->height, rectangle->plane.texel
  };
  const gsize row = plane.width * plane.texel;
  g_autofree guint8 *bytes = g_malloc (plane_get_size (&plane));

  their_image_read (target, &plane, bytes);
  for (guint y = 0; y < plane.height; y++)
    g_assert_cmpmem (bytes + y * row, row,
        frame + get_texel_offset (rectangle, 0, y), row);
}

/* It was only read. */
static void
check_source (const Plane * plane, const GpuImage * image,
    const guint8 * expected)
{
  const gsize size = plane_get_size (plane);
  g_autofree guint8 *bytes = g_malloc (size);

  their_image_read (image, plane, bytes);
  g_assert_cmpmem (bytes, size, expected, size);
}

static void
check_loan (const Picture * picture, const Loan * loan, const guint8 * frame)
{
  for (guint p = 0; p < picture->n_planes; p++) {
    check_target (&picture->rectangles[p], &loan->target, frame);
    check_source (&picture->rectangles[p].plane, &loan->image, loan->bytes[p]);
  }
}

/* A frame goes from images to others, and a kernel works on all of it in between. */
static void
check_frame (const Picture * pictures, guint n)
{
  Fixture *fixture = theirs_setup (2);
  GpuBuffer *host = new_buffer (fixture->device, GPU_BUFFER_HOST, FRAME_WORDS);
  Loan loans[3] = { 0 };
  guint32 frame[FRAME_WORDS];

  fixture->device->vk.vkCmdPipelineBarrier = see_barrier;
  for (guint i = 0; i < n; i++)
    lend (&pictures[i], &loans[i]);
  begin (fixture->stream);
  record_frame (fixture, pictures, loans, n, host);
  submit (fixture->stream, NULL);
  wait_idle (fixture->stream);

  expect_frame (pictures, loans, n, frame);
  g_assert_true (gpu_buffer_invalidate (host, NULL));
  g_assert_cmpmem (gpu_buffer_get_data (host), sizeof frame, frame,
      sizeof frame);
  for (guint i = 0; i < n; i++) {
    check_loan (&pictures[i], &loans[i], (const guint8 *) frame);
    take_back (&pictures[i], &loans[i]);
  }
  gpu_buffer_unref (host);
  theirs_teardown (fixture);
}

/* An image for each plane. Rows of the frame are longer than those of the rectangles, and
 * begin at any word. */
TEST (planes)
{
  static const Picture pictures[] = {
    {VK_FORMAT_R8_UNORM, LAYERS, 0, 1, VK_IMAGE_LAYOUT_GENERAL, 1, {
                {{VK_IMAGE_ASPECT_COLOR_BIT, 37, 13, 1}, 3, 2, 21, 9, 64, 24},
            }},
    {VK_FORMAT_R8G8_UNORM, LAYERS, 2, 0,
          VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, 1, {
                {{VK_IMAGE_ASPECT_COLOR_BIT, 20, 8, 2}, 1, 3, 11, 5, 300, 14},
            }},
    {VK_FORMAT_R8G8B8A8_UNORM, LAYERS, 1, 2,
          VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, {
                {{VK_IMAGE_ASPECT_COLOR_BIT, 9, 9, 4}, 2, 1, 7, 6, 512, 10},
            }},
  };

  check_frame (pictures, G_N_ELEMENTS (pictures));
}

/* An image of several planes, whose sizes differ. */
TEST (multi_planar)
{
  static const Picture picture = {
    VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, 1, 0, 0,
    VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, 2, {
          {{VK_IMAGE_ASPECT_PLANE_0_BIT, 32, 16, 1}, 6, 4, 20, 8, 32, 28},
          {{VK_IMAGE_ASPECT_PLANE_1_BIT, 16, 8, 2}, 3, 2, 10, 4, 300, 12},
        }
  };

  if (their_format_is_copied (picture.format))
    check_frame (&picture, 1);
  else
    g_test_skip ("no such images");
}

GPU_FIXTURE_MAIN ("/images/", foreign_fixture_add_test)
