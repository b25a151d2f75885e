import { BlockList, isIP } from 'node:net';

/** Finds the address of the sender from the header of proxies and the address of the connection. */
export type ClientAddress = (request: Request, peer: string | undefined) => string | undefined;

/**
 * With trusted proxies (addresses and networks such as `10.0.0.0/8`): of the addresses that `X-Forwarded-For` lists,
 * the last one that is no trusted proxy, because each proxy appends the address that it saw. A header that comes from
 * anybody else, or without trusted proxies, is ignored.
 * @throws RangeError for a text that is neither an address nor a network.
 */
export function clientAddress(proxies: readonly string[]): ClientAddress {
  const trusted = new BlockList();
  for (const proxy of proxies) addProxy(trusted, proxy);
  const isTrusted = (address: string): boolean => {
    const bare = plain(address);
    const family = isIP(bare);
    return family !== 0 && trusted.check(bare, family === 4 ? 'ipv4' : 'ipv6');
  };
  return (request, peer) => {
    if (proxies.length === 0 || peer === undefined || !isTrusted(peer)) return peer;
    let address = peer;
    const hops = (request.headers.get('x-forwarded-for') ?? '').split(',').reverse();
    for (const hop of hops) {
      const next = addressOf(hop);
      // What a trusted proxy cannot have written ends the chain: the proxy itself is the sender then.
      if (next === undefined) return address;
      address = next;
      if (!isTrusted(next)) return address;
    }
    return address;
  };
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
