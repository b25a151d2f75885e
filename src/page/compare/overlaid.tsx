import { useEffect, useId, useState } from 'preact/hooks';
import { lengthFigure, lengthText } from '../common/figures.js';
import { units } from '../common/units.js';
import { StageCanvas, ViewButtons } from '../viewer/stage-parts.js';
import { useStage } from '../viewer/use-stage.js';
import { INSIDE_COLORS, OUTSIDE_COLORS, type ShownDeviations, type ShownSurface } from './deviation-surfaces.js';

interface OverlaidProps {
  readonly found: ShownDeviations;
  readonly names: readonly [string, string];
}

/** Smallest deviation that gets the last color, mm: smaller ones come from rounding and from the chords of meshes. */
const LEAST_FULL_MM = 0.01;

/** Two aligned models in one view, one of them colored by its distance from the other. */
export function Overlaid({ found, names }: OverlaidProps) {
  const { surfaces, maxMm, first, second } = found;
  const { canvas, stage } = useStage(surfaces);
  const [shown, setShown] = useState<ShownSurface>(second.maxMm >= first.maxMm ? 'second' : 'first');
  const [withOther, setWithOther] = useState(false);
  const [share, setShare] = useState(1);
  // Equal models: rounding errors must not be colored like deviations.
  const fullMm = Math.max(LEAST_FULL_MM, maxMm * share);
  useEffect(() => {
    surfaces.show(shown, fullMm, withOther);
    stage?.invalidate();
  }, [surfaces, stage, shown, fullMm, withOther]);
  const choices: readonly (readonly [ShownSurface, string])[] = [
    ['first', names[0]],
    ['second', names[1]],
    ['both', 'Both'],
  ];
  return (
    <div class="viewer">
      <div class="viewer-tools">
        <div class="viewer-group" role="group" aria-label="Standard views">
          <ViewButtons onView={(view) => stage?.look(view)} />
        </div>
        <div class="viewer-group" role="group" aria-label="Colored by its distance from the other">
          {choices.map(([which, name]) => (
            <button
              key={which}
              type="button"
              class="compare-name"
              title={name}
              aria-pressed={shown === which}
              onClick={() => setShown(which)}
            >
              {name}
            </button>
          ))}
        </div>
        {shown !== 'both' && (
          <label class="compare-check">
            <input
              type="checkbox"
              checked={withOther}
              onChange={({ currentTarget }) => setWithOther(currentTarget.checked)}
            />{' '}
            Show the other transparent
          </label>
        )}
      </div>
      <StageCanvas canvas={canvas} stage={stage} label={`${names[0]} laid on ${names[1]}`} />
      {shown === 'both' ? (
        <p class="compare-keys">
          <span class="compare-swatch compare-first" /> {names[0]} <span class="compare-swatch compare-second" />{' '}
          {names[1]}
        </p>
      ) : (
        <Legend
          fullMm={fullMm}
          maxMm={maxMm}
          hasSides={(shown === 'first' ? first : second).outsideMm !== null}
          share={share}
          onShare={setShare}
        />
      )}
    </div>
  );
}

interface LegendProps {
  readonly fullMm: number;
  readonly maxMm: number;
  /** Whether deviations inside are distinguished from those outside. */
  readonly hasSides: boolean;
  readonly share: number;
  readonly onShare: (share: number) => void;
}

/** The color scale; its slider makes small deviations visible. */
function Legend({ fullMm, maxMm, hasSides, share, onShare }: LegendProps) {
  const gradient = useId();
  const colors = hasSides ? [...INSIDE_COLORS.slice(1).reverse(), ...OUTSIDE_COLORS] : OUTSIDE_COLORS;
  const ticks = hasSides ? [-1, -0.5, 0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1];
  return (
    <div class="compare-legend" role="group" aria-label="Colors">
      <svg class="compare-scale" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <defs>
          <linearGradient id={gradient}>
            {colors.map((color, i) => (
              <stop key={color} offset={i / (colors.length - 1)} stop-color={color} />
            ))}
          </linearGradient>
        </defs>
        <rect width="100" height="10" fill={`url(#${gradient})`} />
      </svg>
      <div class="compare-ticks">
        {ticks.map((part) => (
          <span key={part}>
            {part === -1 ? 'inside ' : part === 1 && hasSides ? 'outside ' : ''}
            {part === 0
              ? '0'
              : `${hasSides ? (part < 0 ? '\u2212' : '+') : ''}${lengthFigure(Math.abs(part) * fullMm)}`}
            {part === 1 ? ` ${units.value}` : ''}
          </span>
        ))}
      </div>
      {maxMm > LEAST_FULL_MM && (
        <label class="compare-slider">
          Last color from
          <input
            type="range"
            min="0.02"
            max="1"
            step="0.02"
            value={share}
            aria-valuetext={lengthText(fullMm)}
            onInput={({ currentTarget }) => onShare(Number(currentTarget.value))}
          />
          <output class="number">{lengthText(fullMm)}</output>
        </label>
      )}
    </div>
  );
}
