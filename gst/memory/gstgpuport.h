/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/frame/frame.h"
#include "gpu/core/stream/stream.h"
#include "gstgpuframe.h"

G_BEGIN_DECLS

/* A port is a kind of memory in which frames come to an element and leave it. In system memory
 * they lie in, or the CPU copies them to, memory that shaders can use (gstgpumemory.h). Frames
 * of other ports are in memory of another library. They are copied on the device, before shaders
 * work on them and after that. */
typedef struct _GstGpuPort GstGpuPort;

/* What an element has while its frames come through a port, which may extend it. */
typedef struct
{
  const GstGpuPort *port;
  GpuDevice *device;            /* on which the frames are worked on; a reference. NULL: none shares
                                   memory with the other library, so the CPU copies frames */
  GError *fault;                /* why not; else NULL */
  gsize memory;                 /* bytes of buffers and images that the link owns */
} GstGpuLink;

struct _GstGpuPort
{
  const gchar *memory;          /* the feature of caps */
  const gchar *caps_field, *caps_value; /* a field that caps have, too, and its value, a string;
                                   NULL: there is none */

  /* Returns whether frames of this format come through. NULL: all do. */
  gboolean (*takes) (GpuPixels pixels);

  /* The rest is NULL for system memory. */

  /* Returns whether an element whose device is @device so far takes such frames; otherwise they
   * only pass: upstream may have them in system memory, too, which costs no more than copies by
   * the CPU. The element's own lock is held. NULL: it does. */
  gboolean (*suits) (GpuDevice * device);

  /* Finds the device on which the neighbours of @element have their frames, or one that shares
   * memory with theirs. Asks them, so call it without a lock. @n_frames: how many the device may
   * work on at a time. Returns a new link, or NULL with @error set. */
  GstGpuLink *(*connect) (GstElement * element, const GpuNeeds * needs,
      guint n_frames, GError ** error);
  /* The device is lost: has nobody wait for its frames any more. Thread safe. NULL: nobody does. */
  void (*unblock) (GstGpuLink * link);
  /* Frees the link, after unblock if the device is lost. Frames may still be worked on. */
  void (*disconnect) (GstGpuLink * link);

  /* Returns a pool of @min or more frames of @caps: @proposed, if the element can write its
   * frames, else a new one. @proposed may be NULL. Returns NULL if there can be none, with @error
   * set (GST_RESOURCE_ERROR). The caller owns the reference. */
  GstBufferPool *(*get_pool) (GstGpuLink * link, GstCaps * caps, guint min,
      GstBufferPool * proposed, GError ** error);
  /* Whether pools are also proposed to upstream, which else has its own. */
  gboolean has_pools_for_upstream;

  /* Returns the API of metas by which others wait for frames in this memory. NULL: there is none. */
  GType (*get_sync_api) (const GstGpuLink * link);

  /* The rest is not called if the CPU copies frames. */

  /* Begins the next frame, of which at least one side comes through the port: sets @frames to the
   * buffers that shaders use for its input and its output, of at least @sizes bytes, and has the
   * recording wait until they can be used. 0 bytes: none is needed. The link owns them. Returns
   * FALSE with @error set on failure. NULL: the element has buffers for that. */
  gboolean (*begin_frame) (GstGpuLink * link, GpuStream * stream,
      const gsize sizes[2], GpuBuffer * frames[2], GError ** error);

  /* Records a copy of the frame in @buffer to @frame, whose info is that of @video. Returns
   * FALSE with @error set if @buffer is invalid (GST_GPU_FRAME_ERROR). Frames are progressive. */
  gboolean (*record_read) (GstGpuLink * link, GpuStream * stream,
      GstBuffer * buffer, const GstVideoInfo * video, const GpuFrame * frame,
      GError ** error);

  /* Records a copy of @frame to @buffer, which is of a pool of get_pool. Returns FALSE with @error
   * set if it is not (GST_RESOURCE_ERROR, SETTINGS). */
  gboolean (*record_write) (GstGpuLink * link, GpuStream * stream,
      GstBuffer * buffer, const GstVideoInfo * video, const GpuFrame * frame,
      GError ** error);

  /* Call this when the frame was submitted, as @ticket, before @buffer is handed on. Returns FALSE
   * with @error set if it will not be written. NULL: it will. */
  gboolean (*finish_frame) (GstGpuLink * link, GstBuffer * buffer,
      const GstVideoInfo * video, const GpuTicket * ticket, GError ** error);
};

/* Returns port @i, in the order in which elements offer them; NULL behind the last, which is
 * system memory: where a neighbour takes both, frames stay on the card. */
const GstGpuPort *gst_gpu_port_get (guint i);

const GstGpuPort *gst_gpu_port_get_system (void);
gboolean gst_gpu_port_is_system (const GstGpuPort * port);
/* Returns the name of the memory, without "memory:". Static. */
const gchar *gst_gpu_port_get_name (const GstGpuPort * port);

/* Returns the port of @caps, which are fixed; NULL if there is none. */
const GstGpuPort *gst_gpu_port_find (GstCaps * caps);

/* Returns those of @formats, caps in system memory with a format field alone, that come through
 * @port. Takes over @formats. */
GstCaps *gst_gpu_port_choose (const GstGpuPort * port, GstCaps * formats);

/* Returns the part of @caps in the memory of @port, as caps in system memory. */
GstCaps *gst_gpu_port_take (const GstGpuPort * port, GstCaps * caps);

/* The inverse: returns @caps, which it takes over, as caps in the memory of @port. */
GstCaps *gst_gpu_port_mark (const GstGpuPort * port, GstCaps * caps);

/* Configures @pool, of the library of a port, which finds the size of its buffers, for @min or more
 * frames of @caps. Takes over @config, the configuration of the pool with what else the port wants
 * of it. Returns FALSE if the pool refuses it; one that is active takes only what it has. */
gboolean gst_gpu_port_configure_pool (GstBufferPool * pool,
    GstStructure * config, GstCaps * caps, guint min);

/* @link found no device, because of @failure, which is taken over. If no device shares memory with
 * the other library, notes that as its fault, and returns TRUE. Otherwise passes @failure on as
 * @error. */
gboolean gst_gpu_link_take_fault (GstGpuLink * link, GError * failure,
    GError ** error);

/* Adds the pad templates "sink" and "src". Their caps are the formats that @is_taken and
 * @is_made accept, in system memory, then in that of other ports, then raw video with any caps
 * features, which can pass through. */
void gst_gpu_port_add_pads (GstElementClass * klass,
    GstGpuFormatsFilter is_taken, GstGpuFormatsFilter is_made);

G_END_DECLS
