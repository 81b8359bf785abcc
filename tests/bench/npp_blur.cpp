/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times of the blurs of NVIDIA's NPP, to put beside ours.
 *
 *   echo 4096 4096 RGBA gaussian 19 | npp_blur
 *
 * reads cells, one a line: width, height, format, kernel, taps of an axis; and
 * prints the rows of blur_tables --csv for those that NPP has: RGBA, and RGBA32F
 * with a Gaussian. Edges are repeated, as ours are; colours are not premultiplied.
 * What is not the blur that was meant, as a few pixels say, has no row.
 *
 * tests/bench/blur-tables builds it where there are nvcc and NPP. */
#include <cuda_runtime.h>
#include <npp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#define COMPONENTS 4
#define SLOTS 8                 /* frames of a measurement, all of them queued */
#define FOOTPRINT ((size_t) 320 << 20)
#define WARM_UP_MS 250.0

static void
check (cudaError_t result, const char *what)
{
  if (result == cudaSuccess)
    return;
  fprintf (stderr, "npp_blur: %s: %s\n", what, cudaGetErrorString (result));
  exit (1);
}

struct Cell
{
  int width, height;
  std::string format, kernel;
  int taps;

  bool is_float () const { return format == "RGBA32F"; }
  bool is_box () const { return kernel == "box"; }
  bool is_known () const
  {
    return format == "RGBA" || (is_float () && !is_box ());
  }
  size_t sample () const { return is_float () ? sizeof (float) : 1; }
  size_t stride () const { return width * COMPONENTS * sample (); }
  size_t size () const { return stride () * height; }
  bool same_frames (const Cell & other) const
  {
    return width == other.width && height == other.height
        && format == other.format;
  }
};

/* --- frames --- */

static std::vector<uint8_t>
make_noise (const Cell & cell)
{
  std::vector<uint8_t> noise (cell.size ());
  uint32_t state = 1;

  for (size_t i = 0; i + 4 <= noise.size (); i += 4) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    /* Floats of 1/2 to 1. */
    uint32_t word = cell.is_float () ? (state & 0x007fffff) | 0x3f000000 : state;
    memcpy (&noise[i], &word, 4);
  }
  return noise;
}

/* More than any cache holds, in turns. */
struct Frames
{
  std::vector<uint8_t> noise;   /* what all of them are */
  std::vector<uint8_t *> in, out;

  explicit Frames (const Cell & cell) : noise (make_noise (cell))
  {
    size_t n = std::clamp (FOOTPRINT / (2 * cell.size ()), (size_t) 2,
        (size_t) 256);

    for (size_t i = 0; i < n; i++) {
      in.push_back (allocate (cell.size ()));
      out.push_back (allocate (cell.size ()));
      check (cudaMemcpy (in[i], noise.data (), cell.size (),
              cudaMemcpyHostToDevice), "upload");
    }
  }
  Frames (const Frames &) = delete;
  ~Frames ()
  {
    for (size_t i = 0; i < in.size (); i++) {
      cudaFree (in[i]);
      cudaFree (out[i]);
    }
  }

  static uint8_t *allocate (size_t size)
  {
    void *memory = nullptr;

    check (cudaMalloc (&memory, size), "frames");
    return static_cast<uint8_t *> (memory);
  }
};

/* --- what NPP does --- */

static NppStreamContext
make_context (cudaStream_t stream)
{
  NppStreamContext context = {};
  cudaDeviceProp properties;

  context.hStream = stream;
  check (cudaGetDevice (&context.nCudaDeviceId), "device");
  check (cudaGetDeviceProperties (&properties, context.nCudaDeviceId),
      "device");
  context.nMultiProcessorCount = properties.multiProcessorCount;
  context.nMaxThreadsPerMultiProcessor =
      properties.maxThreadsPerMultiProcessor;
  context.nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
  context.nSharedMemPerBlock = properties.sharedMemPerBlock;
  context.nCudaDevAttrComputeCapabilityMajor = properties.major;
  context.nCudaDevAttrComputeCapabilityMinor = properties.minor;
  check (cudaStreamGetFlags (stream, &context.nStreamFlags), "stream");
  return context;
}

/* As ours: sigma = N / 6, cut at N taps. */
static std::vector<double>
make_weights (const Cell & cell)
{
  std::vector<double> weights (cell.taps);
  double sigma = cell.taps / 6.0, sum = 0;

  for (int i = 0; i < cell.taps; i++) {
    double distance = i - cell.taps / 2;

    weights[i] = cell.is_box () ? 1
        : exp (-distance * distance / (2 * sigma * sigma));
    sum += weights[i];
  }
  for (double & weight : weights)
    weight /= sum;
  return weights;
}

