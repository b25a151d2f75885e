import type { WireHit } from '../api/endpoints.js';
import { sentenceInUnits } from './in-units.js';

interface ReasonsProps {
  readonly of: Pick<WireHit, 'because'>;
  /** Shows the first of them alone; all are in the title then. */
  readonly most?: number;
}

/** Why a file was found: what both have in common, and what differs. Nothing where the engine names no reason. */
export function Reasons({ of: { because }, most }: ReasonsProps) {
  const texts = because.map(({ text }) => sentenceInUnits(text));
  if (texts.length === 0) return null;
  return (
    <ul class="reasons" title={most === undefined ? undefined : texts.join('\n')} aria-label="Why it is similar">
      {texts.slice(0, most).map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
