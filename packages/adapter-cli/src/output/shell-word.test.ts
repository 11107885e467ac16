import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { hasUnsafe } from '@cairn/core'
import { HARMLESS_EXAMPLES, UNSAFE_EXAMPLES } from '@cairn/core/testing'
import { shellCommand, shellOption, shellWord } from './shell-word.ts'

describe('values in commands to paste', () => {
  it.each(['0ccf1a04', 'a.b_c/d:e@f%g+h=i,j-k'])('leaves %s plain', (value) => {
    expect(shellWord(value)).toBe(value)
  })

  it.each([
    ['q; touch /tmp/x #A', "'q; touch /tmp/x #A'"],
    ['a;b $(x)', "'a;b $(x)'"],
    ["it's", String.raw`'it'\''s'`],
    ['-rf', "'-rf'"],
    ['=ls', "'=ls'"],
    ['', "''"],
    ['a b', "'a b'"],
    ['#12', "'#12'"],
    ['one\ntwo', String.raw`$'one\ntwo'`],
    ["\u001b[2J'\\", String.raw`$'\u001b[2J\'\\'`],
    ['a\u202eb', String.raw`$'a\u202eb'`],
  ])('quotes %j', (value, expected) => {
    expect(shellWord(value)).toBe(expected)
  })

  it.each(UNSAFE_EXAMPLES)('shows $name', ({ text }) => {
    expect(hasUnsafe(shellWord(`a${text}b`))).toBe(false)
  })

  it.each(HARMLESS_EXAMPLES)('keeps the characters of %s', (text) => {
    expect(shellWord(text)).toContain(text)
  })

  const bash = existsSync('/bin/bash') ? it : it.skip
  bash('gives a shell exactly the value', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0') && value.isWellFormed()),
        (value) => {
          expect(
            execFileSync('/bin/bash', ['-c', `printf %s ${shellWord(value)}`], {
              encoding: 'utf8',
              env: { LC_ALL: 'C.UTF-8' },
            }),
          ).toBe(value)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('never lets a value become an option', () => {
    expect(shellOption('--session', 'abc')).toBe(' --session abc')
    expect(shellOption('--session', '-rf; x')).toBe(" --session='-rf; x'")
    expect(shellCommand('cairn session show', 'a b', ' --full')).toBe("cairn session show 'a b' --full")
    expect(shellCommand('cairn session show', '-rf', ' --full')).toBe("cairn session show --full -- '-rf'")
  })
})
