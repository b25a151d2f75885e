import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { SMTPServer } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import { FailureReport, postReport, type ReportedFailure } from '../../dist/cli/failure-report.js';
import { mailReport } from '../../dist/cli/mail-report.js';

interface Posted {
  readonly text: string;
  readonly failures: readonly ReportedFailure[];
  readonly more: number;
}

const posted: Posted[] = [];
const statuses: number[] = [];
const notes: string[] = [];
let server: Server | undefined;

/** A receiver that answers these statuses, then 200; its address. */
async function receiver(...answers: number[]): Promise<string> {
  statuses.splice(0, Infinity, ...answers);
  posted.length = 0;
  notes.length = 0;
  server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      posted.push(JSON.parse(text) as Posted);
      const status = statuses.shift() ?? 200;
      response.writeHead(status, status === 302 ? { Location: '/elsewhere' } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const failure = (n: number): ReportedFailure => ({
  time: new Date(0),
  company: 'acme',
  path: `parts/${n}.step`,
  uid: `uid ${n}`,
  code: 'FILE_MALFORMED',
  message: 'cut off',
});
const note = (text: string): void => void notes.push(text);

test('failures of a while are posted together, for people and for programs', async () => {
  const report = new FailureReport(postReport(await receiver()), note, { gatherMs: 30 });
  for (let n = 0; n < 130; n++) report.add(failure(n));
  await expect.poll(() => posted.length).toBe(1);
  const [{ text, failures, more }] = posted;
  expect([failures.length, more]).toEqual([100, 30]);
  expect(failures[0]).toEqual({ ...failure(0), time: '1970-01-01T00:00:00.000Z' });
  const lines = text.split('\n');
  expect(lines).toHaveLength(12);
  expect(lines[1]).toBe('acme: parts/0.step: FILE_MALFORMED: cut off');
  expect(lines.at(-1)).toBe('and 120 more');
  report.add(failure(200));
  await expect.poll(() => posted.length).toBe(2);
  expect(posted[1].failures.map(({ path }) => path)).toEqual(['parts/200.step']);
  await report.close();
});

test('names of files are no more than text in a chat and in a mail', async () => {
  const report = new FailureReport(postReport(await receiver()), note, { gatherMs: 1 });
  report.add({ ...failure(1), path: '<!channel> @here [all](https://evil.example) \u202egpj.exe\u0007' });
  await report.close();
  const [{ text }] = posted;
  expect(text).not.toMatch(/<!|@here|\]\(|:\/\/|(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
  expect(text.replaceAll('\u2060', '')).toContain('<!channel> @here [all](https://evil.example) \ufffdgpj.exe\ufffd');
});

test('a report that is not taken is sent again, and given up with a warning; a redirect is not followed', async () => {
  const report = new FailureReport(postReport(await receiver(500, 302, 200)), note, {
    gatherMs: 1,
    againMs: [1, 1, 1],
  });
  report.add(failure(1));
  await expect.poll(() => posted.length).toBe(3);
  await report.close();
  expect(notes).toEqual([]);
  server!.close();
  const lost = new FailureReport(postReport(await receiver(500, 500, 500)), note, { gatherMs: 1, againMs: [1, 1] });
  lost.add(failure(1));
  await expect.poll(() => notes).toEqual(['warning: a report of 1 failures was not taken: it answered 500']);
  expect(posted).toHaveLength(3);
  await lost.close();
});

test('what is gathered is sent at the end, without waiting for a receiver that does not take it', async () => {
  const report = new FailureReport(postReport(await receiver(500)), note);
  report.add(failure(1));
  await report.close();
  expect(posted).toHaveLength(1);
  expect(notes).toHaveLength(1);
});

interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
  readonly user: unknown;
}

const mails: Mail[] = [];
const passwords: string[] = [];
let mailServer: SMTPServer | undefined;

/** A mail server that keeps what it gets; its port. isSafe: it offers TLS, with a certificate that nobody knows. */
async function mailbox({ address = '127.0.0.1', isSafe = false, takes = true } = {}): Promise<number> {
  mails.length = 0;
  passwords.length = 0;
  notes.length = 0;
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: isSafe ? [] : ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) => {
      passwords.push(password ?? '');
      if (password === 'pass word') done(null, { user: username ?? undefined });
      else done(new Error(`wrong password ${password}`));
    },
    onData: (stream, { envelope, user }, done) => {
      let text = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      stream.on('end', () => {
        if (!takes) return done(new Error('mailbox full'));
        const { mailFrom, rcptTo } = envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map((one) => one.address ?? ''),
          text,
          user,
        });
        done();
      });
    },
  });
  mailServer.on('error', () => undefined); // Clients that go away in the middle are what some tests are about.
  await new Promise<void>((resolve) => mailServer!.listen(0, address, () => resolve()));
  return (mailServer.server.address() as AddressInfo).port;
}
afterEach(() => new Promise<void>((resolve) => (mailServer === undefined ? resolve() : mailServer.close(resolve))));

