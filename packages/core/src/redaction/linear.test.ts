import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { randomText, URL_SAFE } from '../testing/random-text.ts'
import { KEY_FORMS } from './key-forms.ts'
import { redact } from './redact.ts'

const STARTS = KEY_FORMS.flatMap(({ starts }) => starts)
/** Pieces that begin a match and, repeated, are none: what a pattern that looks back and forth would trip over. */
const PIECES = [
  ...STARTS,
  ...STARTS.map((start) => `"${start}`),
  ...[
    'password=',
    'token=',
    'token:',
    '?token=',
    '&password=',
    'password="',
    '"token":"',
    'api_key = ',
    'Pass=',
    'secret',
  ],
  ...['password=test-test-', 'token=test-test-test-', 'password=test-test-test-test-test-test-test-test-test-1! '],
  ...[
    'password=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx!yzzz1z ',
    'password=aaaaaaaaaaaa/aaaaaaaaaaa1/!b ',
  ],
  ...[
    '--token ',
    '--password a-',
    '--a-b-c-',
    ' --a',
    '-p',
    'curl ',
    'curl -u ',
    ' -u a:',
    ' -u a:b ',
    'bearer ',
    'Bearer a',
  ],
  ...[
    'http://a:',
    'http://',
    '://a',
    'https://0123456789abcdef0123456789abcdef',
    'x:y@',
    'eyJ',
    'eyJa-',
    'eyJaaaaaaaa.',
    '.eyJ',
    '-eyJ',
  ],
  ...['-----BEGIN PRIVATE KEY-----', '-----BEGIN PRIVATE KEY-----\n', '-----BEGIN ', '-----BEGIN A B C '],
  ...[
    'AKIAAAAAAAAAAAAAAAAA ',
    'aws',
    'aws-',
    'aws secret ',
    'secret=aws:',
    'secret=aws:0123456789abcdef0123456789abcdef ',
    'AccountKey=',
    '?sig=',
    '1234567890:AA',
    'Q~',
    '3Q~',
  ],
  ...[
    'Cookie: a=',
    'Cookie: ',
    'cookie: a=b; ',
    'cookie=',
    'Set-Cookie:',
    'sid=1;',
    'authorization: basic ',
    'https://hooks.slack.com/',
  ],
  ...[
    ' -p ',
    ' -p -a',
    'mysql  -p ',
    'redis-cli a ',
    '  =  ',
    'auth  :',
    'cookie a=',
    'machine a.b login ',
    '1//0',
    'ENV A_',
  ],
  ...['REJf', 'REJfUEFTU1dPUkQ9', 'Iy', 'ZXhwb3J0IEFXU19TRUNS', 'REJfUEFTU1dPUkQ9MTIzNDU2Nzg5MDEyMzQ1Ng==\n'],
  ...[
    '\\',
    '\\n',
    '\\"',
    '\\u0026',
    '&amp;',
    '&',
    '=',
    ':',
    '-',
    '_',
    '.',
    '~',
    ' ',
    '%3D',
    'a1',
    '"',
    '[redacted:token]',
  ],
]
/** Characters. With the square of its length, even a text of this size takes many times {@link QUICK_MS}. */
const LENGTH = 32_000
const LONGER = 4
const MEGABYTE = 1_000_000
/** CPU time that no pattern needs for so little text, some 2 ms, on a machine ten times slower. */
const QUICK_MS = 25

/** User and system together: Linux divides a short time between the two by chance. */
const redactionMs = (text: string): number => {
  const before = process.cpuUsage()
  redact(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** How many times as long the text of four times the length takes: 4 where the time grows with the text, 16 with its square. */
const growth = (textOf: (length: number) => string, length = LENGTH, times = 2): number => {
  const least = (length: number): number => {
    const text = textOf(length)
    return Math.min(...Array.from({ length: times }, () => redactionMs(text)))
  }
  return least(length * LONGER) / least(length)
}

describe('redaction', () => {
  it.each(PIECES)('takes time linear in the length of repeated %j', (piece) => {
    const tail = randomText(3).of(URL_SAFE, 40)
    const forms: readonly ((length: number) => string)[] = [
      (length) => piece.repeat(length / piece.length),
      (length) => `${piece}a1`.repeat(length / (piece.length + 2)) + tail,
    ]
    const grows = forms.map((textOf) => (redactionMs(textOf(LENGTH)) > QUICK_MS ? growth(textOf) : LONGER))
    expect(Math.max(...grows)).toBeLessThan(LONGER * 2)
  })

  it.each(['abcdefghijklmnopqrstuvwxyz ', `${'0123456789abcdef'.repeat(4)} `, `${'a/b2c3d4e5f6g7h8i9j0'.repeat(3)}-`])(
    'reads megabytes of %j in a time that grows with them',
    (piece) => {
      expect(growth((length) => piece.repeat(length / piece.length), MEGABYTE, 5)).toBeLessThan(LONGER * 2)
    },
  )

  it('is idempotent, and keeps JSON valid', () => {
    const random = randomText(5)
    const ends = ['', ' ', '\n', ';', '"', "'", ',', '&', '@host/1', '=', '[', ']', '.', '\\', '!9x']
    const filled = fc
      .record({
        piece: fc.constantFrom(...PIECES),
        length: fc.integer({ min: 0, max: 90 }),
        end: fc.constantFrom(...ends),
      })
      .map(({ piece, length, end }) => piece + random.of(URL_SAFE, length) + end)
    fc.assert(
      fc.property(fc.array(fc.oneof(filled, fc.constantFrom(...PIECES), fc.string()), { maxLength: 8 }), (parts) => {
        const text = parts.join('')
        for (const form of [text, JSON.stringify({ text }), JSON.stringify({ a: JSON.stringify({ text }) })]) {
          const once = redact(form).text
          expect(redact(once)).toEqual({ text: once, count: 0 })
          if (form !== text) expect(() => JSON.parse(once) as unknown).not.toThrow()
        }
      }),
      { numRuns: 500, interruptAfterTimeLimit: 20_000 },
    )
  })
})
