import { useEffect, useState } from 'preact/hooks';
import { listCategories, type WireResult } from '../api/endpoints.js';
import { count, figure, unitText } from '../common/figures.js';
import { plainValue, readUnit, readValue, writtenValue } from '../common/in-units.js';
import { KIND_NAMES, KINDS } from '../common/kind-icon.js';
import { useLoaded } from '../common/use-loaded.js';
import { mayDelete } from '../api/session.js';
import { lazily } from '../common/lazily.js';
import { isNumeric, loadAttributeOrder, OF_PROGRAMS, placeOf } from './attribute-order.js';
import type { FoundPages } from './found-pages.js';
import { TOLERANCES, type ChosenRange, type ChosenValue, type SearchState } from './search-state.js';

const FilterOrder = lazily(async () => (await import('./filter-order.js')).FilterOrder);

interface FacetsProps {
  readonly search: SearchState;
  readonly found: FoundPages;
  readonly onChange: (changes: Partial<SearchState>) => void;
}

type Change = FacetsProps['onChange'];

/** From this width of the window the filters stand beside the hits, as `search.css` has it; below it above them. */
const BESIDE_PX = 900;

/** Filters of the search, with the number of files that each choice would leave. */
export function Facets({ search, found, onChange }: FacetsProps) {
  const { first } = found.state.value;
  const chosen =
    search.kinds.length +
    search.categories.length +
    search.attributes.length +
    search.ranges.length +
    [search.volume, search.box, search.area].filter((tolerance) => tolerance !== '').length;
  // The facets of the previous search stay until the new ones arrive, so that nothing jumps.
  const [facets, setFacets] = useState(first?.facets);
  useEffect(() => {
    if (first !== undefined) setFacets(first.facets);
  }, [first]);
  // Sizes of whole files say nothing of a shape inside them.
  const hasSizes =
    search.contained.uid === '' &&
    (first?.inputs.some(({ volumeMm3 }) => volumeMm3 !== null) === true ||
      search.volume + search.box + search.area !== '');
  const [open, setOpen] = useState(() => innerWidth >= BESIDE_PX);
  // In a window that was narrowed, or on a tablet that was turned, the hits would stand below all filters.
  useEffect(() => {
    const beside = matchMedia(`(min-width: ${BESIDE_PX}px)`);
    const follow = (): void => setOpen(beside.matches);
    beside.addEventListener('change', follow);
    return () => beside.removeEventListener('change', follow);
  }, []);
  return (
    <details class="facets" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Filters{chosen > 0 && ` (${chosen})`}</summary>
      {chosen > 0 && (
        <button
          type="button"
          class="plain"
          onClick={() =>
            onChange({ kinds: [], categories: [], attributes: [], ranges: [], volume: '', box: '', area: '' })
          }
        >
          Clear filters
        </button>
      )}
      <Kinds search={search} facets={facets} onChange={onChange} />
      {hasSizes && <Sizes search={search} onChange={onChange} />}
      <Categories search={search} facets={facets} onChange={onChange} />
      <Attributes search={search} facets={facets} onChange={onChange} />
    </details>
  );
}

interface PartProps {
  readonly search: SearchState;
  readonly facets: WireResult['facets'];
  readonly onChange: Change;
}

function Kinds({ search: { kinds }, facets, onChange }: PartProps) {
  return (
    <fieldset>
      <legend>Kind</legend>
      {KINDS.map((kind) => {
        const files = facets?.kinds[kind];
        const checked = kinds.includes(kind);
        return (
          <Choice
            key={kind}
            name={KIND_NAMES[kind].many}
            files={kinds.length > 0 && !checked ? undefined : files}
            checked={checked}
            disabled={files === 0 && kinds.length === 0}
            onChange={() => onChange({ kinds: checked ? kinds.filter((other) => other !== kind) : [...kinds, kind] })}
          />
        );
      })}
    </fieldset>
  );
}

const MEASURES = [
  { key: 'volume', name: 'Volume' },
  { key: 'box', name: 'Bounding box' },
  { key: 'area', name: 'Surface area' },
] as const;

function Sizes({ search, onChange }: Omit<PartProps, 'facets'>) {
  return (
    <fieldset>
      <legend>Size of models</legend>
      {MEASURES.map(({ key, name }) => (
        <label key={key} class="tolerance">
          {name}
          <select value={search[key]} onChange={(event) => onChange({ [key]: event.currentTarget.value })}>
            {TOLERANCES.map((tolerance) => (
              <option key={tolerance} value={tolerance}>
                {tolerance === '' ? 'any' : `± ${100 * Number(tolerance)} %`}
              </option>
            ))}
          </select>
        </label>
      ))}
      <Choice
        name="Order by shape only"
        checked={search.ignoreSize}
        onChange={() => onChange({ ignoreSize: !search.ignoreSize })}
      />
    </fieldset>
  );
}

function Categories({ search: { categories }, facets, onChange }: PartProps) {
  const counted = facets?.categories ?? [];
  const used = counted.some(({ categoryId }) => categoryId !== null) || categories.length > 0;
  // Without names the ids are shown.
  const { value: known = [] } = useLoaded((signal) => (used ? listCategories(signal) : undefined), [used]);
  if (!used) return null;
  const ids = [...new Set([...counted.map(({ categoryId }) => categoryId), ...categories])];
  return (
    <fieldset>
      <legend>Category</legend>
      {ids.map((id) => {
        const checked = categories.includes(id);
        return (
          <Choice
            key={id}
            name={id === null ? 'None' : (known.find((category) => category.id === id)?.name ?? `Category ${id}`)}
            files={counted.find(({ categoryId }) => categoryId === id)?.count ?? 0}
            checked={checked}
            onChange={() =>
              onChange({ categories: checked ? categories.filter((other) => other !== id) : [...categories, id] })
            }
          />
        );
      })}
    </fieldset>
  );
}