static NppStatus
blur (const Cell & cell, const uint8_t * in, uint8_t * out,
    const float *weights, const NppStreamContext & context)
{
  const NppiSize size = { cell.width, cell.height };
  const NppiSize mask = { cell.taps, cell.taps };
  const NppiPoint origin = { 0, 0 };
  const NppiPoint anchor = { cell.taps / 2, cell.taps / 2 };
  const int stride = cell.stride ();

  if (cell.is_box ())
    return nppiFilterBoxBorder_8u_C4R_Ctx (in, stride, size, origin, out,
        stride, size, mask, anchor, NPP_BORDER_REPLICATE, context);
  if (cell.is_float ())
    return nppiFilterGaussAdvancedBorder_32f_C4R_Ctx (
        reinterpret_cast<const float *> (in), stride, size, origin,
        reinterpret_cast<float *> (out), stride, size, cell.taps, weights,
        NPP_BORDER_REPLICATE, context);
  return nppiFilterGaussAdvancedBorder_8u_C4R_Ctx (in, stride, size, origin,
      out, stride, size, cell.taps, weights, NPP_BORDER_REPLICATE, context);
}

/* --- whether it is the same blur --- */

static double
get_sample (const Cell & cell, const uint8_t * frame, int x, int y)
{
  const uint8_t *at = frame + y * cell.stride ()
      + x * COMPONENTS * cell.sample ();
  float value;

  if (!cell.is_float ())
    return *at;
  memcpy (&value, at, sizeof value);
  return value;
}

/* Of the first component. */
static double
blur_pixel (const Cell & cell, const uint8_t * frame,
    const std::vector<double> & weights, int x, int y)
{
  int radius = cell.taps / 2;
  double sum = 0;

  for (int i = -radius; i <= radius; i++)
    for (int j = -radius; j <= radius; j++)
      sum += weights[i + radius] * weights[j + radius]
          * get_sample (cell, frame, std::clamp (x + j, 0, cell.width - 1),
          std::clamp (y + i, 0, cell.height - 1));
  return sum;
}

/* At the corners and in between. */
static bool
is_blurred (const Cell & cell, const Frames & frames,
    const std::vector<double> & weights)
{
  const double tolerance = cell.is_float () ? 1e-3 : 1;
  std::vector<uint8_t> row (cell.stride ());

  for (int i = 0; i <= 8; i++) {
    int y = (cell.height - 1) * i / 8;

    check (cudaMemcpy (row.data (), frames.out[0] + y * cell.stride (),
            cell.stride (), cudaMemcpyDeviceToHost), "download");
    for (int j = 0; j <= 8; j++) {
      int x = (cell.width - 1) * j / 8;
      double is = get_sample (cell, row.data (), x, 0);
      double wanted = blur_pixel (cell, frames.noise.data (), weights, x, y);

      if (std::abs (is - wanted) > tolerance) {
        fprintf (stderr, "npp_blur: %s, %s, %d taps: %d, %d is %g, not %g\n",
            cell.format.c_str (), cell.kernel.c_str (), cell.taps, x, y, is,
            wanted);
        return false;
      }
    }
  }
  return true;
}

/* --- times --- */

static double
median (std::vector<double> values)
{
  std::sort (values.begin (), values.end ());
  return values[values.size () / 2];
}

static double
now_ms ()
{
  return std::chrono::duration<double, std::milli> (
      std::chrono::steady_clock::now ().time_since_epoch ()).count ();
}

class Clock
{
public:
  /* Queues the work on frame i. */
  using Work = std::function<void (size_t i)>;

  Clock ()
  {
    check (cudaStreamCreate (&stream), "stream");
    check (cudaMalloc (&head_start, HEAD_START), "head start");
    for (int i = 0; i < SLOTS; i++) {
      check (cudaEventCreate (&begin[i]), "event");
      check (cudaEventCreate (&end[i]), "event");
    }
  }

  void warm_up (const Work & work)
  {
    for (double until = now_ms () + WARM_UP_MS; now_ms () < until;)
      wall_ms (work);
  }

  double wall_ms (const Work & work)
  {
    double start = now_ms ();

    for (int i = 0; i < SLOTS; i++)
      work (next++);
    wait ();
    return (now_ms () - start) / SLOTS;
  }

