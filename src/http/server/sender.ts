import { BlockList, isIP } from 'node:net';

/** What the headers of proxies say of a sender, as far as they are believed. */
export interface Sender {
  readonly address: string | undefined;
  /** `https` where a trusted proxy was asked so; else undefined: the request's own URL tells. */
  readonly protocol: 'https' | undefined;
}

/** Finds the sender from the headers of proxies and the address of the connection. */
export type FindSender = (request: Request, peer: string | undefined) => Sender;

/**
 * With trusted proxies (addresses and networks such as `10.0.0.0/8`): of the addresses that `X-Forwarded-For` lists,
 * the last one that is no trusted proxy, because each proxy appends the address that it saw; and the protocol that
 * `X-Forwarded-Proto` tells. Headers that come from anybody else, or without trusted proxies, are ignored.
 * @throws RangeError for a text that is neither an address nor a network.
 */
export function senders(proxies: readonly string[]): FindSender {
  const trusted = new BlockList();
  for (const proxy of proxies) addProxy(trusted, proxy);
  const isTrusted = (address: string): boolean => {
    const bare = plain(address);
    const family = isIP(bare);
    return family !== 0 && trusted.check(bare, family === 4 ? 'ipv4' : 'ipv6');
  };
  return ({ headers }, peer) => {
    if (peer === undefined || !isTrusted(peer)) return { address: peer, protocol: undefined };
    const protocol = headers.get('x-forwarded-proto')?.split(',')[0].trim() === 'https' ? 'https' : undefined;
    return { address: beforeProxies(headers, peer, isTrusted), protocol };
  };
}

/** The last hop that is no trusted proxy. */
function beforeProxies(headers: Headers, peer: string, isTrusted: (address: string) => boolean): string {
  let address = peer;
  const hops = (headers.get('x-forwarded-for') ?? '').split(',').reverse();
  for (const hop of hops) {
    const next = addressOf(hop);
    // What a trusted proxy cannot have written ends the chain: the proxy itself is the sender then.
    if (next === undefined) return address;
    address = next;
    if (!isTrusted(next)) return address;
  }
  return address;
}

function addProxy(list: BlockList, proxy: string): void {
  const [address, prefix, ...more] = proxy.trim().split('/');
  const bare = plain(address);
  const family = isIP(bare);
  const most = family === 4 ? 32 : 128;
  const bits = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
  if (family === 0 || more.length > 0 || bits < 0 || bits > most)
    throw new RangeError(
      `options.trustProxy must list addresses and networks like 10.0.0.0/8, received ${JSON.stringify(proxy)}`,
    );
  list.addSubnet(bare, bits, family === 4 ? 'ipv4' : 'ipv6');
}

/** An entry of the header, which may have a port: `192.0.2.1:5000`, `[2001:db8::1]:5000`. */
function addressOf(hop: string): string | undefined {
  const text = hop.trim();
  const bare = plain(/^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text);
  return isIP(bare) === 0 ? undefined : bare;
}

/** Without zone, and IPv4 in IPv6 form as IPv4. */
function plain(address: string): string {
  const bare = address.replace(/%.*$/, '');
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare;
}
