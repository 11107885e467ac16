import { describe, expect, it } from '@jest/globals'
import { MATCHES_A_FILE, MOST_MATCHES, createSearchReport, type FoundFile } from './search-report.ts'

const file = (path: string, matches: number): FoundFile => ({
  path,
  lines: Array.from({ length: matches }, (_, index) => ({ number: index + 1, text: 'x', isMatch: true })),
})

describe('a report of a search', () => {
  it('leaves out the file after the one with the last match that is shown', () => {
    const report = createSearchReport()
    const whole = MOST_MATCHES / MATCHES_A_FILE
    for (let index = 0; index < whole; index += 1) report.add(file(`f${index}.ts`, MATCHES_A_FILE))
    expect(report.add(file('last.ts', 2))).toBe(false)
    expect(report.text()).not.toContain('last.ts')
    expect(report.text()).toMatch(
      new RegExp(
        `\\(The first ${MOST_MATCHES} matching lines in ${whole} files; there may be more: narrow the search.\\)$`,
      ),
    )
  })

  it('counts what is there where that is all', () => {
    const report = createSearchReport()
    expect(report.text()).toBe('(No match.)')
    expect([report.add(file('none.ts', 0)), report.add(file('a.ts', 1)), report.add(file('b.ts', 2))]).toEqual([
      true,
      true,
      true,
    ])
    expect(report.text()).toBe('a.ts\n1: x\n\nb.ts\n1: x\n2: x\n(3 matching lines in 2 files.)')
  })
})
