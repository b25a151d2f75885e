import { useEffect, useState } from 'preact/hooks';
import { pictureAddress, type PictureOptions } from '../api/pictures.js';
import { KindIcon } from './kind-icon.js';
import type { WireRecord } from '../api/wire.js';

interface PictureProps extends Pick<PictureOptions, 'size' | 'page' | 'shape'> {
  readonly uid: string;
  /** Shown in place of a picture that there is none of. */
  readonly kind: WireRecord['kind'];
  /** For who cannot see it; '' where the name stands beside it. */
  readonly alt: string;
}

/** A picture of a file, fetched when it is shown. */
export function Picture({ uid, kind, alt, size, page, shape }: PictureProps) {
  const [address, setAddress] = useState<string | null | undefined>(undefined);
  useEffect(() => {
    const leaving = new AbortController();
    setAddress(undefined);
    pictureAddress(uid, { size, page, shape, signal: leaving.signal }).then(
      (found) => { if (!leaving.signal.aborted) setAddress(found); },
      () => { if (!leaving.signal.aborted) setAddress(null); },
    );
    return () => leaving.abort();
  }, [uid, size, page, shape]);
  if (address === null) return <span class="picture picture-none"><KindIcon kind={kind} /></span>;
  return <span class={`picture${address === undefined ? ' picture-coming' : ''}`}>{address !== undefined && <img src={address} alt={alt} draggable={false} />}</span>;
}
