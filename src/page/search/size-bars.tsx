import type { WireHit, WireResult } from '../api/endpoints.js';
import { areaText, figure, volumeText } from '../common/figures.js';

const MEASURES = [
  { name: 'Volume', short: 'Vol', of: 'volumeMm3', text: volumeText },
  { name: 'Box', short: 'Box', of: 'bboxVolumeMm3', text: volumeText },
  { name: 'Area', short: 'Area', of: 'surfaceAreaMm2', text: areaText },
] as const;

/** Volume, bounding box and surface area of a hit compared with the query: the bar is the hit, the line the query. */
export function SizeBars({ hit, input }: { readonly hit: WireHit; readonly input: WireResult['inputs'][number] }) {
  return (
    <ul class="bars">
      {MEASURES.map(({ name, short, of, text }) => {
        const own = hit[of],
          asked = input[of];
        if (own === null || asked === null)
          return (
            <li key={of} class="bar quiet">
              <span>{short}</span>
              <span class="bar-none">not known</span>
            </li>
          );
        const most = Math.max(own, asked);
        const change = changeText(own, asked);
        return (
          <li key={of} class="bar" title={`${name}: ${text(own)}, query ${text(asked)}`}>
            <span aria-hidden="true">{short}</span>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect class="bar-own" x="0" y="2" width={(100 * own) / most} height="6" />
              <rect
                class="bar-asked"
                x={Math.max(0, Math.min(98, (100 * asked) / most - 1))}
                y="0"
                width="2"
                height="10"
              />
            </svg>
            <span class="bar-change">
              <span class="hidden">{name} </span>
              {change}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** `=`, `+12 %`, `×3.4`. */
function changeText(own: number, asked: number): string {
  const ratio = own / asked;
  if (!Number.isFinite(ratio)) return '';
  const percent = Math.round(100 * (ratio - 1));
  if (percent === 0)
    return Math.abs(ratio - 1) < 0.0005 ? '=' : `${ratio > 1 ? '+' : '−'}${(100 * Math.abs(ratio - 1)).toFixed(1)} %`;
  if (ratio >= 2) return `×${figure(ratio)}`;
  return ratio > 0.5 ? `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %` : `÷${figure(1 / ratio)}`;
}
