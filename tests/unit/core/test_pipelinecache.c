/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "affine.h"
#include "gpu/core/kernel/pipelinecache.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "tests.h"

#include <glib/gstdio.h>
#include <string.h>

#define DIGEST_SIZE 32

/* The user's cache directory for this program. (G_TEST_OPTION_ISOLATE_DIRS
 * would hide the Vulkan drivers too.) */
static gchar *cache_directory;

static gchar *cache_file;       /* of the device that tests run on */

static gsize seen_size;
static gchar *seen_data;

static VkResult VKAPI_CALL
see_create (VkDevice device, const VkPipelineCacheCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkPipelineCache * cache)
{
  seen_size = info->initialDataSize;
  g_free (seen_data);
  seen_data = g_memdup2 (info->pInitialData, info->initialDataSize);
  return gpu_hooks_get_driver ()->vkCreatePipelineCache (device, info,
      allocator, cache);
}

/* What the driver gets when a device builds its first kernel. */
static gsize
load_again (GpuDevice * device)
{
  seen_size = G_MAXSIZE;
  gpu_pipeline_cache_free (gpu_pipeline_cache_load (device));
  return seen_size;
}

static void
remove_tree (const gchar * path)
{
  g_autoptr (GDir) directory = NULL;
  const gchar *name;

  if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    directory = g_dir_open (path, 0, NULL);
  while (directory && (name = g_dir_read_name (directory))) {
    g_autofree gchar *inner = g_build_filename (path, name, NULL);

    remove_tree (inner);
  }
  g_remove (path);
}

/* Every test begins with one, and without a file. */
static GpuDevice *
open_device (void)
{
  GpuDevice *device;
  GpuPipelineCache *cache;

  remove_tree (cache_directory);
  device = gpu_fixture_open_another ();
  cache = gpu_pipeline_cache_load (device);
  g_free (cache_file);
  cache_file = g_strdup (cache->file);
  gpu_pipeline_cache_free (cache);
  gpu_hooks_install (device);
  device->vk.vkCreatePipelineCache = see_create;
  return device;
}

/* A run of a program: opens the device, builds, closes. */
static void
run_program (void)
{
  g_autoptr (GpuDevice) device = gpu_fixture_open_another ();

  affine_kernel_get (device);
}

static gboolean
is_intact (const gchar * content, gsize size)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8 digest[DIGEST_SIZE];
  gsize digest_size = DIGEST_SIZE;

  if (size <= DIGEST_SIZE)
    return FALSE;
  g_checksum_update (checksum, (const guchar *) content + DIGEST_SIZE,
      size - DIGEST_SIZE);
  g_checksum_get_digest (checksum, digest, &digest_size);
  return !memcmp (content, digest, DIGEST_SIZE);
}

static void
read_file (gchar ** content, gsize * size)
{
  OK (g_file_get_contents (cache_file, content, size, &error));
}

static void
write_file (const gchar * content, gsize size)
{
  OK (g_file_set_contents (cache_file, content, size, &error));
}

static gboolean
file_exists (void)
{
  return g_file_test (cache_file, G_FILE_TEST_EXISTS);
}

TEST (kept)
{
  g_autoptr (GpuDevice) device = open_device ();
  g_autofree gchar *content = NULL;
  gsize size;

  g_assert_true (g_str_has_prefix (cache_file, g_get_user_cache_dir ()));
  g_assert_false (file_exists ());
  g_assert_cmpuint (load_again (device), ==, 0);
  run_program ();
  g_assert_true (file_exists ());
  read_file (&content, &size);
  g_assert_true (is_intact (content, size));
  g_assert_cmpuint (load_again (device), ==, size - DIGEST_SIZE);
  g_assert_cmpmem (seen_data, seen_size, content + DIGEST_SIZE,
      size - DIGEST_SIZE);
}

/* Where no pipeline was built there is nothing new to keep; what a lost device
 * says of its cache is not worth keeping. */
TEST (not_kept)
{
  g_autoptr (GpuDevice) device = open_device ();
  GpuDevice *lost = gpu_fixture_open_another ();

  gpu_device_unref (gpu_fixture_open_another ());
  g_assert_false (file_exists ());
  affine_kernel_get (lost);
  gpu_device_mark_lost (lost);
  gpu_device_unref (lost);
  g_assert_false (file_exists ());
}

