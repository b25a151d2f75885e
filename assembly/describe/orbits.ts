import { ARRANGEMENTS, CHANNEL_LENGTH, hogTable } from './arrangement';

/**
 * Statistics of the histograms that do not depend on the arrangement. The 24 arrangements move each of the 768 numbers
 * of a channel through 24 positions (an orbit); mean and deviation over each of the 32 orbits are equal for all
 * arrangements.
 */
export const ORBITS: i32 = CHANNEL_LENGTH / ARRANGEMENTS;

/** u8[CHANNEL_LENGTH]: the orbit of each number. */
const ORBIT_OF: usize = memory.data(CHANNEL_LENGTH, 16);
let prepared: bool = false;

function prepare(): void {
  prepared = true;
  memory.fill(ORBIT_OF, 255, CHANNEL_LENGTH);
  let count = 0;
  for (let i = 0; i < CHANNEL_LENGTH; i++) {
    if (load<u8>(ORBIT_OF + <usize>i) != 255) continue;
    for (let n = 0; n < ARRANGEMENTS; n++) {
      store<u8>(ORBIT_OF + <usize>load<u16>(hogTable(n) + ((<usize>i) << 1)), <u8>count);
    }
    count++;
  }
}

/** hog: f32[channels][CHANNEL_LENGTH]. out: f32[channels][2][ORBITS], means then standard deviations. */
export function orbitMoments(hog: usize, channels: i32, out: usize): void {
  if (!prepared) prepare();
  for (let channel = 0; channel < channels; channel++) {
    const from = hog + <usize>(channel * CHANNEL_LENGTH * 4);
    const means = out + <usize>(channel * 2 * ORBITS * 4),
      deviations = means + <usize>(ORBITS * 4);
    memory.fill(means, 0, 2 * ORBITS * 4);
    for (let i: usize = 0; i < <usize>CHANNEL_LENGTH; i++) {
      const at = means + ((<usize>load<u8>(ORBIT_OF + i)) << 2);
      store<f32>(at, load<f32>(at) + load<f32>(from + (i << 2)) / <f32>ARRANGEMENTS);
    }
    for (let i: usize = 0; i < <usize>CHANNEL_LENGTH; i++) {
      const orbit = (<usize>load<u8>(ORBIT_OF + i)) << 2;
      const d = load<f32>(from + (i << 2)) - load<f32>(means + orbit);
      store<f32>(deviations + orbit, load<f32>(deviations + orbit) + (d * d) / <f32>ARRANGEMENTS);
    }
    for (let i: usize = 0; i < <usize>ORBITS; i++)
      store<f32>(deviations + (i << 2), sqrt<f32>(load<f32>(deviations + (i << 2))));
  }
}
