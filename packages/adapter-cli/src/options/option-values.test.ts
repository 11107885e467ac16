import { describe, expect, it } from '@jest/globals'
import { CairnError } from '@cairn/core'
import { httpAddress } from './option-values.ts'

const read = httpAddress('--base-url')
const failureFor = (text: string): CairnError => {
  try {
    read(text)
  } catch (error) {
    if (CairnError.is(error)) return error
  }
  throw new Error(`${text} was taken`)
}

describe('an address as an option', () => {
  it.each([
    ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
    [' HTTPS://Api.example/V1 ', 'https://Api.example/V1'],
    ['http://[::1]:80', 'http://[::1]:80'],
  ])('takes %s', (text, address) => {
    expect(read(text)).toBe(address)
  })

  it.each(['', 'nope', 'ftp://x', 'http://', 'http://[', 'http://127.0.0.1:99999', 'http://a b', 'localhost:11434'])(
    'is wrong usage where it is none: %j',
    (text) => {
      const { code, message } = failureFor(text)
      expect([code, message]).toEqual([
        'usage',
        `--base-url takes an address such as http://localhost:8080/v1, not '${text}'.`,
      ])
    },
  )

  it.each(['http://user:hunter2@host', 'https://hunter2@host/v1', 'user:hunter2@host', 'http://user:hunter2@ho st'])(
    'never repeats a password: %s',
    (text) => {
      const { code, message } = failureFor(text)
      expect(code).toBe('usage')
      expect(message).not.toContain('hunter2')
    },
  )
})
