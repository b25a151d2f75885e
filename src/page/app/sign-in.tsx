import { askSignInWays } from '../api/endpoints.js';
import { sessionMessage, signIn } from '../api/session.js';
import { Notice } from '../common/notice.js';
import { useAction, useLoaded } from '../common/use-loaded.js';
import { goToProvider, isComingBack } from './provider-sign-in.js';

/** Asks for e-mail address and password, or leads to the identity provider. */
export function SignIn() {
  const { busy, failure, run } = useAction();
  const { value: ways } = useLoaded(askSignInWays, []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    run(() => signIn(String(fields.get('email')), String(fields.get('password'))), 'password');
  };
  const message = failure ?? sessionMessage.value;
  if (isComingBack.value)
    return (
      <div class="sign-in panel">
        <h1>Sign in</h1>
        <p role="status">Signing in…</p>
      </div>
    );
  return (
    <form class="sign-in panel" onSubmit={submit}>
      <h1>Sign in</h1>
      {message !== '' && <Notice kind="error">{message}</Notice>}
      {ways?.openId != null && (
        <button class="primary" type="button" disabled={busy !== ''} onClick={() => run(goToProvider, 'provider')}>
          {busy === 'provider' ? 'Going there…' : `Sign in with ${ways.openId}`}
        </button>
      )}
      {ways?.password !== false && (
        <>
          <label>
            E-mail address
            <input name="email" type="email" autocomplete="username" required />
          </label>
          <label>
            Password
            <input name="password" type="password" autocomplete="current-password" required />
          </label>
          <button class={ways?.openId == null ? 'primary' : ''} type="submit" disabled={busy !== ''}>
            {busy === 'password' ? 'Signing in…' : 'Sign in'}
          </button>
        </>
      )}
      <p class="quiet">
        Whoever runs the server makes accounts. Where it was started with a key, the address with the key needs no
        password.
      </p>
    </form>
  );
}
