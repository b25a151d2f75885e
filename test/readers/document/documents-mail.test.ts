import { describe, expect, test } from 'vitest';
import { attachment, mail } from '../../fixtures/mail-writer.js';
import { docx, paragraph, xlsx } from '../../fixtures/office-writer.js';
import { writeStlBinary } from '../../fixtures/mesh-writers.js';
import { box } from '../../fixtures/shapes.js';
import { codesOf, propertiesOf, readDocument, textsOf } from './document-limits.js';
import { options, text } from '../helpers.js';

// Messages: headers, bodies of all kinds, attachments.

const HEADERS = [
  'Received: from a by b',
  'From: =?utf-8?Q?Zo=C3=AB_M=C3=BCller?= <zoe@example.com>',
  'To: "Max, A." <max@example.com>,\r\n\tb@example.com',
  'Subject: =?UTF-8?B?Rmxhbn?= =?UTF-8?B?Z2UgRE41MA==?= =?iso-8859-1?q?_=D8?=',
  'Date: Fri, 17 May 2024 10:30:00 +0200',
];
const latin1 = (content: string): Uint8Array => Uint8Array.from(Buffer.from(content, 'latin1'));

describe('headers', () => {
  test('are properties', async () => {
    const document = await readDocument(text([...HEADERS, '', 'Hello', ''].join('\r\n')), 'a.eml');
    expect(document).toMatchObject({ format: 'eml', warnings: [] });
    expect(propertiesOf(document)).toEqual({
      Subject: 'Flange DN50 Ø',
      From: 'Zoë Müller <zoe@example.com>',
      To: '"Max, A." <max@example.com>, b@example.com',
      Date: '2024-05-17T08:30:00.000Z',
    });
    expect(textsOf(document)).toEqual(['Hello']);
  });

  test('a letter split between two encoded words', async () => {
    const subject = Buffer.from('日本').toString('base64');
    const [first, second] = [Buffer.from('日本').subarray(0, 4), Buffer.from('日本').subarray(4)].map(
      (half) => `=?utf-8?B?${half.toString('base64')}?=`,
    );
    const document = await readDocument(
      text([`Subject: ${first}\r\n ${second} =?utf-8?B?${subject}?= end`, 'From: a', 'To: b', '', 'x'].join('\r\n')),
      'a.eml',
    );
    expect(propertiesOf(document)['Subject']).toBe('日本日本 end');
  });

  test('an encoded word in Windows-1252, and in a character set by a name that only mail programs use', async () => {
    const document = await readDocument(
      text('Subject: =?windows-1252?q?10=9620?=\nFrom: a\nTo: =?cp932?B?k/qWew==?=\n\nx'),
      'a.eml',
    );
    expect(propertiesOf(document)).toMatchObject({ Subject: '10–20', To: '日本' });
  });

  test('a date without a zone stays as it is', async () => {
    expect(
      propertiesOf(await readDocument(text('From: a\nSubject: b\nDate: Fri, 17 May 2024 10:30:00\n\nx'), 'a.eml'))[
        'Date'
      ],
    ).toBe('Fri, 17 May 2024 10:30:00');
  });
});

describe('bodies', () => {
  const body = async (lines: readonly string[], content: string): Promise<string[]> =>
    textsOf(await readDocument(latin1([...HEADERS, ...lines, '', content].join('\r\n')), 'a.eml'));

  test.each([
    [
      'quoted-printable',
      ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable'],
      'Gr=C3=B6=C3=9Fe =\r\n50=20',
      ['Größe 50'],
    ],
    [
      'base64',
      ['Content-Type: text/plain; charset="UTF-8"', 'Content-Transfer-Encoding: base64'],
      Buffer.from('شمارۀ قطعه 😀').toString('base64').replace(/.{8}/g, '$&\r\n'),
      ['شمارۀ قطعه 😀'],
    ],
    [
      '8 bit in Latin-1',
      ['Content-Type: text/plain; charset=iso-8859-1', 'Content-Transfer-Encoding: 8bit'],
      'Gr\xf6\xdfe',
      ['Größe'],
    ],
    ['ISO-2022-JP', ['Content-Type: text/plain; charset=ISO-2022-JP'], '\x1b$BF|K\\\x1b(B', ['日本']],
    [
      'HTML',
      ['Content-Type: text/html; charset=windows-1251'],
      '<html><style>x</style><p>\xd4\xeb\xe0\xed\xe5\xf6<br>two',
      ['Фланец\ntwo'],
    ],
  ])('%s', async (_what, headers, content, expected) => {
    expect(await body(headers, content)).toEqual(expected);
  });

  test('the plain one of several alternatives is read; attachments of the others are read too', async () => {
    const inner = mail(
      [],
      ['Content-Type: text/html\r\n\r\n<p>html', attachment('notes.txt', 'text/plain', text('attached'))],
      'inner',
    ).replace(/^.*?MIME-Version: 1.0\r\n/s, '');
    const parts = mail(HEADERS, ['Content-Type: text/plain; charset=utf-8\r\n\r\nplain', inner]).replace(
      'multipart/mixed',
      'multipart/alternative',
    );
    const document = await readDocument(text(parts), 'a.eml');
    expect(document.pages).toEqual([
      { number: 1, name: '', text: 'plain' },
      { number: 2, name: 'notes.txt', text: 'attached' },
    ]);
  });

  test('a blank plain form gives way to HTML', async () => {
    const parts = mail(HEADERS, [
      'Content-Type: text/plain\r\n\r\n \r\n',
      'Content-Type: text/html\r\n\r\n<p>html',
    ]).replace('multipart/mixed', 'multipart/alternative');
    expect(textsOf(await readDocument(text(parts), 'a.eml'))).toEqual(['html']);
  });

  test.each([
    'multipart/mixed',
    'multipart/mixed; boundary=""',
    'multipart/alternative; boundary=another',
    'multipart/related; boundary="x"',
  ])('a message of parts whose boundary is not there is read as it is: %s', async (type) => {
    expect(await body([`Content-Type: ${type}`], '--X\r\nAB-123/4 is late')).toEqual([
      expect.stringContaining('AB-123/4 is late'),
    ]);
  });

  test('a forwarded message is part of the text, with its headers', async () => {
    const forwarded =
      'Content-Type: message/rfc822\r\n\r\nFrom: c@example.com\r\nSubject: the ' +
      'first\r\nMIME-Version: 1.0\r\n\r\nolder words';
    expect(textsOf(await readDocument(text(mail(HEADERS, ['\r\nlook', forwarded])), 'a.eml'))).toEqual([
      'look\nSubject: the first\nFrom: c@example.com\nolder words',
    ]);
  });
});