TEST (corrupted)
{
  g_autoptr (GpuDevice) device = open_device ();
  g_autofree gchar *content = NULL;
  gsize size;

  run_program ();
  read_file (&content, &size);
  for (gsize at = 0; at < size; at += 1 + at / 64) {
    content[at] ^= 0x10;
    write_file (content, size);
    g_assert_cmpuint (load_again (device), ==, 0);
    content[at] ^= 0x10;
  }
  write_file (content, size);
  g_assert_cmpuint (load_again (device), ==, size - DIGEST_SIZE);

  /* The next program mends it. */
  content[size - 1] ^= 0x10;
  write_file (content, size);
  run_program ();
  g_assert_cmpuint (load_again (device), >, 0);
}

TEST (truncated)
{
  g_autoptr (GpuDevice) device = open_device ();
  g_autofree gchar *content = NULL;
  gsize size;

  run_program ();
  read_file (&content, &size);
  for (gsize n = 0; n < size; n += 1 + n / 64) {
    write_file (content, n);
    g_assert_cmpuint (load_again (device), ==, 0);
  }
}

/* Something else lies where the file should be. */
TEST (foreign)
{
  g_autoptr (GpuDevice) device = open_device ();
  gchar foreign[4096];

  run_program ();
  for (guint i = 0; i < sizeof foreign; i++)
    foreign[i] = i * 7;
  write_file (foreign, sizeof foreign);
  g_assert_cmpuint (load_again (device), ==, 0);
  /* A cache as the driver writes it, without what is put before it. */
  run_program ();
  {
    g_autofree gchar *content = NULL;
    gsize size;

    read_file (&content, &size);
    write_file (content + DIGEST_SIZE, size - DIGEST_SIZE);
    g_assert_cmpuint (load_again (device), ==, 0);
  }
  /* A directory, which nothing can replace. */
  g_assert_cmpint (g_unlink (cache_file), ==, 0);
  g_assert_cmpint (g_mkdir (cache_file, 0700), ==, 0);
  g_assert_cmpuint (load_again (device), ==, 0);
  run_program ();
  g_assert_true (g_file_test (cache_file, G_FILE_TEST_IS_DIR));
}

/* Nothing can be written: a file is where the directory should be. (Root may
 * write where permissions forbid it.) */
TEST (unwritable)
{
  g_autoptr (GpuDevice) device = open_device ();
  g_autofree gchar *directory = g_path_get_dirname (cache_file);
  g_autofree gchar *parent = g_path_get_dirname (directory);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_assert_true (g_file_set_contents (directory, "in the way", -1, NULL));
  run_program ();
  g_assert_false (file_exists ());
  g_assert_cmpuint (load_again (device), ==, 0);
  affine_kernel_get (device);
}

GPU_HOOK_RETURNS (refuse_create, VK_ERROR_OUT_OF_HOST_MEMORY, VkDevice device,
    const VkPipelineCacheCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkPipelineCache * cache);

GPU_HOOK_RETURNS (refuse_data, VK_ERROR_OUT_OF_HOST_MEMORY, VkDevice device,
    VkPipelineCache cache, size_t *size, void *data);

/* The driver has no cache, or does not give it away: kernels are built all
 * the same. */
TEST (driver_failures)
{
  GpuDevice *device = open_device ();
  GpuDevice *silent = gpu_fixture_open_another ();

  device->vk.vkCreatePipelineCache = refuse_create;
  affine_kernel_get (device);
  gpu_device_unref (device);
  g_assert_false (file_exists ());

  silent->vk.vkGetPipelineCacheData = refuse_data;
  affine_kernel_get (silent);
  gpu_device_unref (silent);
  g_assert_false (file_exists ());
}

/* --- several writers at once --- */

#define LARGE ((gsize) 1 << 20)

static gint contents;

/* Large enough that a reader would meet a half-written file, and never the
 * same twice. */
static VkResult VKAPI_CALL
get_large_data (VkDevice device, VkPipelineCache cache, size_t *size,
    void *data)
{
  *size = LARGE;
  if (data)
    memset (data, g_atomic_int_add (&contents, 1), LARGE);
  return VK_SUCCESS;
}

