import { describe, expect, it } from '@jest/globals'
import { skipText } from './skip-text.ts'

describe('skipText', () => {
  it('names the line, or the first of several', () => {
    expect(skipText({ file: 'a.jsonl', line: 3, reason: 'not valid JSON', count: 1 })).toBe('a.jsonl:3: not valid JSON')
    expect(skipText({ file: 'a.jsonl', line: 119, reason: 'not valid JSON', count: 2 })).toBe(
      'a.jsonl: not valid JSON (from line 119 on, 2 times)',
    )
    expect(skipText({ file: 'a.jsonl', reason: 'empty', count: 2 })).toBe('a.jsonl: empty (2 times)')
  })
})
