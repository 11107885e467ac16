/** Searches texts by an expression that may be bad: one that takes too long is stopped, as the runtime can interrupt it. */
import { createContext, Script, type Context } from 'node:vm'
import type { FoundLine } from '../../agent/tools/search-report.ts'
import { codeOf } from '../system-reason.ts'

/** For one batch of texts, which a good expression searches in a hundredth of it. */
const TIME_LIMIT_MS = 2_000
const LONGEST_LINE = 100_000

export interface LineScanner {
  /** The matching lines of a text with those around them, of at most `most` matches; undefined once time was up. */
  scan(texts: readonly string[], most: number): readonly (readonly FoundLine[])[] | undefined
}

/**
 * Finds the lines that match, of each text in turn; `scan` gives undefined where all together take longer than
 * `TIME_LIMIT_MS`. `around`: lines before and after a match that are given, too. The expression must not be global.
 */
export const createLineScanner = (expression: RegExp, around: number): LineScanner => {
  const context: Context = createContext({})
  const script = new Script('scan()')
  return {
    /** The lines found in each text, in their order; undefined once all together take too long. */
    scan: (texts, most) => {
      let found: readonly (readonly FoundLine[])[] = []
      context['scan'] = () => {
        found = texts.map((text) => scanText(text, expression, around, most))
      }
      try {
        script.runInContext(context, { timeout: TIME_LIMIT_MS })
        return found
      } catch (error) {
        if (codeOf(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
        throw error
      }
    },
  }
}

/**
 * The first `most` lines that match, with `around` lines before and after each, in order. Only the first `LONGEST_LINE`
 * characters of a line are searched.
 */
const scanText = (text: string, expression: RegExp, around: number, most: number): readonly FoundLine[] => {
  const lines = text.split('\n')
  const columns = new Map<number, number>()
  for (let index = 0; index < lines.length && columns.size < most; index++) {
    const line = lines[index] ?? ''
    if (line === '' && index === lines.length - 1) break
    const column = line.slice(0, LONGEST_LINE).search(expression)
    if (column >= 0) columns.set(index, column)
  }
  const shown = new Set<number>()
  for (const index of columns.keys())
    for (let near = Math.max(0, index - around); near <= Math.min(lines.length - 1, index + around); near++)
      shown.add(near)
  return [...shown].map((index): FoundLine => {
    const column = columns.get(index)
    const line = { number: index + 1, text: lines[index] ?? '' }
    return column === undefined ? { ...line, isMatch: false } : { ...line, isMatch: true, column }
  })
}
