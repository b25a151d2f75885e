import { hostname } from 'node:os';
import { loadOptional } from '../optional-package.js';
import { reportText, type SendReport } from './failure-report.js';
import { UsageError } from './exit.js';

/** How reports are mailed. */
export interface MailSettings {
  /** `smtp://user:password@host:587` or `smtps://…:465`. */
  readonly smtp: string;
  /** Addresses, separated by commas. */
  readonly to: string;
  /** Default: the user of `smtp` where that is an address, else `shapedex@` this machine. */
  readonly from?: string;
}

/** Lines of a mail: all failures that a report tells of. */
const MOST_LINES = 100;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/;

/**
 * Sends reports by mail over an SMTP server. A password is only given over TLS (STARTTLS on `smtp:`), or to this
 * machine; it never stands in what this says.
 * @throws UsageError for settings that make no sense; it does not repeat them. EngineError `PACKAGE_MISSING`.
 */
export async function mailReport({ smtp, to, from }: MailSettings): Promise<SendReport> {
  const server = URL.canParse(smtp) ? new URL(smtp) : undefined;
  if (server === undefined || !/^smtps?:$/.test(server.protocol) || server.hostname === '')
    throw new UsageError('--smtp (or SHAPEDEX_SMTP) must be like smtp://user:password@mail.example.com:587');
  const addresses = to.split(',').map((one) => decoded(one, '--report mailto:').trim());
  if (addresses.some((one) => !/^[^\s@,:;"<>]+@[^\s@,:;"<>]+$/.test(one)))
    throw new UsageError('--report mailto: takes addresses separated by commas: mailto:ada@example.com');
  const { createTransport } = await loadOptional(
    'nodemailer',
    'mailing reports (serve --report mailto:)',
    () => import('nodemailer'),
  );
  const isSecure = server.protocol === 'smtps:';
  const [user, pass] = [server.username, server.password].map((one) => decoded(one, '--smtp (or SHAPEDEX_SMTP)'));
  const sender = from ?? (user.includes('@') ? user : `shapedex@${hostname()}`);
  return async (report, timeoutMs) => {
    const transport = createTransport({
      host: server.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: server.port === '' ? (isSecure ? 465 : 587) : Number(server.port),
      secure: isSecure,
      requireTLS: user !== '' && !isSecure && !LOOPBACK.test(server.hostname),
      ...(user === '' ? {} : { auth: { user, pass } }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      const text = reportText(report, MOST_LINES);
      await transport.sendMail({ from: sender, to: addresses, subject: text.split('\n', 1)[0], text });
      return undefined;
    } catch (cause) {
      // A server may repeat what it was sent.
      const secrets = [
        pass,
        Buffer.from(pass).toString('base64'),
        Buffer.from(`\0${user}\0${pass}`).toString('base64'),
      ];
      return secrets
        .filter((one) => one !== '')
        .reduce((said, secret) => said.replaceAll(secret, '…'), (cause as Error).message);
    } finally {
      transport.close();
    }
  };
}

/** What percent-encoding stands for; the text itself is not told, because it may be a password. */
function decoded(text: string, option: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause;
    throw new UsageError(`${option} has a % that is no encoding of a byte: write %25 for a percent sign`);
  }
}
