import { describe, expect, it } from '@jest/globals'
import { CairnError } from '@cairn/core'
import { closeMatches } from './options/close-matches.ts'
import { Interrupted, exitCodeOf, failureOf, sentenceOf } from './runtime/failure.ts'
import { amountInUsd, oneOf, timeRange, wholeNumber } from './options/option-values.ts'
import { splitArguments } from './program.ts'

describe('splitArguments', () => {
  it('finds the command behind options that every command takes', () => {
    expect(splitArguments(['--store', 'file:a.db', '--json', 'usage', '--by', 'day'])).toEqual({
      name: 'usage',
      rest: ['--store', 'file:a.db', '--json', '--by', 'day'],
    })
  })

  it('has no name when only options are given', () => {
    expect(splitArguments(['--version'])).toEqual({ name: undefined, rest: ['--version'] })
    expect(splitArguments([])).toEqual({ name: undefined, rest: [] })
  })
})

describe('closeMatches', () => {
  const known = ['import', 'usage', 'session', 'recall', 'dashboard', 'doctor']

  it.each([
    ['usgae', ['usage']],
    ['sessions', ['session']],
    ['dash', ['dashboard']],
    ['xyzzy', []],
  ])('of %s are %j', (word, matches) => {
    expect(closeMatches(word, known)).toEqual(matches)
  })
})

describe('option values', () => {
  it('reads whole numbers, amounts and words', () => {
    expect(wholeNumber('--limit', 1)('20')).toBe(20)
    expect(amountInUsd('--max-cost')('$0.50')).toBe(0.5)
    expect(oneOf('--by', ['day', 'week'])('week')).toBe('week')
  })

  it.each(['0', '-1', '1.5', '1e3', '', 'ten'])('refuses %j as a number of at least 1', (text) => {
    expect(() => wholeNumber('--limit', 1)(text)).toThrow(/--limit takes a whole number/)
  })

  it('says of a number that is too large how large one may be', () => {
    expect(wholeNumber('--limit', 1)('999999999999999')).toBe(999_999_999_999_999)
    for (const text of ['1000000000000000', '9'.repeat(20), '9'.repeat(400)])
      expect(() => wholeNumber('--limit', 1)(text)).toThrow(/takes a whole number up to 999,999,999,999,999, not '/)
  })

  it.each(['', '-5', 'NaN', 'Infinity', '1e9', '0x10', '5 USD'])('refuses %j as an amount', (text) => {
    expect(() => amountInUsd('--max-cost')(text)).toThrow(/--max-cost takes an amount in USD/)
  })

  it('refuses a range that ends before it begins', () => {
    expect(() => timeRange({ since: '2026-02-01', until: '2026-01-01' }, 'UTC', 0)).toThrow(/is not before/)
  })
})

describe('exit codes', () => {
  it.each([
    [new CairnError('usage', 'x'), 2],
    [new CairnError('unsupported', 'x'), 2],
    [new CairnError('ambiguous', 'x'), 2],
    [new CairnError('budget-exceeded', 'x'), 3],
    [new CairnError('sequence-conflict', 'x'), 3],
    [new CairnError('file-conflict', 'x'), 3],
    [new CairnError('storage-newer', 'x'), 1],
    [new CairnError('not-found', 'x'), 1],
    [new Interrupted('x'), 130],
    [new TypeError('x'), 1],
  ])('of %s is %i', (error, code) => {
    expect(exitCodeOf(error)).toBe(code)
  })

  it('come with one sentence, without a stack trace', () => {
    expect(sentenceOf(new CairnError('not-found', 'No session "a\nb" is stored; list them.'))).toBe(
      'No session "a b" is stored; list them.',
    )
    expect(sentenceOf(new TypeError('a\n    at b'))).toBe('That was not expected: a (CAIRN_DEBUG=1 shows where).')
    expect(failureOf(new CairnError('usage', 'Wrong.'))).toEqual({ error: { code: 'usage', message: 'Wrong.' } })
  })
})
