import type { WireRecord } from '../api/endpoints.js';

/** Displayed names of the kinds of files, singular and plural. */
export const KIND_NAMES: Readonly<Record<WireRecord['kind'], { readonly one: string; readonly many: string }>> = {
  ThreeD: { one: 'Model', many: 'Models' },
  TwoD: { one: 'Drawing', many: 'Drawings' },
  Image: { one: 'Image', many: 'Images' },
  Text: { one: 'Document', many: 'Documents' },
};

/** Kinds in the order in which they are shown. */
export const KINDS = ['ThreeD', 'TwoD', 'Image', 'Text'] as const satisfies readonly WireRecord['kind'][];

const PATHS: Readonly<Record<WireRecord['kind'], string>> = {
  ThreeD: 'M12 3 20 7.5v9L12 21 4 16.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
  TwoD: 'M3 5h18v14H3zM13 19v-4h8M7 9h5v5H7z',
  Image: 'M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 6M15.5 9.5h.01',
  Text: 'M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 15h7M9 18h4',
};

/** An icon for a kind of file. It is hidden from screen readers, so the kind must also be given as text. */
export function KindIcon({ kind }: { readonly kind: WireRecord['kind'] }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[kind]} />
    </svg>
  );
}
