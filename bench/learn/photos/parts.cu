// Parts on a GPU: rays cast at them, renderings of them as the core makes them, and poses in which they explain a photo.
//
// `fits.py` compiles it with CuPy; without __CUDACC__ it is C++ of one thread a block, by which it is tested.
// Parts: float[triangles][9] of corners, centred, radius 1; firsts: int[parts + 1]. A pose: rows right, up and towards
// the camera, then radius over distance. Photos: float[size][size], -1 outside the object; the longer side of the
// object's box takes 60 of 64 parts of a side.
#ifdef __CUDACC__
#define KERNEL extern "C" __global__ void
#define DEVICE __device__ __forceinline__
#define SHARED __shared__
#define SYNC __syncthreads()
#else
#include <cmath>
#define KERNEL extern "C" void
#define DEVICE static inline
#define SHARED static
#define SYNC
struct Three { int x, y; };
static Three blockIdx, threadIdx = {0, 0}, blockDim = {1, 1};
static inline unsigned atomicMax(unsigned *at, unsigned value) { if (value > *at) *at = value; return 0; }
extern "C" void block(int x, int y) { blockIdx.x = x; blockIdx.y = y; }
#endif

#define TILE 64
#define SUMS 16

/** Nearest hit of each ray with the part of its row: distance, triangle or -1, weights of two corners (Moeller, Trumbore). */
KERNEL cast(const float *origins, const float *directions, const float *corners, const int *starts, const int *ends,
            float *t, int *index, float *u, float *v, int P) {
  SHARED float tile[TILE * 9];
  int b = blockIdx.x, at = blockIdx.y * blockDim.x + threadIdx.x;
  int row = b * P + (at < P ? at : P - 1);
  float ox = origins[3 * row], oy = origins[3 * row + 1], oz = origins[3 * row + 2];
  float dx = directions[3 * row], dy = directions[3 * row + 1], dz = directions[3 * row + 2];
  float best = 1e30f, bu = 0, bv = 0;
  int hit = -1;
  for (int first = starts[b]; first < ends[b]; first += TILE) {
    int many = ends[b] - first < TILE ? ends[b] - first : TILE;
    SYNC;
    for (int i = threadIdx.x; i < many; i += blockDim.x) {
      const float *c = corners + 9 * (first + i);
      for (int k = 0; k < 3; k++) {
        tile[9 * i + k] = c[k];
        tile[9 * i + 3 + k] = c[3 + k] - c[k];
        tile[9 * i + 6 + k] = c[6 + k] - c[k];
      }
    }
    SYNC;
    for (int i = 0; i < many; i++) {
      const float *c = tile + 9 * i;
      float hx = dy * c[8] - dz * c[7], hy = dz * c[6] - dx * c[8], hz = dx * c[7] - dy * c[6];
      float det = c[3] * hx + c[4] * hy + c[5] * hz;
      float inv = 1 / (fabsf(det) < 1e-12f ? 1e-12f : det);
      float sx = ox - c[0], sy = oy - c[1], sz = oz - c[2];
      float a = (sx * hx + sy * hy + sz * hz) * inv;
      if (a < 0 || a > 1) continue;
      float qx = sy * c[5] - sz * c[4], qy = sz * c[3] - sx * c[5], qz = sx * c[4] - sy * c[3];
      float e = (dx * qx + dy * qy + dz * qz) * inv;
      float w = (c[6] * qx + c[7] * qy + c[8] * qz) * inv;
      if (e < 0 || a + e > 1 || w <= 1e-3f || w >= best) continue;
      best = w;
      hit = first + i;
      bu = a;
      bv = e;
    }
  }
  if (at >= P) return;
  t[row] = best;
  index[row] = hit;
  u[row] = bu;
  v[row] = bv;
}

/** Sums of all threads of a block, in every thread. */
DEVICE void blockSum(float *values, int count, float *scratch) {
#ifdef __CUDACC__
  for (int i = 0; i < count; i++)
    for (int step = 16; step > 0; step >>= 1) values[i] += __shfl_xor_sync(~0u, values[i], step);
  int warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  __syncthreads();
  if ((threadIdx.x & 31) == 0)
    for (int i = 0; i < count; i++) scratch[warp * SUMS + i] = values[i];
  __syncthreads();
  for (int i = 0; i < count; i++) {
    float sum = 0;
    for (int w = 0; w < warps; w++) sum += scratch[w * SUMS + i];
    values[i] = sum;
  }
#endif
}