type Named = Pick<ChosenValue, 'name' | 'unit'>;

function Attributes({ search: { attributes, ranges }, facets, onChange }: PartProps) {
  const counted = facets?.attributes ?? [];
  const isOf =
    ({ name, unit }: Named) =>
    (other: Named): boolean =>
      name === other.name && unit === other.unit;
  // Chosen values stay listed even if the result has no such attribute.
  const missing = [...attributes, ...ranges].filter((chosen) => !counted.some(isOf(chosen)));
  const choose = (facet: Named, value: string | undefined): void => {
    const others = attributes.filter((one) => !isOf(facet)(one));
    onChange({ attributes: value === undefined ? others : [...others, { name: facet.name, unit: facet.unit, value }] });
  };
  const bound = (range: ChosenRange): void => {
    const others = ranges.filter((one) => !isOf(range)(one));
    onChange({ ranges: range.least + range.most === '' ? others : [...others, range] });
  };
  const chosenNames = new Set([...attributes, ...ranges].map(({ name }) => name));
  const isOfProgram = ({ name }: Named): boolean => OF_PROGRAMS.has(name) && !chosenNames.has(name);
  const all = [...missing.map(({ name, unit }) => ({ name, unit, values: [], range: undefined })), ...counted];
  const first = all.filter((facet) => !isOfProgram(facet)).sort((a, b) => placeOf(a) - placeOf(b));
  const last = all.filter(isOfProgram);
  const [isOrdering, setOrdering] = useState(false);
  useEffect(loadAttributeOrder, []);
  const show = (shownFacets: typeof all) =>
    shownFacets.map((facet) => {
      const { name, unit } = facet;
      const read = readUnit(unit);
      // A few numbers are in their order, and between two of them too.
      const numbers = isNumeric(facet.values)
        ? [...facet.values].sort((a, b) => Number(a.value) - Number(b.value))
        : [];
      const values = numbers.length > 0 ? numbers : facet.values;
      const range =
        numbers.length > 1 ? { least: Number(numbers[0].value), most: Number(numbers.at(-1)?.value) } : facet.range;
      const chosen = attributes.find(isOf(facet)),
        bounds = ranges.find(isOf(facet));
      // Only one value of an attribute can be chosen: a file seldom has two.
      const shown =
        chosen === undefined
          ? values
          : [
              {
                value: chosen.value,
                count: values.find(({ value }) => value.toLowerCase() === chosen.value.toLowerCase())?.count ?? 0,
              },
            ];
      return (
        <fieldset key={`${name}(${unit})`}>
          <legend>
            {name}
            {unit !== '' && ` (${unitText(read.unit)})`}
          </legend>
          {(range !== undefined || bounds !== undefined) && (
            <RangeChoice range={range} chosen={bounds ?? { name, unit, least: '', most: '' }} onChange={bound} />
          )}
          {shown.map(({ value, count: files }) => (
            <Choice
              key={value}
              name={readValue(value, read)}
              files={files}
              checked={chosen !== undefined}
              onChange={() => choose(facet, chosen === undefined ? value : undefined)}
            />
          ))}
        </fieldset>
      );
    });
  return (
    <>
      {show(first)}
      {first.length > 1 && mayDelete.value && (
        <button type="button" class="plain" onClick={() => setOrdering(true)}>
          Order of these filters…
        </button>
      )}
      {isOrdering && (
        <FilterOrder names={[...new Set(first.map(({ name }) => name))]} onClose={() => setOrdering(false)} />
      )}
      {last.length > 0 && (
        <details class="facets-last">
          <summary>What programs wrote ({last.length})</summary>
          {show(last)}
        </details>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly files?: number;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: () => void;
}

function Choice({ name, files, checked, disabled, onChange }: ChoiceProps) {
  return (
    <label class="choice">
      <input type="checkbox" checked={checked} disabled={disabled} onChange={onChange} />
      <span class="choice-name" title={name}>
        {name}
      </span>
      {files !== undefined && <span class="number quiet">{count(files)}</span>}
    </label>
  );
}

interface RangeChoiceProps {
  /** Range of the values in the result; undefined until it is known. */
  readonly range: { readonly least: number; readonly most: number } | undefined;
  readonly chosen: ChosenRange;
  readonly onChange: (range: ChosenRange) => void;
}

/** Bounds on a numeric attribute, applied when a field loses the focus or Enter is pressed. */
function RangeChoice({ range, chosen, onChange }: RangeChoiceProps) {
  const { name, unit } = chosen;
  const read = readUnit(unit);
  // What is being typed stays when results arrive meanwhile and this is drawn again.
  const [typed, setTyped] = useState<{ readonly end: 'least' | 'most'; readonly value: string }>();
  const field = (end: 'least' | 'most', word: string) => (
    <input
      type="number"
      step="any"
      value={typed?.end === end ? typed.value : plainValue(chosen[end], read)}
      onInput={({ currentTarget: { value } }) => setTyped({ end, value })}
      placeholder={range === undefined ? '' : figure(range[end] * read.factor)}
      aria-label={`${name}${unit === '' ? '' : ` in ${read.unit}`}, ${word}`}
      onChange={({ currentTarget: { value } }) => {
        setTyped(undefined);
        if (value !== plainValue(chosen[end], read)) onChange({ ...chosen, [end]: writtenValue(value, read) });
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
