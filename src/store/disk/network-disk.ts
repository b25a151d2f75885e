import { statfs } from 'node:fs/promises';

/** Numbers of file systems as Linux tells them (statfs(2)): those whose files other machines change. */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'SMB'],
  [0x65735546, 'FUSE (such as sshfs)'],
  [0x01021997, '9P'],
  [0x786f4256, 'a shared folder of a virtual machine'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x01161970, 'GFS2'],
  [0x47504653, 'GPFS'],
]);

/**
 * The network file system that a folder is on, by name; undefined for a disk of this machine, and where that is not
 * known. What other machines change there is not told by the system. On Windows a share is known by its path alone.
 */
export async function networkDiskOf(folder: string): Promise<string | undefined> {
  if (process.platform === 'win32') return folder.startsWith('\\\\') ? 'a share' : undefined;
  // Elsewhere the numbers are others.
  if (process.platform !== 'linux') return undefined;
  try {
    // The number is signed on some machines.
    return NETWORK.get((await statfs(folder)).type >>> 0);
  } catch {
    return undefined; // It has gone in the meantime; whoever looks at it finds out.
  }
}
