import { useId, useState } from 'preact/hooks';
import type { WireRecord } from '../api/endpoints.js';
import { labelOf, readAttribute } from '../common/attribute-text.js';
import { densityFigure, densityText, densityUnit, massText, unitText } from '../common/figures.js';
import { attributeInUnits } from '../common/in-units.js';
import { densityOf, materialOf, MATERIALS } from './densities.js';

/** What the list of materials holds besides them: the density that the file tells, and one that is typed. */
const OF_FILE = 'file';
const OWN = 'own';

/** The mass of a part: of its volume and the density of its material, which can be chosen. */
export function Mass({ record }: { readonly record: WireRecord }) {
  const { volumeMm3 } = record;
  const told = toldOf(record);
  const [chosen, setChoice] = useState('');
  const choice = chosen !== '' ? chosen : told === undefined ? '' : OF_FILE;
  const [own, setOwn] = useState<OwnDensity>({ text: '', unit: 'g/cm3' });
  const id = useId();
  if (volumeMm3 === null) return null;
  const density =
    choice === OF_FILE
      ? told?.density
      : choice === OWN
        ? densityOf(own.text, own.unit)
        : MATERIALS.find(({ name }) => name === choice)?.density;
  return (
    <section class="mass" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Mass</h2>
      <p class="mass-line">
        <output class="mass-figure" for={id}>
          {density === undefined ? '–' : massText((volumeMm3 / 1000) * density)}
        </output>
        <select
          id={id}
          aria-label="Material or density"
          value={choice}
          onChange={({ currentTarget }) => setChoice(currentTarget.value)}
        >
          {told === undefined ? (
            <option value="">of which material?</option>
          ) : (
            <option value={OF_FILE} key={OF_FILE}>
              {told.name}, {densityText(told.density)}
            </option>
          )}
          {MATERIALS.map(({ name, density: each }) => (
            <option key={name} value={name}>
              {name}, {densityText(each)}
            </option>
          ))}
          <option value={OWN}>another density…</option>
        </select>
        {choice === OWN && (
          <label class="mass-own">
            <input
              type="text"
              inputMode="decimal"
              size={6}
              value={shownIn(densityUnit(), own)}
              aria-label={`Density in ${unitText(densityUnit())}`}
              onInput={({ currentTarget }) => setOwn({ text: currentTarget.value, unit: densityUnit() })}
            />{' '}
            {unitText(densityUnit())}
          </label>
        )}
      </p>
      {told?.stated !== undefined && <p class="quiet">The file says {told.stated}.</p>}
    </section>
  );
}

/** A density as it was typed. */
interface OwnDensity {
  readonly text: string;
  readonly unit: ReturnType<typeof densityUnit>;
}

/** A typed density in another unit; as it was typed in its own. */
function shownIn(unit: OwnDensity['unit'], { text, unit: typedIn }: OwnDensity): string {
  const density = unit === typedIn ? undefined : densityOf(text, typedIn);
  return density === undefined ? text : densityFigure(density);
}

interface Told {
  readonly name: string;
  readonly density: number;
  /** The mass that an attribute gives, in the user's unit. */
  readonly stated?: string;
}

/** What the attributes of a file say of its material; what a user gave precedes what was read. */
function toldOf({ attributes, extractedAttributes }: WireRecord): Told | undefined {
  const all = [...attributes, ...extractedAttributes].map(readAttribute);
  const named = (name: string) => all.find((attribute) => attribute.name.toLowerCase() === name);
  const massGiven = named('mass') ?? named('weight');
  const mass = massGiven && attributeInUnits(massGiven);
  const stated = mass && `${mass.values.join(', ')}${mass.unit === '' ? '' : ` ${mass.unit}`}`;
  const given = named('density');
  const density = given && densityOf(given.values[0] ?? '', given.unit);
  if (given !== undefined && density !== undefined)
    return { name: labelOf({ name: given.name, unit: '' }), density, stated };
  const material = named('material')
    ?.values.map((text) => ({ text, of: materialOf(text) }))
    .find(({ of }) => of);
  return material?.of && { name: material.text, density: material.of.density, stated };
}