test('many failures are one mail, and the next one waits its time', async () => {
  const port = await mailbox();
  const smtp = `smtp://cad%40example.com:pass%20word@127.0.0.1:${port}`;
  const send = await mailReport({ smtp, to: 'ada@example.com, bob@example.com' });
  const report = new FailureReport(send, note, { gatherMs: 20, apartMs: 3_600_000 });
  for (let n = 0; n < 130; n++)
    report.add({ ...failure(n), path: n === 0 ? 'a\r\nBcc: eve@example.com' : `${n}.step` });
  await expect.poll(() => mails.length).toBe(1);
  const [{ from, to, text, user }] = mails;
  expect([from, to, user]).toEqual(['cad@example.com', ['ada@example.com', 'bob@example.com'], 'cad@example.com']);
  expect(text).toMatch(/^Subject: shapedex: 130 files or folders could not be read$/m);
  expect(text).not.toMatch(/^Bcc/m);
  expect(text).toContain('acme: 99.step: FILE_MALFORMED: cut off');
  expect(text).toContain('and 30 more');
  expect(text).not.toContain('pass');
  report.add(failure(200));
  report.add(failure(201));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(mails.length).toBe(1);
  // What waits goes out when the server ends.
  await report.close();
  expect(mails.map((mail) => /could not be read/.test(mail.text))).toEqual([true, true]);
  expect(mails[1].text).toContain('2 files or folders');
  expect(notes).toEqual([]);
});

test('a mail that is not taken is told without the password', async ({ skip }) => {
  const refused = async (smtp: string): Promise<string> => {
    const report = new FailureReport(await mailReport({ smtp, to: 'ada@example.com' }), note, {
      gatherMs: 1,
      againMs: [],
    });
    report.add(failure(1));
    await report.close();
    return notes.splice(0).join();
  };
  const port = await mailbox();
  const wrong = await refused(`smtp://ada:s3cret%2Fword@127.0.0.1:${port}`);
  expect(passwords).toContain('s3cret/word');
  expect(wrong).toMatch(/a report of 1 failures was not taken: .*wrong password …/);
  expect(wrong).not.toContain('s3cret');
  mailServer!.close();
  expect(await refused(`smtp://127.0.0.1:${await mailbox({ takes: false })}`)).toContain('mailbox full');
  mailServer!.close();
  expect(await refused('smtp://127.0.0.1:9')).toContain('ECONNREFUSED');
  // A certificate that nobody knows, and none at all: no password is given.
  const safe = await refused(`smtp://ada:s3cret@127.0.0.1:${await mailbox({ isSafe: true })}`);
  expect(safe).toMatch(/certificate/);
  expect(passwords).toEqual([]);
  mailServer!.close();
  const outside = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  if (outside === undefined) return skip('this machine has no address but its own: other machines were not tried');
  const open = await mailbox({ address: outside });
  expect(await refused(`smtp://ada:s3cret@${outside}:${open}`)).toMatch(/STARTTLS|TLS/);
  expect(passwords).toEqual([]);
  mailServer!.close();
});

test('settings that make no sense are refused without repeating them', async () => {
  for (const [smtp, to] of [
    ['http://ada:s3cret@mail', 'a@b'],
    ['s3cret', 'a@b'],
    ['smtp://ada:s3cret@mail', 'nobody'],
    ['smtp://ada:s3cret@mail', 'a@b,\nBcc:c@d'],
    ['smtp://ada:s3cret@mail', '%zz'],
    ['smtp://%zz:s3cret@mail', 'a@b'],
  ])
    await expect(mailReport({ smtp, to })).rejects.toThrow(/^(?!.*s3cret).*(--smtp|mailto)/s);
});
