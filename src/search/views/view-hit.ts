import type { ViewedKind } from '../query/likeness-tables.js';
import type { SamePart } from '../query/match-class.js';
import type { MatchPosition, ShapeMatch } from '../query/query.js';

/** A file found by its views. */
export interface ViewHit {
  readonly fileId: number;
  readonly uid: string;
  /** 0 to 2; lower is nearer; on the scale of distances of surfaces. Below 0: the same part as an input. */
  readonly score: number;
  /** Its nearest input is a model, to which its surface was compared: what it is to that. */
  readonly surface?: SamePart | { readonly matchClass: 'similar' };
  /** What was compared: views of a model, or of a page. */
  readonly found: Exclude<ViewedKind, 'photo'>;
  readonly match: Pick<ShapeMatch, 'input' | 'queryShapelet' | 'shapelet'> & {
    /** How the page of the shapelet lies on the query's, where all ink tells it; else the views may. */
    readonly position?: MatchPosition;
  };
}

/** By rising score, ties by UID. Sorts the given list. */
export function byScore(hits: ViewHit[]): ViewHit[] {
  return hits.sort((a, b) => a.score - b.score || (a.uid < b.uid ? -1 : 1));
}
