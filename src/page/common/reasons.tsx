import type { WireHit } from '../api/endpoints.js';
import { sentenceInUnits } from './in-units.js';

interface ReasonsProps {
  readonly of: Pick<WireHit, 'because'>;
  /** In a place too small for all: they can be reached by the keyboard, so that styles show them whole. */
  readonly isShort?: boolean;
}

/** Why a file was found: what both have in common, and what differs. Nothing where the engine names no reason. */
export function Reasons({ of: { because }, isShort = false }: ReasonsProps) {
  const texts = because.map(({ text }) => sentenceInUnits(text));
  if (texts.length === 0) return null;
  return (
    <ul class="reasons" tabIndex={isShort ? 0 : undefined} aria-label="Why it is similar">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
