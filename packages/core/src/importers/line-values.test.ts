import { describe, expect, it } from '@jest/globals'
import { parseTime } from './line-values.ts'

describe('timeOf', () => {
  it.each([
    ['2026-02-28T10:00:00.000Z', Date.UTC(2026, 1, 28, 10)],
    ['2024-02-29T10:00:00Z', Date.UTC(2024, 1, 29, 10)],
    ['2026-01-31T23:30:00-02:00', Date.UTC(2026, 1, 1, 1, 30)],
    [1_755_099_880, 1_755_099_880_000],
    [1_757_743_904_297, 1_757_743_904_297],
    ['2026-02-30T10:00:00Z', null],
    ['2026-02-29T10:00:00Z', null],
    ['2026-13-01T10:00:00Z', null],
    ['+012026-01-01T00:00:00Z', null],
    [8.64e15, null],
    [Number.NaN, null],
    [-5, null],
    ['', null],
    ['yesterday', null],
    [null, null],
  ])('%j', (value, expected) => {
    expect(parseTime(value)).toBe(expected)
  })
})
