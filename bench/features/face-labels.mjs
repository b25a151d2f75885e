/** The labels of MFCAD for the faces of a body, by the features that are found. */
import { findFeatures } from '../../dist/descriptors/features/find-features.js';
import { LABELS, STOCK } from './cubes.mjs';

/** @returns {number[]} a label for each face of `body` */
export function labelsOf(body) {
  const labels = body.faces.map(() => STOCK);
  for (const feature of findFeatures(body).features) {
    const label = LABELS.indexOf(nameOf(feature));
    if (label >= 0) for (const face of feature.faces) labels[face] = label;
  }
  return labels;
}

function nameOf({ kind, form, isThrough }) {
  if (kind === 'chamfer') return kind;
  if (form === 'polygonal') return `hexagonal ${kind}`;
  if (isThrough === undefined) return `${form} ${kind}`;
  return `${form} ${isThrough ? 'through' : 'blind'} ${kind}`;
}
