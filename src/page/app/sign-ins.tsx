import { useState } from 'preact/hooks';
import { endSignIns, listSignIns } from '../api/endpoints.js';
import { hasPassword } from '../api/session.js';
import { momentText } from '../common/figures.js';
import { Failure, Notice } from '../common/notice.js';
import { useAction, useLoaded } from '../common/use-loaded.js';

/** Where the user is signed in: lists the sign-ins, and ends all but this one. */
export function SignIns() {
  const { value: signIns = [], failure, reload } = useLoaded(listSignIns, []);
  const { busy, failure: failed, run } = useAction();
  const [ended, setEnded] = useState<number | undefined>(undefined);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const password = String(new FormData(form).get('password'));
    setEnded(undefined);
    run(async () => {
      setEnded(await endSignIns(hasPassword.value ? password : undefined));
      form.reset();
      await reload();
    });
  };
  return (
    <section class="sign-in panel" aria-labelledby="sign-ins-title">
      <h2 id="sign-ins-title">Where you are signed in</h2>
      <Failure of={failure ?? failed} />
      {ended !== undefined && (
        <Notice kind="info">
          {ended === 1 ? '1 other sign-in has ended.' : `${ended} other sign-ins have ended.`}
        </Notice>
      )}
      <ul class="keys">
        {signIns.map(({ id, startedAt, endsAt, isCurrent }) => (
          <li key={id}>
            <span class="key-name">
              <strong>{isCurrent ? 'Here' : 'Elsewhere'}</strong>
              <span class="quiet">
                since {momentText(startedAt)}; ends {momentText(endsAt)} if it is not used
              </span>
            </span>
          </li>
        ))}
      </ul>
      {signIns.some(({ isCurrent }) => !isCurrent) && (
        <form class="keys-form" aria-label="End sign-ins" onSubmit={submit}>
          {hasPassword.value ? (
            <label>
              Your password
              <input name="password" type="password" autocomplete="current-password" required />
            </label>
          ) : (
            <p class="quiet">Within ten minutes of signing in; later sign out and in again first.</p>
          )}
          <button type="submit" disabled={busy !== ''}>
            End all others
          </button>
        </form>
      )}
    </section>
  );
}
