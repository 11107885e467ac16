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
const LENGTH = 100_000
/** Generous for a slow machine: a tenth of a megabyte takes some 10 ms, and with the square of its length many seconds. */
const LIMIT_MS = 1_500

describe('redaction', () => {
  it.each(PIECES)('reads much of %j in a moment', (piece) => {
    const random = randomText(3)
    const tail = random.of(URL_SAFE, 40)
    for (const text of [piece.repeat(LENGTH / piece.length), `${piece}a1`.repeat(LENGTH / (piece.length + 2)) + tail]) {
      const before = process.cpuUsage()
      redact(text)
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(LIMIT_MS)
    }
  })

  it('changes nothing in what it has redacted, and keeps JSON valid', () => {
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