  double gpu_ms (const Work & work)
  {
    std::vector<double> times;

    /* Busy while frames are queued, or between their events it would wait for the
     * CPU. */
    for (int i = 0; i < 2 * SLOTS; i++)
      check (cudaMemsetAsync (head_start, i, HEAD_START, stream),
          "head start");
    for (int i = 0; i < SLOTS; i++) {
      check (cudaEventRecord (begin[i], stream), "event");
      work (next++);
      check (cudaEventRecord (end[i], stream), "event");
    }
    wait ();
    for (int i = 0; i < SLOTS; i++) {
      float time = 0;

      check (cudaEventElapsedTime (&time, begin[i], end[i]), "event");
      times.push_back (time);
    }
    return median (times);
  }

  cudaStream_t stream = nullptr;

private:
  static constexpr size_t HEAD_START = (size_t) 256 << 20;

  void wait ()
  {
    check (cudaStreamSynchronize (stream), "work");
  }

  void *head_start = nullptr;
  cudaEvent_t begin[SLOTS], end[SLOTS];
  size_t next = 0;
};

/* --- rows --- */

static double
time_copy (Clock & clock, const Cell & cell, const Frames & frames)
{
  auto copy = [&] (size_t i) {
    size_t f = i % frames.in.size ();

    check (cudaMemcpyAsync (frames.out[f], frames.in[f], cell.size (),
            cudaMemcpyDeviceToDevice, clock.stream), "copy");
  };

  clock.warm_up (copy);
  return clock.gpu_ms (copy);
}

static float *
upload (const std::vector<double> & weights)
{
  std::vector<float> floats (weights.begin (), weights.end ());
  size_t size = floats.size () * sizeof (float);
  void *memory = nullptr;

  check (cudaMalloc (&memory, size), "weights");
  check (cudaMemcpy (memory, floats.data (), size, cudaMemcpyHostToDevice),
      "weights");
  return static_cast<float *> (memory);
}

static void
print_row (Clock & clock, const Cell & cell, const Frames & frames,
    double copy_ms, const NppStreamContext & context)
{
  std::vector<double> weights = make_weights (cell);
  float *on_device = upload (weights);
  NppStatus status = NPP_SUCCESS;
  cudaDeviceProp properties;

  auto work = [&] (size_t i) {
    size_t f = i % frames.in.size ();
    NppStatus result = blur (cell, frames.in[f], frames.out[f], on_device,
        context);

    if (result != NPP_SUCCESS)
      status = result;
  };

  work (0);                     /* loads what it needs, and is looked at */
  bool is_same = status == NPP_SUCCESS && is_blurred (cell, frames, weights);
  clock.wall_ms (work);
  double gpu_ms = clock.gpu_ms (work), wall_ms = clock.wall_ms (work);
  check (cudaFree (on_device), "weights");
  if (status != NPP_SUCCESS)
    fprintf (stderr, "npp_blur: %s, %s, %d taps: NPP's status %d\n",
        cell.format.c_str (), cell.kernel.c_str (), cell.taps, (int) status);
  if (!is_same)
    return;
  check (cudaGetDeviceProperties (&properties, context.nCudaDeviceId),
      "device");
  printf ("%d,%d,%s,%zu,%s,,%d,NPP,,,%.5f,%.5f,%.5f,\"%s\"\n", cell.width,
      cell.height, cell.format.c_str (), 8 * COMPONENTS * cell.sample (),
      cell.kernel.c_str (), cell.taps, gpu_ms, wall_ms, copy_ms,
      properties.name);
}

static std::vector<Cell>
read_cells ()
{
  std::vector<Cell> cells;
  char format[32], kernel[32];
  Cell cell;

  while (scanf ("%d %d %31s %31s %d", &cell.width, &cell.height, format,
          kernel, &cell.taps) == 5) {
    cell.format = format;
    cell.kernel = kernel;
    if (cell.is_known ())
      cells.push_back (cell);
  }
  /* Those of the same frames one after the other. */
  std::sort (cells.begin (), cells.end (),
      [] (const Cell & a, const Cell & b) {
        return std::tie (a.width, a.height, a.format, a.kernel, a.taps)
            < std::tie (b.width, b.height, b.format, b.kernel, b.taps);
      });
  return cells;
}

int
main ()
{
  std::vector<Cell> cells = read_cells ();
  Clock clock;
  NppStreamContext context = make_context (clock.stream);
  const NppLibraryVersion *version = nppGetLibVersion ();

  fprintf (stderr, "NPP %d.%d.%d\n", version->major, version->minor,
      version->build);
  for (size_t i = 0; i < cells.size ();) {
    const Cell first = cells[i];
    Frames frames (first);
    double copy_ms = time_copy (clock, first, frames);

    for (; i < cells.size () && cells[i].same_frames (first); i++)
      print_row (clock, cells[i], frames, copy_ms, context);
  }
  return 0;
}
