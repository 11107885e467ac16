import { describe, expect, it } from '@jest/globals'
import { analyseFile, pathTerms } from './file-terms.ts'
import { questionTerms } from './question.ts'
import { textScores } from './text-scores.ts'
import type { RankedFile } from './text-scores.ts'

const fileOf = (path: string, text: string): RankedFile => ({
  path,
  pathTerms: pathTerms(path),
  terms: analyseFile(text),
})

describe('scores by text', () => {
  it('are lower for a file that has only some of the words than the sum of these would be', () => {
    const files = [
      fileOf('one.ts', 'ledger value'),
      fileOf('both.ts', 'ledger invoice'),
      fileOf('none.ts', 'other value'),
    ]
    const { text, idf } = textScores(files, questionTerms('ledger invoice'))
    const share = (idf[0] ?? 0) / ((idf[0] ?? 0) + (idf[1] ?? 0))
    expect((text[0] ?? 0) / (text[1] ?? 1)).toBeCloseTo(share * (0.7 + 0.3 * share), 10)
    expect(text[2]).toBe(0)
  })

  it('are 0 for no words', () => {
    expect([...textScores([fileOf('one.ts', 'ledger')], []).text]).toEqual([0])
  })
})
