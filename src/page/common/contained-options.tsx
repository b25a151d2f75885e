import { lengthText } from './figures.js';
import type { Contained } from './contained.js';

/** Tolerances that can be chosen, mm. */
const TOLERANCES = ['0.01', '0.05', '0.1', '0.5', '1', '5'] as const;

interface ContainedOptionsProps {
  readonly of: Pick<Contained, 'sizes' | 'tolerance'>;
  readonly onChange: (changes: Partial<Contained>) => void;
}

/** How a shape is looked for inside others: its size, and by how much faces may be apart. */
export function ContainedOptions({ of: { sizes, tolerance }, onChange }: ContainedOptionsProps) {
  const known = TOLERANCES.some((one) => one === tolerance) || tolerance === '';
  return (
    <>
      <label class="inline">
        Size{' '}
        <select
          value={sizes}
          onChange={({ currentTarget: { value } }) => onChange({ sizes: value === 'any' ? 'any' : 'exact' })}
        >
          <option value="exact">the same</option>
          <option value="any">any</option>
        </select>
      </label>
      {sizes === 'exact' && (
        <label class="inline">
          Tolerance{' '}
          <select value={tolerance} onChange={({ currentTarget: { value } }) => onChange({ tolerance: value })}>
            <option value="">by its size</option>
            {!known && <option value={tolerance}>{lengthText(Number(tolerance))}</option>}
            {TOLERANCES.map((one) => (
              <option key={one} value={one}>
                {lengthText(Number(one))}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}
