import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * What passwords that please a rule are made of. As they are and begun with a capital, with each of {@link ENDINGS}
 * behind them, these are some 37,000. Of the 3,000 commonest of a published list that have eight characters or more
 * they are 171: these stand in a table of their own.
 */
const WORDS = `
  password passwort passw0rd p@ssword p@ssw0rd pa55word pa$$word pass kennwort motdepasse contraseña senha wachtwoord
  admin administrator adminadmin root toor guest user login default changeme letmein welcome willkommen bienvenue hello
  secret master access test testtest testing temp temppass demo sample system server database backup office company
  qwerty qwertz azerty qwertyuiop qwertzuiop azertyuiop asdfgh asdfghjkl asdfasdf zxcvbn zxcvbnm yxcvbnm qazwsx qazwsxedc
  1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz@wsx zaq12wsx q1w2e3r4 q1w2e3r4t5 qwer asdf zxcv qweasd qweasdzxc a1b2c3 a1b2c3d4
  abc abcd abcdef abcdefg abcdefgh aaaa aaaaaa aaaaaaaa aa xxx iloveyou iloveu loveyou loveme lovely princess sunshine
  football baseball basketball hockey soccer tennis golfer superman batman spiderman starwars pokemon matrix naruto
  michael michelle jennifer jessica jordan daniel charlie thomas andrew robert matthew joshua ashley amanda nicole hannah
  anthony william george maria andrea martin stefan sabine peter julia dragon monkey shadow tiger tigger lion falcon eagle
  dolphin butterfly chocolate cookie coffee cheese banana orange summer winter spring autumn sommer january february march
  april august september october november december monday friday sunday computer internet google samsung apple windows
  microsoft linux android facebook youtube iphone nokia mercedes porsche ferrari mustang corvette harley yamaha honda
  freedom forever whatever trustno trustme nothing killer ninja hunter ranger buster maggie ginger pepper snoopy purple
  silver golden diamond london berlin paris newyork chicago america germany france england family mother father baby
  angel jesus blessed heaven god money power happy lucky love star crystal flower blink cowboys yankees lakers steelers
  liverpool chelsea arsenal barcelona juventus bayern engineer engineering drawing design solid solidworks autocad catia
  inventor machine cad model part parts search shapedex`
  .trim()
  .split(/\s+/);

const ENDINGS = `
  0 1 2 3 4 5 6 7 8 9 00 01 02 07 10 11 12 13 21 22 23 42 69 77 88 99 007 100 101 111 123 321 666 777 1234 12345 123456
  12345678 123456789 1111 0000 4321 ! !! 1! 12! 123! !1 !123 @1 @123 #1 $ . ? * _1 -1
  2015 2016 2017 2018 2019 2020 2021 2022 2023 2024 2025 2026 2027 2028`
  .trim()
  .split(/\s+/);

/** Rows of digits, runs and their repetitions. */
const DIGITS = `
  12345678 123456789 1234567890 12345678910 0123456789 01234567 87654321 987654321 0987654321 9876543210 11223344
  1122334455 112233445566 12341234 12344321 123123123 123321123 121212 12121212 123454321 1234554321 147258369 159753
  159357 147852369 741852963 789456123 456789 13579 24681012 102030 10203040 1020304050 00000000 11111111 22222222 33333333
  44444444 55555555 66666666 77777777 88888888 99999999 0000000000 1111111111 112233 123123 654321 aa123456 access14 31415926 314159265 27182818 1234abcd abcd1234
  1234qwer qwer1234 123qwe 123qweasd 123abc 12qwaszx 123456a 1234567a 12345678a 123456789a a12345678 a123456789`
  .trim()
  .split(/\s+/);

/** Each word as it is and begun with a capital, alone and with each ending. */
export function* variantsOf(words: Iterable<string>): Generator<string> {
  for (const word of words)
    for (const form of new Set([word, word.charAt(0).toUpperCase() + word.slice(1)])) {
      yield form;
      for (const ending of ENDINGS) yield form + ending;
    }
}

/** Words with endings, and rows of digits; some of them twice. */
function* madePasswords(): Generator<string> {
  yield* DIGITS;
  for (let run = 4; run <= 10; run++) yield '1234567890'.slice(0, run);
  for (let repeated = 0; repeated <= 9; repeated++) yield String(repeated).repeat(6);
  yield* variantsOf(WORDS);
}

/** Bytes that the table keeps of each digest: two passwords in a billion are refused without need. */
const KEPT_BYTES = 5;

let made: ReadonlySet<string> | undefined;
let listed: Buffer | undefined;

/**
 * Whether this is the SHA-1 (20 bytes) of a common password: one of the 10,000 commonest of a published list that have
 * eight characters or more (`src/tables/README.md`), or a common word or row of digits with an ending. What is compared
 * with is read and computed when a password is chosen for the first time.
 */
export function isCommonPassword(digest: Uint8Array): boolean {
  made ??= new Set(Array.from(madePasswords(), (text) => createHash('sha1').update(text).digest('base64')));
  return made.has(Buffer.from(digest).toString('base64')) || isListed(digest);
}

function isListed(digest: Uint8Array): boolean {
  listed ??= readFileSync(new URL('../tables/common-passwords.bin', import.meta.url));
  if (listed.length === 0 || listed.length % KEPT_BYTES !== 0)
    throw new Error(
      `common-passwords.bin must hold ${KEPT_BYTES} bytes for each password, found ${listed.length} in all`,
    );
  let [low, high] = [0, listed.length / KEPT_BYTES];
  while (low < high) {
    const middle = (low + high) >> 1;
    const kept = listed.subarray(middle * KEPT_BYTES, (middle + 1) * KEPT_BYTES);
    const order = kept.compare(digest, 0, KEPT_BYTES);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}
