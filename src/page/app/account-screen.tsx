import { useState } from 'preact/hooks';
import { changePassword } from '../api/endpoints.js';
import { hasPassword, signedInAs } from '../api/session.js';
import { Failure, Notice } from '../common/notice.js';
import { Keys } from './keys.js';
import { SignIns } from './sign-ins.js';
import { useAction } from '../common/use-loaded.js';

/** The server gets digests alone, so that the length can be checked here only. */
const LEAST_CHARACTERS = 8;

/** Lets the user change the own password. With the key of a local server there is none. */
export function AccountScreen() {
  const { busy, failure, run } = useAction();
  const [isChanged, setChanged] = useState(false);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const [current, next, again] = ['current', 'next', 'again'].map((name) => String(new FormData(form).get(name)));
    setChanged(false);
    run(async () => {
      if (next !== again) throw new Error('The new password is not the same in both fields.');
      await changePassword(current, next);
      form.reset();
      setChanged(true);
    });
  };
  if (signedInAs.value === '')
    return (
      <div class="panel">
        <h1>Account</h1>
        <p>You signed in with a key, which has no password.</p>
      </div>
    );
  if (!hasPassword.value)
    return (
      <>
        <div class="sign-in panel">
          <h1>Account</h1>
          <p>{signedInAs.value} signs in by the identity provider, and has no password here.</p>
        </div>
        <SignIns />
        <Keys />
      </>
    );
  return (
    <>
      <form class="sign-in panel" onSubmit={submit}>
        <h1>Change password</h1>
        <Failure of={failure} />
        {isChanged && <Notice kind="info">Your password is changed. Your other sign-ins have ended.</Notice>}
        <input hidden type="email" autocomplete="username" value={signedInAs.value} readOnly />
        <label>
          Current password
          <input name="current" type="password" autocomplete="current-password" required />
        </label>
        <label>
          New password
          <input name="next" type="password" autocomplete="new-password" minLength={LEAST_CHARACTERS} required />
        </label>
        <label>
          New password again
          <input name="again" type="password" autocomplete="new-password" required />
        </label>
        <button class="primary" type="submit" disabled={busy !== ''}>
          {busy !== '' ? 'Changing…' : 'Change password'}
        </button>
        <p class="quiet">
          At least {LEAST_CHARACTERS} characters; not a common password, nor a name of yours or your company.
        </p>
      </form>
      <SignIns />
      <Keys />
    </>
  );
}