static gint writers;

/* What these files have is nothing for a driver. */
static VkResult VKAPI_CALL
create_empty (VkDevice device, const VkPipelineCacheCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkPipelineCache * cache)
{
  VkPipelineCacheCreateInfo empty = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
  };

  return gpu_hooks_get_driver ()->vkCreatePipelineCache (device, &empty,
      allocator, cache);
}

static void
write_once (GpuDevice * device)
{
  GpuPipelineCache *cache = gpu_pipeline_cache_load (device);

  gpu_pipeline_cache_grew (cache);
  gpu_pipeline_cache_free (cache);
}

static gpointer
write_often (gpointer device)
{
  for (guint i = 0; i < 12; i++)
    write_once (device);
  g_atomic_int_add (&writers, -1);
  return NULL;
}

TEST (concurrent)
{
  GpuDevice *devices[3];
  GThread *threads[G_N_ELEMENTS (devices)];

  for (guint i = 0; i < G_N_ELEMENTS (devices); i++) {
    devices[i] = open_device ();
    devices[i]->vk.vkCreatePipelineCache = create_empty;
    devices[i]->vk.vkGetPipelineCacheData = get_large_data;
  }
  write_once (devices[0]);
  g_atomic_int_set (&writers, G_N_ELEMENTS (devices));
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    threads[i] = g_thread_new ("writes", write_often, devices[i]);
  while (g_atomic_int_get (&writers) > 0) {
    g_autofree gchar *content = NULL;
    gsize size;

    read_file (&content, &size);
    g_assert_cmpuint (size, ==, DIGEST_SIZE + LARGE);
    g_assert_true (is_intact (content, size));
  }
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++) {
    g_thread_join (threads[i]);
    gpu_device_unref (devices[i]);
  }
}

/* --- when it is written --- */

/* Once nothing is built any more, of a program that goes on and may be killed. */
TEST (kept_meanwhile)
{
  g_autoptr (GpuDevice) device = open_device ();
  g_autoptr (GpuDevice) playing = gpu_fixture_open_another ();
  gint64 delay = gpu_pipeline_cache_delay;
  g_autofree gchar *content = NULL;
  gsize size;

  gpu_pipeline_cache_delay = 0;
  affine_kernel_get (playing);
  while (!file_exists ())
    g_usleep (1000);
  read_file (&content, &size);
  g_assert_true (is_intact (content, size));
  gpu_pipeline_cache_delay = delay;
}

/* Not while more may be built; whoever ends does not wait for that. */
TEST (delayed)
{
  g_autoptr (GpuDevice) device = open_device ();
  GpuDevice *playing = gpu_fixture_open_another ();
  gint64 delay = gpu_pipeline_cache_delay;

  gpu_pipeline_cache_delay = G_TIME_SPAN_DAY;
  affine_kernel_get (playing);
  /* Who waits does so by now, most likely. */
  g_usleep (20000);
  g_assert_false (file_exists ());
  gpu_device_unref (playing);
  g_assert_true (file_exists ());
  gpu_pipeline_cache_delay = delay;
}

/* --- what is written --- */

/* A driver whose caches hold letters. */

static VkResult VKAPI_CALL
create_letters (VkDevice device, const VkPipelineCacheCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkPipelineCache * cache)
{
  *cache = (VkPipelineCache) g_string_new_len (info->pInitialData,
      info->initialDataSize);
  return VK_SUCCESS;
}

static void VKAPI_CALL
destroy_letters (VkDevice device, VkPipelineCache cache,
    const VkAllocationCallbacks * allocator)
{
  g_string_free ((GString *) cache, TRUE);
}

static VkResult VKAPI_CALL
merge_letters (VkDevice device, VkPipelineCache into, uint32_t n,
    const VkPipelineCache * caches)
{
  GString *letters = (GString *) into;
  const GString *more = (const GString *) caches[0];

  for (gsize i = 0; i < more->len; i++)
    if (!memchr (letters->str, more->str[i], letters->len))
      g_string_append_c (letters, more->str[i]);
  return VK_SUCCESS;
}