DEVICE float blockMost(float value, float *scratch) {
#ifdef __CUDACC__
  for (int step = 16; step > 0; step >>= 1) value = fmaxf(value, __shfl_xor_sync(~0u, value, step));
  __syncthreads();
  if ((threadIdx.x & 31) == 0) scratch[threadIdx.x >> 5] = value;
  __syncthreads();
  for (int w = 0; w < blockDim.x >> 5; w++) value = fmaxf(value, scratch[w]);
#endif
  return value;
}

DEVICE void project(const float *p, const float *pose, float *out) {
  float toward = pose[6] * p[0] + pose[7] * p[1] + pose[8] * p[2];
  float larger = 1 / (1 - pose[9] * toward);
  out[0] = (pose[0] * p[0] + pose[1] * p[1] + pose[2] * p[2]) * larger;
  out[1] = -(pose[3] * p[0] + pose[4] * p[1] + pose[5] * p[2]) * larger;
  out[2] = larger;
}

/** Nearest triangle and depth of each pixel, packed; 0 where there is none. Returns the factor of sizes. */
DEVICE float rasterise(const float *corners, int start, int end, const float *pose, int size, unsigned *seen,
                       float *scratch) {
  float box[4] = {-1e30f, -1e30f, -1e30f, -1e30f};
  for (int i = 3 * start + threadIdx.x; i < 3 * end; i += blockDim.x) {
    float p[3];
    project(corners + 3 * i, pose, p);
    box[0] = fmaxf(box[0], p[0]);
    box[1] = fmaxf(box[1], -p[0]);
    box[2] = fmaxf(box[2], p[1]);
    box[3] = fmaxf(box[3], -p[1]);
  }
  for (int i = 0; i < 4; i++) box[i] = blockMost(box[i], scratch);
  for (int i = threadIdx.x; i < size * size; i += blockDim.x) seen[i] = 0;
  float cx = (box[0] - box[1]) / 2, cy = (box[2] - box[3]) / 2;
  float scale = 2 * 60.f / 64 / fmaxf(1e-6f, fmaxf(box[0] + box[1], box[2] + box[3]));
  SYNC;
  for (int t = start + threadIdx.x; t < end; t += blockDim.x) {
    float p[3][3];
    for (int k = 0; k < 3; k++) {
      project(corners + 9 * t + 3 * k, pose, p[k]);
      p[k][0] = ((p[k][0] - cx) * scale + 1) * size / 2;
      p[k][1] = ((p[k][1] - cy) * scale + 1) * size / 2;
    }
    float area = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
    if (fabsf(area) < 1e-9f) continue;
    float inv = 1 / area;
    int x0 = (int)ceilf(fminf(p[0][0], fminf(p[1][0], p[2][0])) - 0.5f);
    int x1 = (int)floorf(fmaxf(p[0][0], fmaxf(p[1][0], p[2][0])) - 0.5f);
    int y0 = (int)ceilf(fminf(p[0][1], fminf(p[1][1], p[2][1])) - 0.5f);
    int y1 = (int)floorf(fmaxf(p[0][1], fmaxf(p[1][1], p[2][1])) - 0.5f);
    for (int y = y0; y <= y1; y++)
      for (int x = x0; x <= x1; x++) {
        float wb = ((x + 0.5f - p[0][0]) * (p[2][1] - p[0][1]) - (y + 0.5f - p[0][1]) * (p[2][0] - p[0][0])) * inv;
        float wc = ((p[1][0] - p[0][0]) * (y + 0.5f - p[0][1]) - (p[1][1] - p[0][1]) * (x + 0.5f - p[0][0])) * inv;
        float wa = 1 - wb - wc;
        if (wa < -1e-6f || wb < -1e-6f || wc < -1e-6f) continue;
        float larger = wa * p[0][2] + wb * p[1][2] + wc * p[2][2];
        unsigned depth = 1 + (unsigned)((larger - 0.5f) * 698000);
        atomicMax(seen + y * size + x, depth << 12 | (unsigned)(t - start));
      }
  }
  SYNC;
  return scale;
}

/** The normal of the triangle of a pixel, as the camera sees it, turned to the camera; then how far it is towards it. */
DEVICE void surfaceAt(unsigned seen, const float *corners, int start, const float *pose, float *out) {
  const float *c = corners + 9 * (start + (seen & 4095));
  float ux = c[3] - c[0], uy = c[4] - c[1], uz = c[5] - c[2], vx = c[6] - c[0], vy = c[7] - c[1], vz = c[8] - c[2];
  float x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
  float inv = rsqrtf(fmaxf(1e-24f, x * x + y * y + z * z));
  for (int k = 0; k < 3; k++) out[k] = (pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z) * inv;
  if (out[2] < 0)
    for (int k = 0; k < 3; k++) out[k] = -out[k];
  float larger = (float)((seen >> 12) - 1) / 698000 + 0.5f;
  out[3] = (1 - 1 / larger) / fmaxf(1e-3f, pose[9]);
}

