import { useEffect, useState } from 'preact/hooks';
import { pictureAddress, type PictureOptions } from '../api/blobs.js';
import type { WireRecord } from '../api/endpoints.js';
import { KindIcon } from './kind-icon.js';

interface PictureProps extends Pick<PictureOptions, 'size' | 'page' | 'shape' | 'faces'> {
  readonly uid: string;
  /** Kind of the file; its icon is shown if there is no picture. */
  readonly kind: WireRecord['kind'];
  /** Alternative text; '' if the name is given beside the picture. */
  readonly alt: string;
  /** A region to frame, as shares of the picture's width and height. */
  readonly frame?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** Distance between the frame and its region, as a share of the picture. */
const FRAME_ROOM = 0.01;

/** A picture of a file, fetched when it is shown. */
export function Picture({ uid, kind, alt, size, page, shape, faces, frame }: PictureProps) {
  const [address, setAddress] = useState<string | null | undefined>(undefined);
  const [natural, setNatural] = useState<readonly [width: number, height: number] | undefined>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    setAddress(undefined);
    pictureAddress(uid, { size, page, shape, faces, signal: controller.signal }).then(
      (found) => {
        if (!controller.signal.aborted) setAddress(found);
      },
      () => {
        if (!controller.signal.aborted) setAddress(null);
      },
    );
    return () => controller.abort();
  }, [uid, size, page, shape, faces?.join()]);
  const ground = kind === 'ThreeD' ? ' picture-model' : '';
  if (address === null) return <NoPicture kind={kind} ground={ground} />;
  return (
    <span class={`picture${ground}${address === undefined ? ' picture-coming' : ''}`}>
      {address === undefined && <KindIcon kind={kind} />}
      {address !== undefined && (
        <img
          src={address}
          alt={alt}
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setNatural([naturalWidth, naturalHeight])}
        />
      )}
      {frame !== undefined && natural !== undefined && (
        // The viewBox makes the SVG fit its box as `object-fit: contain` fits the picture.
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

function NoPicture({ kind, ground = '' }: Pick<PictureProps, 'kind'> & { readonly ground?: string }) {
  return (
    <span class={`picture picture-none${ground}`}>
      <KindIcon kind={kind} />
    </span>
  );
}

/** The small picture of a file; the icon of its kind until it is indexed. */
export function FilePicture({ of: { uid, kind, state } }: { readonly of: Pick<WireRecord, 'uid' | 'kind' | 'state'> }) {
  return state === 'indexed' ? <Picture uid={uid} kind={kind} alt="" /> : <NoPicture kind={kind} />;
}
