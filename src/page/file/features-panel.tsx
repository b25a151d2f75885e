import { readFeatures, type WireFeature, type WireFeatures, type WireRecord } from '../api/endpoints.js';
import { containedQuery, NOTHING_CONTAINED } from '../common/contained.js';
import { facesText, MOST_FACES } from '../api/face-numbers.js';
import { HREF } from '../common/route.js';
import { useLoaded } from '../common/use-loaded.js';
import { light, litFaces } from '../viewer/selection.js';
import { featureName, featureSizes, partWords } from '../common/feature-words.js';

/** Loads what a machinist would name of a part; null of assemblies and of files that are no models. */
export function useFeatures({ uid, kind, state }: WireRecord) {
  const isModel = kind === 'ThreeD' && state === 'indexed';
  return useLoaded((signal) => (isModel ? readFeatures(uid, signal) : undefined), [uid, isModel]);
}

/** The features of a part. The viewer lights the faces of the selected one; a link finds parts that hold it. */
export function FeaturesPanel({ uid, found }: { readonly uid: string; readonly found: WireFeatures }) {
  const { features } = found;
  return (
    <>
      <p class="quiet">
        {partWords(found)}.{' '}
        {features === null
          ? 'The surface is open and does not say which side is out, so holes cannot be told from pins.'
          : features.length === 0
            ? 'No holes, pockets or other features were found.'
            : 'Select one to see its faces.'}
      </p>
      {features !== null && features.length > 0 && (
        <ul class="features" aria-label="Features">
          {features.map((feature, i) => (
            <li key={i}>
              <FeatureRow uid={uid} feature={feature} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function FeatureRow({ uid, feature }: { readonly uid: string; readonly feature: WireFeature }) {
  const name = featureName(feature);
  const faces = feature.faces.filter((face) => face >= 0);
  const words = (
    <>
      <span class="spot-name">{name}</span>
      <span class="quiet">{featureSizes(feature)}</span>
    </>
  );
  if (faces.length === 0) return <div class="spot-row">{words}</div>;
  const lit = litFaces.value?.uid === uid ? litFaces.value.faces : [];
  const isLit = lit.length > 0 && facesText(lit) === facesText(faces);
  const href = HREF.search(containedQuery({ ...NOTHING_CONTAINED, uid, faces: faces.slice(0, MOST_FACES) }));
  return (
    <>
      <button
        type="button"
        class="spot-row"
        aria-pressed={isLit}
        onClick={() => light({ uid, faces: isLit ? [] : faces, how: 'shown' })}
      >
        {words}
      </button>
      <a class="feature-find" href={href} aria-label={`Find parts with this: ${name}, ${featureSizes(feature)}`}>
        Find parts with this
      </a>
    </>
  );
}
