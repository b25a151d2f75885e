import { useEffect, useState } from 'preact/hooks';
import { FileButton } from '../common/file-button.js';
import type { SearchState } from './search-state.js';

interface QueryFormProps {
  readonly search: SearchState;
  readonly onWords: (text: string) => void;
  readonly onFiles: (files: readonly File[]) => void;
}

/** The field for words and the button to select files. */
export function QueryForm({ search, onWords, onFiles }: QueryFormProps) {
  const [text, setText] = useState(search.text);
  useEffect(() => setText(search.text), [search.text]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onWords(text.trim());
  };
  return (
    <search>
      <form class="query-form" onSubmit={submit}>
        <label class="hidden" for="words">
          Words or an attribute
        </label>
        <input
          id="words"
          type="search"
          value={text}
          placeholder="Words, &quot;a phrase&quot;, prefix* or Material=steel"
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button class="primary" type="submit">
          Search
        </button>
        <FileButton onFiles={onFiles}>Search with files…</FileButton>
      </form>
    </search>
  );
}