/**
 * What of a photo a rendering explains: the cost of `pose-fit.ts`. light: the four weights of the light that explains
 * its brightness best.
 */
DEVICE float explain(const float *gray, int size, const unsigned *seen, const float *corners, int start,
                     const float *pose, float *light, float *scratch) {
  float s[SUMS] = {0};
  for (int i = threadIdx.x; i < size * size; i += blockDim.x) {
    float value = gray[i];
    if (value < 0 && seen[i] == 0) continue;
    s[0] += 1;
    if (value < 0 || seen[i] == 0) continue;
    float n[4];
    surfaceAt(seen[i], corners, start, pose, n);
    s[1] += 1;
    s[2] += n[0]; s[3] += n[1]; s[4] += n[2];
    s[5] += n[0] * n[0]; s[6] += n[0] * n[1]; s[7] += n[0] * n[2];
    s[8] += n[1] * n[1]; s[9] += n[1] * n[2]; s[10] += n[2] * n[2];
    s[11] += value; s[12] += value * n[0]; s[13] += value * n[1]; s[14] += value * n[2];
    s[15] += value * value;
  }
  blockSum(s, SUMS, scratch);
  float m[4][5] = {{s[1], s[2], s[3], s[4], s[11]}, {s[2], s[5], s[6], s[7], s[12]},
                   {s[3], s[6], s[8], s[9], s[13]}, {s[4], s[7], s[9], s[10], s[14]}};
  float explained = 0;
  for (int i = 0; i < 4; i++) {
    m[i][i] += 0.02f;
    explained += m[i][4] * m[i][4] / m[i][i];
    for (int j = i + 1; j < 4; j++) {
      float factor = m[i][j] / m[i][i];
      for (int k = j; k < 5; k++) m[j][k] -= factor * m[i][k];
    }
  }
  for (int i = 3; i >= 0; i--) {
    float value = m[i][4];
    for (int j = i + 1; j < 4; j++) value -= m[i][j] * light[j];
    light[i] = value / m[i][i];
  }
  if (s[1] == 0) return 1;
  float overlap = s[1] / s[0], spread = s[15] - s[11] * s[11] / s[1];
  return 1 - overlap + 0.3f * overlap * fminf(1, (s[15] - explained) / (spread + s[1] * 0.0004f));
}

/** out: float[count][6][64][64]: normals right, up and towards, depth towards the camera, cover, explained brightness. */
KERNEL render(const float *corners, const int *firsts, const int *parts, const int *photos, const float *poses,
              const float *grays, float *out, float *costs) {
  SHARED unsigned seen[4096];
  SHARED float scratch[8 * SUMS];
  int b = blockIdx.x, start = firsts[parts[b]];
  const float *pose = poses + 10 * b, *gray = grays + 4096 * photos[b];
  float light[4];
  float scale = rasterise(corners, start, firsts[parts[b] + 1], pose, 64, seen, scratch);
  float cost = explain(gray, 64, seen, corners, start, pose, light, scratch);
  if (threadIdx.x == 0) costs[b] = cost;
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) {
    float n[4] = {0, 0, 0, 0}, cover = seen[i] != 0, brightness = 0;
    if (seen[i] != 0) {
      surfaceAt(seen[i], corners, start, pose, n);
      n[3] *= scale;
      brightness = light[0] + light[1] * n[0] + light[2] * n[1] + light[3] * n[2];
    }
    float *to = out + 6 * 4096 * b + i;
    for (int k = 0; k < 4; k++) to[4096 * k] = n[k];
    to[4096 * 4] = cover;
    to[4096 * 5] = brightness;
  }
}

DEVICE float chance(unsigned *state) {
  *state += 0x6d2b79f5u;
  unsigned z = *state;
  z = (z ^ (z >> 15)) * (z | 1);
  z ^= z + (z ^ (z >> 7)) * (z | 61);
  return ((z ^ (z >> 14)) >> 8) / 16777216.f;
}

DEVICE float normal(unsigned *state) {
  float a = sqrtf(-2 * logf(1 - chance(state)));
  return a * cosf(6.2831853f * chance(state));
}

