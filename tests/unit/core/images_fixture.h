/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Images of theirs (foreign_fixture.h), which they write and read by themselves. */
#pragma once

#include "gpu/core/stream/images.h"
#include "foreign_fixture.h"

G_BEGIN_DECLS

/* Several layers of one format. */
typedef struct
{
  VkImage image;
  VkDeviceMemory memory;
} TheirImage;

/* Whether images of @format can be copied from and to. */
gboolean their_format_is_copied (VkFormat format);
/* Plane 0 has @width x @height texels. Undefined content; free it by their_image_free(). */
TheirImage their_image_new (VkFormat format, guint width, guint height,
    guint layers);
void their_image_free (const TheirImage * image);

/* Brings the layer into another layout. It keeps what it holds, unless the layout was
 * UNDEFINED. */
void their_image_set_layout (GpuImage * image, VkImageLayout layout);

/* A plane of an image. */
typedef struct
{
  VkImageAspectFlagBits aspect;
  guint width, height;
  guint texel;                  /* bytes */
} Plane;

/* Bytes of all texels. */
gsize plane_get_size (const Plane * plane);
/* Copy them, row by row without padding. The layer has layout TRANSFER_DST; TRANSFER_SRC. */
void their_image_write (const GpuImage * image, const Plane * plane,
    const guint8 * bytes);
void their_image_read (const GpuImage * image, const Plane * plane,
    guint8 * bytes);

G_END_DECLS
