import { useEffect, useState } from 'preact/hooks';
import type { Plane } from 'three';
import { growLit } from './pick-bar.js';
import { faceUnder, facesInBox, type PickBox } from './pick-faces.js';
import { light, litFaces } from './selection.js';
import type { ShownModel } from './shown-model.js';
import type { Stage } from './stage.js';

interface PickingParts {
  readonly uid: string;
  readonly stage: Stage | undefined;
  readonly model: ShownModel;
  /** The section plane, if there is one. */
  readonly plane: () => Plane | undefined;
  /** Whether a drag draws a box. */
  readonly byBox: boolean;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Picks faces of a model: one, one with its tangent faces, or those in a box. */
export function usePicking({ uid, stage, model, plane, byBox }: PickingParts) {
  const [adds, setAdds] = useState(false);
  const [hiddenToo, setHiddenToo] = useState(false);
  const [drag, setDrag] = useState<{ readonly from: Place; readonly to: Place } | undefined>(undefined);
  useEffect(() => {
    if (stage === undefined) return undefined;
    stage.turns = !byBox;
    if (!byBox) setDrag(undefined);
    return () => {
      stage.turns = true;
    };
  }, [stage, byBox]);
  const picked = (): readonly number[] => (litFaces.peek()?.uid === uid ? (litFaces.peek()?.faces ?? []) : []);
  const set = (faces: readonly number[]): void => light({ uid, faces, how: 'picked' });
  const box = drag && boxOf(drag.from, drag.to);
  return {
    adds,
    setAdds,
    hiddenToo,
    setHiddenToo,
    box,
    /** Picks the face at a place, or with `more` adds it, or takes it away if it is picked. */
    one(place: Place, more: boolean): void {
      const face = stage && faceUnder(stage, model, plane(), place);
      const before = more || adds ? picked() : [];
      if (face === undefined || face < 0) {
        if (!more && !adds) set([]);
      } else set(before.includes(face) ? before.filter((other) => other !== face) : [...before, face]);
    },
    /** Adds the face at a place with all that run smoothly into it. */
    grow(place: Place): void {
      const face = stage && faceUnder(stage, model, plane(), place);
      if (face !== undefined && face >= 0) void growLit(uid, face);
    },
    startBox: (place: Place): void => setDrag({ from: place, to: place }),
    moveBox: (place: Place): void => setDrag((before) => before && { ...before, to: place }),
    /** Picks what is in the box, or with `more` adds it. */
    endBox(more: boolean): void {
      if (stage !== undefined && box !== undefined) {
        const found = facesInBox(stage, model, plane(), { box, hiddenToo });
        set(more || adds ? [...new Set([...picked(), ...found])] : found);
      }
      setDrag(undefined);
    },
    dropBox: (): void => setDrag(undefined),
  };
}

function boxOf(from: Place, to: Place): PickBox {
  return {
    left: Math.min(from.x, to.x),
    top: Math.min(from.y, to.y),
    width: Math.abs(to.x - from.x),
    height: Math.abs(to.y - from.y),
  };
}
