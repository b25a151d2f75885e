import { Notice } from '../common/notice.js';
import { useAction } from '../common/use-loaded.js';
import { sessionMessage, signIn } from '../api/session.js';

/** Asks for e-mail address and password. */
export function SignIn() {
  const { busy, failure, run } = useAction();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    run(() => signIn(String(fields.get('email')), String(fields.get('password'))));
  };
  const message = failure ?? sessionMessage.value;
  return (
    <form class="sign-in panel" onSubmit={submit}>
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
      <button class="primary" type="submit" disabled={busy !== ''}>
        {busy !== '' ? 'Signing in…' : 'Sign in'}
      </button>
      <p class="quiet">
        Whoever runs the server makes accounts. Where it was started with a key, the address with the key needs no
        password.
      </p>
    </form>
  );
}
