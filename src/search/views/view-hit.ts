import type { ViewedKind } from '../query/likeness-tables.js';
import type { MatchPosition, ShapeMatch } from '../query/query.js';

/** A file found by its views. */
export interface ViewHit {
  readonly fileId: number;
  readonly uid: string;
  /** 0 to 2; lower is nearer; on the scale of distances of surfaces. */
  readonly score: number;
  /** What was compared: views of a model, or of a page. */
  readonly found: ViewedKind;
  readonly match: Pick<ShapeMatch, 'input' | 'queryShapelet' | 'shapelet'> & {
    /** How the page of the shapelet lies on the query's, where all ink tells it; else the views may. */
    readonly position?: MatchPosition;
  };
}

/** By rising score, ties by UID. Sorts the given list. */
export function byScore(hits: ViewHit[]): ViewHit[] {
  return hits.sort((a, b) => a.score - b.score || (a.uid < b.uid ? -1 : 1));
}
