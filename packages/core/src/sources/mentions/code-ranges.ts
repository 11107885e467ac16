/** Where a text shows code: fenced blocks and inline code, by the rules of Markdown. */

/** From the first character to behind the last one. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

const OPENING = /^(?:\s{0,3}>)*\s*(?:[-*+]\s+|\d{1,9}[.)]\s+)?(`{3,}(?=[^`]*$)|~{3,})/
const CLOSING = /^(?:\s{0,3}>)*\s*(`{3,}|~{3,})\s*$/

/** The code in a text, in order. A fence that is not closed lasts to the end; a backtick alone is a character. */
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

const closes = (line: string, mark: string): boolean => CLOSING.exec(line)?.[1]?.startsWith(mark) === true

/** Inline code of a paragraph: it is closed by as many backticks as opened it. */
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
