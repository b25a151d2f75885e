import { useState } from 'preact/hooks';
import { addKey, listKeys, removeKey, type WireKey } from '../api/endpoints.js';
import { hasPassword } from '../api/session.js';
import { momentText } from '../common/figures.js';
import { Failure, Notice } from '../common/notice.js';
import { useAction, useLoaded } from '../common/use-loaded.js';

/** Lives of a key that can be chosen, days; '' for no end. */
const LIVES = [
  { days: '30', name: '30 days' },
  { days: '365', name: 'a year' },
  { days: '', name: 'without end' },
] as const;

/** The keys that programs of the user send instead of a password: makes, lists and withdraws them. */
export function Keys() {
  const { value: keys = [], failure, reload } = useLoaded(listKeys, []);
  const { busy, failure: failed, run } = useAction();
  const [made, setMade] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const [name, days, password] = ['name', 'days', 'password'].map((field) => String(new FormData(form).get(field)));
    setMade('');
    run(async () => {
      const { key } = await addKey(name, days, hasPassword.value ? password : undefined);
      form.reset();
      setMade(key);
      await reload();
    });
  };
  const withdraw = (id: string): void =>
    run(async () => {
      await removeKey(id);
      await reload();
    });
  return (
    <section class="sign-in panel" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys for programs</h2>
      <p>A program sends a key instead of your password, and may do what you may do.</p>
      <Failure of={failure ?? failed} />
      {made !== '' && (
        <Notice kind="info">
          Your new key, shown this once: <code class="key-text">{made}</code>
        </Notice>
      )}
      {keys.length > 0 && (
        <ul class="keys">
          {keys.map((key) => (
            <KeyRow key={key.id} of={key} isBusy={busy !== ''} onWithdraw={() => withdraw(key.id)} />
          ))}
        </ul>
      )}
      <form class="keys-form" aria-label="New key" onSubmit={submit}>
        <label>
          What it is for
          <input name="name" required maxLength={100} autocomplete="off" />
        </label>
        <label>
          It is good for
          <select name="days" class="wide">
            {LIVES.map(({ days, name }) => (
              <option key={days} value={days}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {hasPassword.value ? (
          <label>
            Your password
            <input name="password" type="password" autocomplete="current-password" required />
          </label>
        ) : (
          <p class="quiet">Within ten minutes of signing in; later sign out and in again first.</p>
        )}
        <button type="submit" disabled={busy !== ''}>
          Make a key
        </button>
      </form>
    </section>
  );
}

interface KeyRowProps {
  readonly of: WireKey;
  readonly isBusy: boolean;
  readonly onWithdraw: () => void;
}

function KeyRow({ of: { name, expiresAt, usedAt }, isBusy, onWithdraw }: KeyRowProps) {
  const ends = expiresAt === null ? 'does not end' : `ends ${momentText(expiresAt)}`;
  const used = usedAt === null ? 'not used yet' : `used ${momentText(usedAt)}`;
  return (
    <li>
      <span class="key-name">
        <strong>{name}</strong>
        <span class="quiet">
          {ends}; {used}
        </span>
      </span>
      <button type="button" disabled={isBusy} aria-label={`Withdraw ${name}`} onClick={onWithdraw}>
        Withdraw
      </button>
    </li>
  );
}
