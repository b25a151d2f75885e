/*
 * The C side of bench/kernels.mjs: volume and surface area of one triangle mesh, as a C programmer would write it.
 * Usage: kernels MESH RUNS naive|compensated. MESH: u32 vertexCount, u32 triangleCount, f32[3 * vertexCount],
 * u32[3 * triangleCount]. Prints volume, area and the milliseconds of each run. Build with cc -O3, no other flags.
 */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void naive(const float *p, const uint32_t *index, uint32_t triangles, double *out) {
  double volume = 0, area = 0;
  for (uint32_t t = 0; t < triangles; t++) {
    const float *a = p + 3 * (size_t)index[3 * (size_t)t];
    const float *b = p + 3 * (size_t)index[3 * (size_t)t + 1];
    const float *c = p + 3 * (size_t)index[3 * (size_t)t + 2];
    double ux = (double)b[0] - a[0], uy = (double)b[1] - a[1], uz = (double)b[2] - a[2];
    double wx = (double)c[0] - a[0], wy = (double)c[1] - a[1], wz = (double)c[2] - a[2];
    double nx = uy * wz - uz * wy, ny = uz * wx - ux * wz, nz = ux * wy - uy * wx;
    volume += a[0] * nx + a[1] * ny + a[2] * nz;
    area += sqrt(nx * nx + ny * ny + nz * nz);
  }
  out[0] = volume / 6;
  out[1] = area / 2;
}

/* Neumaier 1974, the usual form with its branch. */
#define ADD(sum, error, value)                                                              \
  do {                                                                                      \
    double v_ = (value), t_ = sum + v_;                                                     \
    error += fabs(sum) >= fabs(v_) ? (sum - t_) + v_ : (v_ - t_) + sum;                     \
    sum = t_;                                                                               \
  } while (0)

static void compensated(const float *p, const uint32_t *index, uint32_t triangles, double *out) {
  double volume = 0, volumeError = 0, area = 0, areaError = 0;
  for (uint32_t t = 0; t < triangles; t++) {
    const float *a = p + 3 * (size_t)index[3 * (size_t)t];
    const float *b = p + 3 * (size_t)index[3 * (size_t)t + 1];
    const float *c = p + 3 * (size_t)index[3 * (size_t)t + 2];
    double ux = (double)b[0] - a[0], uy = (double)b[1] - a[1], uz = (double)b[2] - a[2];
    double wx = (double)c[0] - a[0], wy = (double)c[1] - a[1], wz = (double)c[2] - a[2];
    double nx = uy * wz - uz * wy, ny = uz * wx - ux * wz, nz = ux * wy - uy * wx;
    ADD(volume, volumeError, a[0] * nx + a[1] * ny + a[2] * nz);
    ADD(area, areaError, sqrt(nx * nx + ny * ny + nz * nz));
  }
  out[0] = (volume + volumeError) / 6;
  out[1] = (area + areaError) / 2;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  FILE *file = fopen(argv[1], "rb");
  uint32_t counts[2];
  if (!file || fread(counts, 4, 2, file) != 2) return 3;
  float *positions = malloc(12 * (size_t)counts[0]);
  uint32_t *indices = malloc(12 * (size_t)counts[1]);
  if (!positions || !indices || fread(positions, 12, counts[0], file) != counts[0] || fread(indices, 12, counts[1], file) != counts[1]) return 3;
  void (*kernel)(const float *, const uint32_t *, uint32_t, double *) = strcmp(argv[3], "naive") == 0 ? naive : compensated;
  double out[2];
  int runs = atoi(argv[2]);
  for (int run = -3; run < runs; run++) {
    double start = now();
    kernel(positions, indices, counts[1], out);
    double end = now();
    if (run == 0) printf("%.17g %.17g", out[0], out[1]);
    if (run >= 0) printf(" %.6f", end - start);
  }
  printf("\n");
  return 0;
}
