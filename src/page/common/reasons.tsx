import type { WireHit } from '../api/endpoints.js';
import { sentenceInUnits } from './in-units.js';

/** Why a file was found: what both have in common, and what differs. Nothing where the engine names no reason. */
export function Reasons({ of: { because } }: { readonly of: Pick<WireHit, 'because'> }) {
  if (because.length === 0) return null;
  return (
    <ul class="reasons" aria-label="Why it is similar">
      {because.map(({ code, text }) => (
        <li key={code + text}>{sentenceInUnits(text)}</li>
      ))}
    </ul>
  );
}
