import { useEffect, useMemo, useState } from 'preact/hooks';
import { readFeatures, type WireRecord } from '../api/endpoints.js';
import { useLoaded } from '../common/use-loaded.js';
import { labelOf, readAttribute } from '../common/attribute-text.js';
import { attributeInUnits } from '../common/in-units.js';
import { namesOf } from '../common/telling-names.js';
import { featureChanges, type FeatureChange } from './feature-changes.js';
import { litChanges } from './lit-changes.js';
import { Table } from './table.js';

interface OfBoth {
  readonly records: readonly [WireRecord, WireRecord];
}

/** Which features only one of two parts has, or has more of; nothing where one has none that are known. */
export function FeatureDifferences({ records }: OfBoth) {
  const [first, second] = records;
  const { value } = useLoaded(
    async (signal) => Promise.all([readFeatures(first.uid, signal), readFeatures(second.uid, signal)]),
    [first.uid, second.uid],
  );
  const changes = useMemo(() => {
    const [a, b] = value ?? [];
    if (!a?.features || !b?.features || a.features.length + b.features.length === 0) return undefined;
    return featureChanges(a.features, b.features);
  }, [value]);
  // Until a row is selected everything that changed is lit.
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const uids = [first.uid, second.uid] as const;
  useEffect(() => {
    litChanges.value = changes && { uids, faces: facesOf(changes.rows, chosen), fades: chosen !== undefined };
    return () => {
      litChanges.value = undefined;
    };
  }, [changes, chosen]);
  if (changes === undefined) return null;
  const { rows, same } = changes;
  return (
    <section class="compare-figures" aria-labelledby="features-heading">
      <h2 id="features-heading">Features</h2>
      <p>
        {rows.length === 0
          ? 'Both have the same holes, pockets and other features, in kind, number and size.'
          : same === 0
            ? 'These differ.'
            : `${same} ${same === 1 ? 'is' : 'are'} the same in both; these differ.`}
        {rows.length > 0 && ' Their faces are lit side by side; select one to see it alone.'}
      </p>
      {rows.length > 0 && (
        <Table
          label="Features that differ"
          head={['Change', 'Feature', ...namesOf(records)]}
          rows={rows.map(({ cells: [change, ...cells] }, i) => [
            <button
              key={i}
              type="button"
              class="plain"
              aria-pressed={chosen === i}
              onClick={() => setChosen(chosen === i ? undefined : i)}
            >
              {change}
            </button>,
            ...cells,
          ])}
          texts={3}
        />
      )}
    </section>
  );
}

/** The faces of one change, or of all. */
function facesOf(rows: readonly FeatureChange[], chosen: number | undefined): FeatureChange['faces'] {
  const shown = chosen === undefined ? rows : rows.slice(chosen, chosen + 1);
  return [shown.flatMap(({ faces }) => faces[0]), shown.flatMap(({ faces }) => faces[1])];
}

/** Attributes, given or read from the file, whose values differ; nothing where all agree. */
export function AttributeDifferences({ records }: OfBoth) {
  const [first, second] = records;
  const [a, b] = [valuesOf(first), valuesOf(second)];
  const rows = [...new Set([...a.keys(), ...b.keys()])]
    .map((label) => [label, a.get(label) ?? '–', b.get(label) ?? '–'] as const)
    .filter(([, one, other]) => one !== other)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  if (rows.length === 0) return null;
  return (
    <section class="compare-figures" aria-labelledby="attributes-heading">
      <h2 id="attributes-heading">Attributes that differ</h2>
      <Table label="Attributes that differ" head={['Attribute', ...namesOf(records)]} rows={rows} texts={2} />
    </section>
  );
}

/** Values by name and unit. What a user gave takes precedence over what was read. */
function valuesOf({ attributes, extractedAttributes }: WireRecord): Map<string, string> {
  return new Map(
    [...extractedAttributes, ...attributes].map((text) => {
      const attribute = attributeInUnits(readAttribute(text));
      return [labelOf(attribute), attribute.values.join(', ')];
    }),
  );
}
