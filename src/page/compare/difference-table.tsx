import { readFeatures, type WireRecord } from '../api/endpoints.js';
import { useLoaded } from '../common/use-loaded.js';
import { labelOf, readAttribute } from '../common/attribute-text.js';
import { featureChanges } from './feature-changes.js';
import { Table } from './table.js';

interface OfBoth {
  readonly records: readonly [WireRecord, WireRecord];
}

/** Which features only one of two parts has, or has more of; nothing where one has none that are known. */
export function FeatureDifferences({ records: [first, second] }: OfBoth) {
  const { value } = useLoaded(
    async (signal) => Promise.all([readFeatures(first.uid, signal), readFeatures(second.uid, signal)]),
    [first.uid, second.uid],
  );
  const [a, b] = value ?? [];
  if (!a?.features || !b?.features || a.features.length + b.features.length === 0) return null;
  const { rows, same } = featureChanges(a.features, b.features);
  return (
    <section class="compare-figures" aria-labelledby="features-heading">
      <h2 id="features-heading">Features</h2>
      <p>
        {rows.length === 0
          ? 'Both have the same holes, pockets and other features, in kind, number and size.'
          : same === 0
            ? 'These differ.'
            : `${same} ${same === 1 ? 'is' : 'are'} the same in both; these differ.`}
      </p>
      {rows.length > 0 && (
        <Table
          label="Features that differ"
          head={['Change', 'Feature', first.displayName, second.displayName]}
          rows={rows}
          texts={3}
        />
      )}
    </section>
  );
}

/** Attributes, given or read from the file, whose values differ; nothing where all agree. */
export function AttributeDifferences({ records: [first, second] }: OfBoth) {
  const [a, b] = [valuesOf(first), valuesOf(second)];
  const rows = [...new Set([...a.keys(), ...b.keys()])]
    .map((label) => [label, a.get(label) ?? '–', b.get(label) ?? '–'] as const)
    .filter(([, one, other]) => one !== other)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  if (rows.length === 0) return null;
  return (
    <section class="compare-figures" aria-labelledby="attributes-heading">
      <h2 id="attributes-heading">Attributes that differ</h2>
      <Table
        label="Attributes that differ"
        head={['Attribute', first.displayName, second.displayName]}
        rows={rows}
        texts={2}
      />
    </section>
  );
}

/** Values by name and unit. What a user gave takes precedence over what was read. */
function valuesOf({ attributes, extractedAttributes }: WireRecord): Map<string, string> {
  return new Map(
    [...extractedAttributes, ...attributes].map((text) => {
      const attribute = readAttribute(text);
      return [labelOf(attribute), attribute.values.join(', ')];
    }),
  );
}
