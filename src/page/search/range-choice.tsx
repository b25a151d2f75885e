import { figure } from '../common/figures.js';
import type { ChosenRange } from './search-state.js';

interface RangeChoiceProps {
  /** Range of the values in the result; undefined until it is known. */
  readonly range: { readonly least: number; readonly most: number } | undefined;
  readonly chosen: ChosenRange;
  readonly onChange: (range: ChosenRange) => void;
}

/** Bounds on a numeric attribute, applied when a field loses the focus or Enter is pressed. */
export function RangeChoice({ range, chosen, onChange }: RangeChoiceProps) {
  const { name, unit } = chosen;
  const field = (end: 'least' | 'most', word: string) => (
    <input
      type="number"
      step="any"
      value={chosen[end]}
      placeholder={range === undefined ? '' : figure(range[end])}
      aria-label={`${name}${unit === '' ? '' : ` in ${unit}`}, ${word}`}
      onChange={({ currentTarget: { value } }) => {
        if (value !== chosen[end]) onChange({ ...chosen, [end]: value });
      }}
    />
  );
  return (
    <div class="range">
      {field('least', 'at least')}
      <span aria-hidden="true">to</span>
      {field('most', 'at most')}
    </div>
  );
}