static VkResult VKAPI_CALL
get_letters (VkDevice device, VkPipelineCache cache, size_t *size, void *data)
{
  const GString *letters = (const GString *) cache;

  *size = letters->len;
  if (data)
    memcpy (data, letters->str, letters->len);
  return VK_SUCCESS;
}

static void
add_letter (GpuPipelineCache * cache, gchar letter)
{
  g_string_append_c ((GString *) cache->handle, letter);
  gpu_pipeline_cache_grew (cache);
}

static void
assert_letters (const gchar * expected)
{
  g_autofree gchar *content = NULL;
  gsize size;

  read_file (&content, &size);
  g_assert_true (is_intact (content, size));
  g_assert_cmpmem (content + DIGEST_SIZE, size - DIGEST_SIZE, expected,
      strlen (expected));
}

/* What others wrote since is not lost. */
TEST (merged)
{
  g_autoptr (GpuDevice) device = open_device ();
  GpuPipelineCache *one, *other, *later;

  device->vk.vkCreatePipelineCache = create_letters;
  device->vk.vkDestroyPipelineCache = destroy_letters;
  device->vk.vkMergePipelineCaches = merge_letters;
  device->vk.vkGetPipelineCacheData = get_letters;
  one = gpu_pipeline_cache_load (device);
  other = gpu_pipeline_cache_load (device);
  add_letter (one, 'a');
  add_letter (other, 'b');
  gpu_pipeline_cache_free (one);
  assert_letters ("a");
  gpu_pipeline_cache_free (other);
  assert_letters ("ab");
  later = gpu_pipeline_cache_load (device);
  add_letter (later, 'c');
  gpu_pipeline_cache_free (later);
  assert_letters ("abc");
  gpu_hooks_remove (device);
}

static VkResult VKAPI_CALL
get_too_much (VkDevice device, VkPipelineCache cache, size_t *size, void *data)
{
  *size = GPU_PIPELINE_CACHE_MAX + 1;
  return VK_SUCCESS;
}

/* Where it would be too large, the file goes; one that is, is not read. */
TEST (bounded)
{
  g_autoptr (GpuDevice) device = open_device ();
  gsize size = GPU_PIPELINE_CACHE_MAX + 1;
  g_autofree gchar *content = g_malloc0 (DIGEST_SIZE + size);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize digest_size = DIGEST_SIZE;

  run_program ();
  g_assert_true (file_exists ());
  device->vk.vkGetPipelineCacheData = get_too_much;
  write_once (device);
  g_assert_false (file_exists ());

  g_checksum_update (checksum, (const guchar *) content + DIGEST_SIZE, size);
  g_checksum_get_digest (checksum, (guint8 *) content, &digest_size);
  write_file (content, DIGEST_SIZE + size);
  g_assert_cmpuint (load_again (device), ==, 0);
  run_program ();
  g_assert_cmpuint (load_again (device), >, 0);
}

/* Whose cache is too large takes the file away once, not what others write there
 * then. */
TEST (full)
{
  g_autoptr (GpuDevice) device = open_device ();
  gint64 delay = gpu_pipeline_cache_delay;
  GpuPipelineCache *full;

  run_program ();
  device->vk.vkGetPipelineCacheData = get_too_much;
  full = gpu_pipeline_cache_load (device);
  gpu_pipeline_cache_delay = 0;
  gpu_pipeline_cache_grew (full);
  while (file_exists ())
    g_usleep (1000);
  gpu_pipeline_cache_delay = delay;
  run_program ();
  gpu_pipeline_cache_grew (full);
  gpu_pipeline_cache_free (full);
  g_assert_true (file_exists ());
}

int
main (int argc, char **argv)
{
  int result;

  cache_directory = g_dir_make_tmp ("gpu-test-XXXXXX", NULL);
  g_setenv ("XDG_CACHE_HOME", cache_directory, TRUE);
  g_test_init (&argc, &argv, NULL);
  tests_add ("/pipeline-cache/", gpu_fixture_add_test);
  result = g_test_run ();
  g_free (seen_data);
  g_free (cache_file);
  gpu_fixture_close ();
  remove_tree (cache_directory);
  g_free (cache_directory);
  return result;
}
