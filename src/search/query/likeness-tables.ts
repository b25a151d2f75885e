/**
 * What an input shows: a model, several views, one view, or a photo; `fitted`: a photo over which models were laid;
 * `laid`: a view that was laid over views of models.
 */
export type SeenKind = 'model' | 'views' | 'view' | 'photo' | 'fitted' | 'laid';
/** What is compared with it: the views of a model, of a drawing or picture, or of a photo. */
export type ViewedKind = 'model' | 'page' | 'photo';

/** The score of views at which the likeness is a half, and how fast it falls. */
export interface LikenessCurve {
  readonly half: number;
  readonly power: number;
}

/** Fitted to 440 pairs, of which 20 show the part and 40 others its family. */
const MODEL_FOR_VIEWS: LikenessCurve = Object.freeze({ half: 0.46, power: 2.9 });
/**
 * Fitted to 764 pairs (35 and 68) with half 0.67. Nothing in this score depends on how many files there are, so it was
 * brought from the 13 % of family in that set to the 2.6 % of the set of `LIKENESS_OF_SHAPES`. 12,012 pairs of another
 * seed and today's ranking give 0.518 and 6.54 in the same way.
 */
const PAGE_FOR_MODEL: LikenessCurve = Object.freeze({ half: 0.52, power: 6.5 });
/**
 * Of stored photos for a model: perspective and light keep a photo of the part farther from its views than any drawing.
 * Fitted to 2 304 pairs of 48 models and 48 photos made by code, of seed 811 (48 of the part, 48 of its family; half
 * 0.75), and brought from 3.8 to 2.6 % in the same way.
 */
const PHOTO_FOR_MODEL: LikenessCurve = Object.freeze({ half: 0.73, power: 13.5 });
/**
 * Of what a model in its best pose leaves unexplained of a photo, over a power of what a plain part leaves
 * (`PhotoSearch`). Not brought to another share of family, since only models that are like the photo are laid.
 */
const MODEL_FITTED: LikenessCurve = Object.freeze({ half: 0.7, power: 5.1 });
/** Fitted to 33 pairs of drawings with one view (1 and 4); of 660 pairs of others (17 and 63) the fit is flatter. */
const PAGE_FOR_VIEWS: LikenessCurve = Object.freeze({ half: 0.17, power: 1.7 });

/**
 * Of the distance of lines that is left after laying, over a power of that which is left on a plain outline
 * (`DrawnFit.told`). Fitted to the 48 nearest of 270 models for each of 51 sketches made by code.
 */
const MODEL_LAID_ON: LikenessCurve = Object.freeze({ half: 0.507, power: 4.85 });

/**
 * Of 1.1 minus the share of the ink of their views that agrees on two pages, times what lengths leave of it. Fitted to
 * 24 scans of sheets made by code, three sizes of 16 parts on four forms (seed 5202), which are pages of other parts on
 * the same form, siblings and the page itself. Seed 5101 and the scans of real pages chose nothing.
 */
export const PAGE_LAID_ON: LikenessCurve = Object.freeze({ half: 0.59, power: 5.45 });

/**
 * Fitted (`npm run bench -- learn/similarity`) to the hits of `npm run bench -- similarity --hits FILE` among 22 parts
 * of 8 families and 35 sheets, all made by code: a small set. Models by views and single views for models had no pairs,
 * or too few, and take the curve of several views.
 */
export const LIKENESS_OF_VIEWS: Readonly<Record<SeenKind, Readonly<Record<ViewedKind, LikenessCurve>>>> = Object.freeze(
  {
    model: { model: MODEL_FOR_VIEWS, page: PAGE_FOR_MODEL, photo: PHOTO_FOR_MODEL },
    views: { model: MODEL_FOR_VIEWS, page: PAGE_FOR_VIEWS, photo: PAGE_FOR_VIEWS },
    view: { model: MODEL_FOR_VIEWS, page: PAGE_FOR_VIEWS, photo: PAGE_FOR_VIEWS },
    photo: { model: MODEL_FOR_VIEWS, page: PAGE_FOR_VIEWS, photo: PAGE_FOR_VIEWS },
    fitted: { model: MODEL_FITTED, page: PAGE_FOR_VIEWS, photo: PAGE_FOR_VIEWS },
    laid: { model: MODEL_LAID_ON, page: PAGE_FOR_VIEWS, photo: PAGE_FOR_VIEWS },
  },
);
