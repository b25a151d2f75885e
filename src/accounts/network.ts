import { isIP } from 'node:net';

/**
 * The network that an address counts as when attempts and shares are counted: an IPv4 address itself, of an IPv6
 * address its first 64 bits, because one connection usually has as many. IPv4 addresses in IPv6 form are IPv4. A text
 * that is no address stands for itself; undefined where the host knows no address.
 */
export function networkOf(address: string | undefined): string | undefined {
  if (address === undefined || address === '') return undefined;
  const bare = address.replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1];
  if (mapped !== undefined && isIP(mapped) === 4) return mapped;
  if (isIP(bare) !== 6) return bare.slice(0, 100);
  // The first four groups; `::` stands for as many zeros as are missing.
  const [head, tail] = bare.split('::', 2);
  const [before, after] = [groupsOf(head), tail === undefined ? [] : groupsOf(tail)];
  const groups = [...before, ...Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** The groups of a part of an IPv6 address; an IPv4 address at its end counts as two, whatever they are. */
function groupsOf(part: string): string[] {
  return part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
