import { choose, chosenFiles, type ChosenFile } from './chosen-files.js';

/** A box that chooses a file for an action on several. */
export function ChooseBox({ file }: { readonly file: ChosenFile }) {
  return (
    <label class="choose">
      <span class="hidden">Choose {file.name}</span>
      <input
        type="checkbox"
        checked={chosenFiles.value.has(file.uid)}
        onChange={({ currentTarget }) => choose(file, currentTarget.checked)}
      />
    </label>
  );
}
