import { BlockList, isIP } from 'node:net';
import { EngineError } from '../errors.js';
import type { HostAddress } from '../options.js';

/**
 * IPv4 networks that are not public or do not address a single host (IANA special-purpose registry), and one address
 * that a cloud provider reserves for itself.
 */
const REFUSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
];

/**
 * The IPv6 range that is assigned to hosts. Loopback, mapped IPv4, NAT64, unique local, link-local and multicast
 * addresses lie outside it.
 */
const PUBLIC_IPV6 = networksOf(['2000::/3']);

/**
 * Exceptions within that range: protocol assignments (such as Teredo), documentation, and 6to4, which leads to IPv4.
 */
const REFUSED = networksOf([
  ...REFUSED_IPV4,
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
]);

/** Most entries of an allow-list. */
const ALLOW_LIMIT = 100;
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/** Whether an address belongs to a host of the public internet. */
export function isPublicAddress({ address, family }: HostAddress): boolean {
  if (isIP(address) !== family) return false;
  if (address.includes('%')) return false; // An address with a zone is link-local.
  if (family === 6 && !PUBLIC_IPV6.check(address, 'ipv6')) return false;
  return !REFUSED.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/**
 * The entries of an allow-list in their normal form: host names, addresses, networks in CIDR notation.
 * @throws TypeError or RangeError that names the invalid entry.
 */
export function checkAllowList(allow: unknown): string[] {
  if (!Array.isArray(allow)) throw new TypeError(`callback.allow must be an array, received ${typeof allow}`);
  if (allow.length > ALLOW_LIMIT)
    throw new RangeError(`callback.allow must have at most ${ALLOW_LIMIT} entries, received ${allow.length}`);
  return allow.map((entry: unknown) => {
    if (typeof entry !== 'string') throw new TypeError(`callback.allow must hold strings, received ${typeof entry}`);
    const text = normalHost(entry.trim());
    if (isIP(text) > 0 || isNetwork(text) || (HOST_NAME.test(text) && !/^[\d.]+$/.test(text))) return text;
    throw new RangeError(
      `callback.allow must hold host names, addresses and networks like 10.1.0.0/16, received ${JSON.stringify(entry)}`,
    );
  });
}

/**
 * Checks all addresses of a host name: a name that resolves to a public and a private address is refused.
 * @throws EngineError `ADDRESS_REFUSED` that names the address.
 */
export function checkAddresses(hostName: string, addresses: readonly HostAddress[], allow: readonly string[]): void {
  if (allow.includes(normalHost(hostName))) return;
  const allowed = networksOf(allow.filter((entry) => isIP(entry) > 0 || isNetwork(entry)));
  for (const { address, family } of addresses) {
    if (isPublicAddress({ address, family })) continue;
    if (isIP(address) === family && !address.includes('%') && allowed.check(address, family === 6 ? 'ipv6' : 'ipv4'))
      continue;
    const found = hostName === address ? `${address} is` : `${hostName} leads to ${address}, which is`;
    throw new EngineError('ADDRESS_REFUSED', `${found} not a public address and not on the allow-list`, {
      details: { address },
    });
  }
}

/** The normal form of a host name or address for comparison: lower case, without brackets and trailing dot. */
export function normalHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

function networksOf(entries: readonly string[]): BlockList {
  const networks = new BlockList();
  for (const entry of entries) {
    const [address, prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    networks.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  }
  return networks;
}

function isNetwork(text: string): boolean {
  const [, address, prefix] = /^([0-9a-f.:]+)\/(\d{1,3})$/.exec(text) ?? [];
  return address !== undefined && isIP(address) > 0 && Number(prefix) <= (isIP(address) === 6 ? 128 : 32);
}
