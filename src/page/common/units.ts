import { signal } from '@preact/signals';

/** Lengths, areas and volumes are shown in millimetres or in inches. */
export type Units = 'mm' | 'in';

const STORED = 'shapedex.units';

/** The user's choice, kept in local storage. What reads it is shown again when it changes. */
export const units = signal<Units>(localStorage.getItem(STORED) === 'in' ? 'in' : 'mm');

/** Sets the units and stores the choice. */
export function chooseUnits(chosen: Units): void {
  units.value = chosen;
  localStorage.setItem(STORED, chosen);
}
