/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "readback.h"
#include "gpu/core/memory/buffer.h"

#include <string.h>

/* Maximum number of frames in flight; elements have up to 8. */
#define ROOM 16

struct _GpuReadback
{
  guint n_words;
  GpuBuffer *buffer;            /* ring of ROOM entries of n_words each */

  GMutex lock;                  /* protects the members below */
  GpuTicket tickets[ROOM];
  guint64 recorded, finished;   /* number of frames so far */
  gboolean is_known;            /* words are valid */
  guint32 *words;               /* of the newest finished frame */
};

GpuReadback *
gpu_readback_new (GpuDevice * device, guint n_words, GError ** error)
{
  GpuReadback *readback;
  GpuBuffer *buffer = gpu_buffer_new (device, GPU_BUFFER_HOST,
      (gsize) ROOM * n_words * 4, "readback", error);

  if (!buffer)
    return NULL;
  readback = g_new0 (GpuReadback, 1);
  readback->n_words = n_words;
  readback->buffer = buffer;
  readback->words = g_new0 (guint32, n_words);
  g_mutex_init (&readback->lock);
  return readback;
}

void
gpu_readback_free (GpuReadback * readback)
{
  gpu_readback_forget (readback);
  gpu_buffer_unref (readback->buffer);
  g_mutex_clear (&readback->lock);
  g_free (readback->words);
  g_free (readback);
}

gsize
gpu_readback_get_memory (GpuReadback * readback)
{
  return gpu_buffer_get_size (readback->buffer);
}

/* Copies the words of the newest finished frame. The caller holds the lock. */
static void
catch_up (GpuReadback * readback)
{
  guint64 newest = readback->finished;

  while (newest < readback->recorded
      && gpu_ticket_is_done (&readback->tickets[newest % ROOM]))
    gpu_ticket_clear (&readback->tickets[newest++ % ROOM]);
  if (newest == readback->finished)
    return;
  readback->finished = newest;
  if (!gpu_buffer_invalidate (readback->buffer, NULL))
    return;
  memcpy (readback->words, (guint32 *) gpu_buffer_get_data (readback->buffer)
      + (newest - 1) % ROOM * readback->n_words, readback->n_words * 4);
  readback->is_known = TRUE;
}

void
gpu_readback_record (GpuReadback * readback, GpuStream * stream,
    GpuBuffer * from, gsize offset)
{
  gsize bytes = readback->n_words * 4;

  g_mutex_lock (&readback->lock);
  catch_up (readback);
  if (readback->recorded - readback->finished < ROOM) {
    guint at = readback->recorded++ % ROOM;

    gpu_stream_get_ticket (stream, &readback->tickets[at]);
    gpu_stream_copy (stream, from, offset, readback->buffer, at * bytes, bytes);
  }
  g_mutex_unlock (&readback->lock);
}

gboolean
gpu_readback_read (GpuReadback * readback, guint32 * words)
{
  gboolean is_known;

  g_mutex_lock (&readback->lock);
  catch_up (readback);
  is_known = readback->is_known;
  if (is_known)
    memcpy (words, readback->words, readback->n_words * 4);
  g_mutex_unlock (&readback->lock);
  return is_known;
}

void
gpu_readback_forget (GpuReadback * readback)
{
  g_mutex_lock (&readback->lock);
  for (guint i = 0; i < ROOM; i++)
    gpu_ticket_clear (&readback->tickets[i]);
  readback->finished = readback->recorded;
  readback->is_known = FALSE;
  g_mutex_unlock (&readback->lock);
}
