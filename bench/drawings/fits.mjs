// Dice for sheets of fits (`pmi --generated --fits`): wherever a size may have a fit, it has one, and most are pairs.
import { Dice } from './styles.mjs';

/** Forms of a size with a fit, as often as they are drawn. */
const FORMS = ['stackedFit', 'stackedFit', 'stackedFit', 'pair', 'pair', 'pair', 'fit', 'fitDeviations', 'none'];

export class FitDice extends Dice {
  oneOf(list) {
    return super.oneOf(list.includes('stackedFit') ? FORMS : list);
  }
}