DEVICE void unit(float *r) {
  float inv = rsqrtf(fmaxf(1e-12f, r[0] * r[0] + r[1] * r[1] + r[2] * r[2]));
  for (int i = 0; i < 3; i++) r[i] *= inv;
}

/** A pose turned by small random angles. */
DEVICE void moved(const float *from, float step, unsigned *state, float *to) {
  float x = step * normal(state), y = step * normal(state), z = step * normal(state);
  for (int i = 0; i < 3; i++) {
    to[i] = from[i] + y * from[6 + i] - z * from[3 + i];
    to[3 + i] = from[3 + i] + z * from[i] - x * from[6 + i];
  }
  unit(to);
  float along = to[0] * to[3] + to[1] * to[4] + to[2] * to[5];
  for (int i = 0; i < 3; i++) to[3 + i] -= along * to[i];
  unit(to + 3);
  to[6] = to[1] * to[5] - to[2] * to[4];
  to[7] = to[2] * to[3] - to[0] * to[5];
  to[8] = to[0] * to[4] - to[1] * to[3];
  to[9] = fminf(0.4f, fmaxf(0.02f, from[9] + 0.6f * step * normal(state)));
}

/**
 * The pose in which each part explains its photo best, of many tried ones. knows: 1 where the part is first tried in
 * the given pose and near it; tries: poses of the first round.
 */
KERNEL search(const float *corners, const int *firsts, const int *parts, const int *photos, const int *knows,
              const float *given, const float *halves, unsigned seed, int tries, float *poses, float *costs) {
  SHARED unsigned seen[1024];
  SHARED float gray[1024];
  SHARED float scratch[8 * SUMS];
  SHARED float best[2][10], least[2], pose[10];
  int b = blockIdx.x, start = firsts[parts[b]], end = firsts[parts[b] + 1];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) gray[i] = halves[1024 * photos[b] + i];
  unsigned state = seed * 0x9e3779b9u + b * 0x85ebca6bu;
  if (threadIdx.x == 0) least[0] = least[1] = 1e30f;
  const float steps[3] = {0.25f, 0.1f, 0.04f};
  // The first round, then 16 tries in each of three rounds about the best two.
  for (int i = 0; i < tries + 96; i++) {
    int slot = i < tries ? 0 : (i - tries) / 48;
    SYNC;
    if (threadIdx.x == 0) {
      if (i >= tries) moved(best[slot], steps[(i - tries) / 16 % 3], &state, pose);
      else if (knows[b] && i < 12) moved(given + 10 * photos[b], i < 4 ? 0.06f : 0.25f, &state, pose);
      else {
        const float any[10] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0.2f};
        float q[4], inv = 0;
        for (int k = 0; k < 4; k++) inv += (q[k] = normal(&state)) * q[k];
        for (int k = 0; k < 4; k++) q[k] *= rsqrtf(fmaxf(1e-12f, inv));
        for (int k = 0; k < 10; k++) pose[k] = any[k];
        pose[0] = 1 - 2 * (q[2] * q[2] + q[3] * q[3]); pose[1] = 2 * (q[1] * q[2] - q[3] * q[0]);
        pose[2] = 2 * (q[1] * q[3] + q[2] * q[0]); pose[3] = 2 * (q[1] * q[2] + q[3] * q[0]);
        pose[4] = 1 - 2 * (q[1] * q[1] + q[3] * q[3]); pose[5] = 2 * (q[2] * q[3] - q[1] * q[0]);
        pose[6] = 2 * (q[1] * q[3] - q[2] * q[0]); pose[7] = 2 * (q[2] * q[3] + q[1] * q[0]);
        pose[8] = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
      }
    }
    SYNC;
    float light[4];
    rasterise(corners, start, end, pose, 32, seen, scratch);
    float cost = explain(gray, 32, seen, corners, start, pose, light, scratch);
    if (threadIdx.x == 0) {
      if (i < tries && cost < least[0]) {
        least[1] = least[0];
        for (int k = 0; k < 10; k++) best[1][k] = best[0][k];
      } else if (i < tries && cost < least[1]) slot = 1;
      if (cost < least[slot]) {
        least[slot] = cost;
        for (int k = 0; k < 10; k++) best[slot][k] = pose[k];
      }
    }
  }
  SYNC;
  if (threadIdx.x == 0) {
    int slot = least[1] < least[0];
    for (int k = 0; k < 10; k++) poses[10 * b + k] = best[slot][k];
    costs[b] = least[slot];
  }
}
