import { useState } from 'preact/hooks';
import { messageOf } from '../api/request.js';
import { Notice } from '../common/notice.js';
import { sessionMessage, signIn } from './session.js';

/** Asks for e-mail address and password. */
export function SignIn() {
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setFailure(undefined);
    try {
      await signIn(String(fields.get('email')), String(fields.get('password')));
    } catch (cause) {
      setFailure(cause instanceof TypeError ? 'The server cannot be reached. Is it still running?' : messageOf(cause));
    } finally {
      setBusy(false);
    }
  };
  const message = failure ?? sessionMessage.value;
  return (
    <form class="sign-in panel" onSubmit={(event) => void submit(event)}>
      <h1>Sign in</h1>
      {message !== '' && <Notice kind="error">{message}</Notice>}
      <label>
        E-mail address
        <input name="email" type="email" autocomplete="username" required />
      </label>
      <label>
        Password
        <input name="password" type="password" autocomplete="current-password" required />
      </label>
      <button class="primary" type="submit" disabled={busy}>
        {busy ? 'Signing in…' : 'Sign in'}
      </button>
      <p class="quiet">A server that was started on this machine prints an address that needs no password.</p>
    </form>
  );
}
