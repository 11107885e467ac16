import { describe, expect, it } from '@jest/globals'
import { policiesIn, positiveNumber, pricesIn } from './replay-options.ts'

describe('--prices', () => {
  it('takes four numbers or a name', () => {
    expect(pricesIn('3, 15,3.75,.3')).toEqual({ input: 3, output: 15, write: 3.75, read: 0.3 })
    expect(pricesIn('gpt-5')).toEqual({ model: 'gpt-5' })
    expect(pricesIn('o3')).toEqual({ model: 'o3' })
  })

  it('takes - or 0 for no cache price', () => {
    expect(pricesIn('3,15,-,0.3')).toEqual({ input: 3, output: 15, write: undefined, read: 0.3 })
    expect(pricesIn('3,15,0,0')).toEqual({ input: 3, output: 15, write: undefined, read: undefined })
  })

  it.each([
    '',
    '3',
    '-',
    '3,15',
    '3,15,3.75',
    '3,15,3.75,0.3,1',
    '-3,15,3.75,0.3',
    '3,-,3.75,0.3',
    'a,b,c,d',
    '3,15,1e3,0.3',
    '3,15,,0.3',
    'NaN,1,1,1',
  ])("refuses '%s'", (text) => {
    expect(() => pricesIn(text)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: expect.stringMatching(/^--prices takes a model's name or four prices .*$/),
      }),
    )
  })
})

describe('--policy', () => {
  it('takes names with commas, each once', () => expect(policiesIn('cline, none,cline')).toEqual(['cline', 'none']))

  it('refuses unknown names, and suggests similar ones', () => {
    expect(() => policiesIn('clime')).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: expect.stringMatching(/There is no policy 'clime'; .* Did you mean 'cline'/),
      }),
    )
    expect(() => policiesIn(' , ')).toThrow(/--policy takes none, cline, clio, cache-aware/)
  })
})

describe('--chars-per-token', () => {
  it.each(['0', '-1', 'many', '1e1', ''])("refuses '%s'", (text) =>
    expect(() => positiveNumber('--chars-per-token')(text)).toThrow(/--chars-per-token takes a number above 0/),
  )
  it('takes a fraction', () => expect(positiveNumber('--chars-per-token')('2.7')).toBe(2.7))
})
