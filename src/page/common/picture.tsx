import { useEffect, useState } from 'preact/hooks';
import { pictureAddress, type PictureOptions } from '../api/pictures.js';
import type { WireRecord } from '../api/wire.js';
import { KindIcon } from './kind-icon.js';

interface PictureProps extends Pick<PictureOptions, 'size' | 'page' | 'shape'> {
  readonly uid: string;
  /** Shown in place of a picture that there is none of. */
  readonly kind: WireRecord['kind'];
  /** For who cannot see it; '' where the name stands beside it. */
  readonly alt: string;
  /** A part of the picture that is framed, as shares of its width and height. */
  readonly frame?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** Room between a frame and what it is about, as a share of the picture. */
const FRAME_ROOM = 0.01;

/** A picture of a file, fetched when it is shown. */
export function Picture({ uid, kind, alt, size, page, shape, frame }: PictureProps) {
  const [address, setAddress] = useState<string | null | undefined>(undefined);
  const [natural, setNatural] = useState<readonly [width: number, height: number] | undefined>(undefined);
  useEffect(() => {
    const leaving = new AbortController();
    setAddress(undefined);
    pictureAddress(uid, { size, page, shape, signal: leaving.signal }).then(
      (found) => {
        if (!leaving.signal.aborted) setAddress(found);
      },
      () => {
        if (!leaving.signal.aborted) setAddress(null);
      },
    );
    return () => leaving.abort();
  }, [uid, size, page, shape]);
  const ground = kind === 'ThreeD' ? ' picture-model' : '';
  if (address === null)
    return (
      <span class={`picture picture-none${ground}`}>
        <KindIcon kind={kind} />
      </span>
    );
  return (
    <span class={`picture${ground}${address === undefined ? ' picture-coming' : ''}`}>
      {address !== undefined && (
        <img
          src={address}
          alt={alt}
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setNatural([naturalWidth, naturalHeight])}
        />
      )}
      {frame !== undefined && natural !== undefined && (
        // Lies on the picture as object-fit lays that into its box.
        <svg class="picture-frame" viewBox={`0 0 ${natural[0]} ${natural[1]}`} aria-hidden="true">
          <rect
            x={(frame.x - FRAME_ROOM) * natural[0]}
            y={(frame.y - FRAME_ROOM) * natural[1]}
            rx="3"
            width={(frame.width + 2 * FRAME_ROOM) * natural[0]}
            height={(frame.height + 2 * FRAME_ROOM) * natural[1]}
          />
        </svg>
      )}
    </span>
  );
}
