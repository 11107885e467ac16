/** An edit of a text: replaces the text between two offsets. */

export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** An edit that can be undone after offsets have moved: the inserted text, and the text it replaced. */
export interface Splice {
  readonly text: string
  readonly was: string
}

/** Applies the edit; offsets (UTF-16 units) refer to the given text. */
export const applyEdit = (text: string, { start, end, text: added }: Edit): string =>
  text.slice(0, start) + added + text.slice(end)

/** The record of an edit by which it can be undone later: what it inserts, and what it replaces in `text`. */
export const spliceOf = (text: string, { start, end, text: added }: Edit): Splice => ({
  text: added,
  was: text.slice(start, end),
})

/**
 * Undoes the splices in reverse order and returns the earlier text. Undefined if one of them is not found, or could be
 * at two offsets: then someone changed the inserted text. Without splices, the text itself.
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
 * The splices, from the first on, that lead to the text: the last ones may have been recorded but never applied. All of
 * them if that can't be determined because someone has changed the text since. Empty only without splices.
 */
export const madeSplices = (text: string, splices: readonly Splice[]): readonly Splice[] => {
  for (let count = splices.length; count > 0; count -= 1) {
    const made = splices.slice(0, count)
    if (undoSplices(text, made) !== undefined) return made
  }
  return splices
}

/** The first line break of a text, `\n` or `\r\n`; `\n` if there is none. */
export const lineBreakOf = (text: string): string => /\r?\n/.exec(text)?.[0] ?? '\n'
