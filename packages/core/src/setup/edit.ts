/** A change of a text: what stands between two offsets is replaced. */

export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** An edit that can be undone later, when offsets have moved: what came, and what stood there before. */
export interface Splice {
  readonly text: string
  readonly was: string
}

/** The text with the edit made; offsets (UTF-16 units) are those of the text before it. */
export const applyEdit = (text: string, { start, end, text: added }: Edit): string =>
  text.slice(0, start) + added + text.slice(end)

/** The record of an edit, by which it can be undone later: what it puts in, and what stood there in `text` before. */
export const spliceOf = (text: string, { start, end, text: added }: Edit): Splice => ({
  text: added,
  was: text.slice(start, end),
})

/**
 * The text as it was before the splices, which are undone in reverse. Undefined where one of them is not found, or
 * could be
 * at two offsets: then somebody changed what was put in. The text itself without splices.
 */
export const undoSplices = (text: string, splices: readonly Splice[]): string | undefined => {
  let result = text
  for (const { text: added, was } of splices.toReversed()) {
    const start = result.indexOf(added)
    if (added === '' || start === -1 || result.includes(added, start + 1)) return undefined
    result = result.slice(0, start) + was + result.slice(start + added.length)
  }
  return result
}

/**
 * Those of the splices, from the first on, that lead to the text: the last ones may have been noted and never made. All
 * of
 * them where that can't be told, as somebody has changed the text since. Empty only without splices.
 */
export const madeSplices = (text: string, splices: readonly Splice[]): readonly Splice[] => {
  for (let count = splices.length; count > 0; count -= 1) {
    const made = splices.slice(0, count)
    if (undoSplices(text, made) !== undefined) return made
  }
  return splices
}

/** The first line break of a text, `\n` or `\r\n`; `\n` where there is none. */
export const lineBreakOf = (text: string): string => /\r?\n/.exec(text)?.[0] ?? '\n'
