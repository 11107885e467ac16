/** Where a text shows code: fenced blocks and inline code, by the rules of Markdown. */

/** Character offsets of a part of a text; `end` is behind its last character. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

const OPENING = /^(?:\s{0,3}>)*\s*(?:[-*+]\s+|\d{1,9}[.)]\s+)?(`{3,}(?=[^`]*$)|~{3,})/
const CLOSING = /^(?:\s{0,3}>)*\s*(`{3,}|~{3,})\s*$/

/**
 * Returns the ranges of Markdown code in a text, inline and fenced with its fences, in order. A fence that is not
 * closed extends to the end; a single backtick without a partner is text. Empty for a text without code.
 */
export const codeRanges = (text: string): readonly TextRange[] => {
  const ranges: TextRange[] = []
  let fence: { readonly mark: string; readonly start: number } | undefined
  let paragraph = 0
  let at = 0
  for (const line of text.split('\n')) {
    const next = at + line.length + 1
    if (fence === undefined) {
      const mark = OPENING.exec(line)?.[1]
      if (mark !== undefined) {
        ranges.push(...inlineCode(text, paragraph, at))
        fence = { mark, start: at }
      } else if (line.trim() === '') {
        ranges.push(...inlineCode(text, paragraph, at))
        paragraph = next
      }
    } else if (closes(line, fence.mark)) {
      ranges.push({ start: fence.start, end: next })
      fence = undefined
      paragraph = next
    }
    at = next
  }
  ranges.push(...(fence === undefined ? inlineCode(text, paragraph, text.length) : [{ start: fence.start, end: at }]))
  return ranges
}

/** Whether a line closes a fence: at least as many of the same characters. */
const closes = (line: string, mark: string): boolean => CLOSING.exec(line)?.[1]?.startsWith(mark) === true

/**
 * The inline code of one paragraph (from `from` to before `to`): a run of backticks is closed by the next run of the
 * same length. In order.
 */
const inlineCode = (text: string, from: number, to: number): readonly TextRange[] => {
  const runs = [...text.slice(from, to).matchAll(/`+/g)].map((run) => ({
    start: from + run.index,
    length: run[0].length,
  }))
  const ranges: TextRange[] = []
  /** The runs that are left, by length, each list from its end: every run is looked at once. */
  const later = new Map<number, number[]>()
  for (const [index, { length }] of [...runs.entries()].reverse()) {
    const known = later.get(length)
    if (known === undefined) later.set(length, [index])
    else known.push(index)
  }
  for (let index = 0; index < runs.length; index++) {
    const run = runs[index]
    const waiting = run === undefined ? undefined : later.get(run.length)
    if (run === undefined || waiting === undefined) continue
    while ((waiting.at(-1) ?? Infinity) <= index) waiting.pop()
    const closing = waiting.pop()
    const closed = closing === undefined ? undefined : runs[closing]
    if (closing === undefined || closed === undefined) continue
    ranges.push({ start: run.start, end: closed.start + closed.length })
    index = closing
  }
  return ranges
}