describe('attachments', () => {
  const parts = ['Content-Type: text/plain\r\n\r\nsee attached'];

  test('documents become further pages; models and pictures give a warning', async () => {
    const message = mail(HEADERS, [
      ...parts,
      attachment(
        'Größe.docx'.normalize(),
        'application/octet-stream',
        docx(paragraph('in Word', '<w:r><w:br w:type="page"/></w:r>') + paragraph('page two')),
      ),
      attachment('list.xlsx', 'application/octet-stream', xlsx({ Parts: '<row><c t="str"><v>in Excel</v></c></row>' })),
      attachment('bolt.stl', 'application/octet-stream', writeStlBinary(box(1, 2, 3))),
      attachment('broken.docx', 'application/octet-stream', docx('').subarray(0, 100)),
    ]);
    const document = await readDocument(text(message), 'a.eml');
    expect(document.pages.map(({ name, text: words }) => [name, words.split('\n')[0]])).toEqual([
      ['', 'see attached'],
      ['Größe.docx', 'in Word'],
      ['Größe.docx', 'page two'],
      ['list.xlsx: Parts', 'in Excel'],
    ]);
    expect(codesOf(document)).toEqual(['CONTENT_SKIPPED']);
    expect(document.warnings[0].message).toContain('2 attachments');
  });

  test.each([
    ["filename*=utf-8''Gr%C3%B6%C3%9Fe.txt"],
    ["filename*0*=utf-8''Gr%C3%B6; filename*1*=%C3%9Fe; filename*2=.txt"],
    ['filename="=?utf-8?q?Gr=C3=B6=C3=9Fe=2Etxt?="'],
  ])('names: %s', async (parameter) => {
    const document = await readDocument(
      text(mail(HEADERS, [...parts, `Content-Disposition: attachment; ${parameter}\r\n\r\nwords`])),
      'a.eml',
    );
    expect(document.pages[1]).toEqual({ number: 2, name: 'Größe.txt', text: 'words' });
  });

  test('their pages count against the limits of the whole', async () => {
    const message = text(
      mail(HEADERS, [
        ...parts,
        ...Array.from({ length: 9 }, (_, i) => attachment(`${i}.txt`, 'text/plain', text('0123456789'))),
      ]),
    );
    const few = await readDocument(message, 'a.eml', options({ pages: 3 }));
    expect([few.pages.length, codesOf(few)]).toEqual([3, ['CONTENT_SKIPPED']]);
    const short = await readDocument(message, 'a.eml', options({ textCharacters: 35 }));
    expect([short.pages.length, codesOf(short)]).toEqual([3, ['CONTENT_SKIPPED']]);
    await expect(readDocument(message, 'a.eml', options({ archiveEntries: 5 }))).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'archiveEntries' },
    });
  });

  test('messages in messages in messages end at the depth', async () => {
    let message = mail(HEADERS, parts);
    for (let i = 0; i < 12; i++)
      message = mail(HEADERS, [attachment('inner.eml', 'application/octet-stream', text(message))]);
    expect((await readDocument(text(message), 'a.eml')).pages.at(-1)?.text).toBe('see attached');
    await expect(readDocument(text(message), 'a.eml', options({ depth: 8 }))).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'depth' },
    });
  });
});
