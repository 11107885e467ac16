/**
 * The tags in which Cairn hands records to a model. Content can neither open nor close one of them: it is data,
 * whatever it says.
 */
import { RECORD_TAGS, type RecordTag } from '../user-words/record-tags.ts'

export { RECORD_TAGS, isRecord, type RecordTag } from '../user-words/record-tags.ts'

/** What may stand between the bracket and the tag's name. */
const BEFORE_NAME = /[^\p{L}<>]*/uy
/** What may stand unseen between the letters of a name. */
const UNSEEN = /[\p{Cf}\p{Cc}\p{Mn}]*/uy
const GAP = /[-_\s]/

/** Where a sticky pattern's match ends; the patterns match nothing, too. */
const endOf = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from
  return from + (pattern.exec(text)?.[0].length ?? 0)
}

/** In every form that Unicode takes for the same letter. */
const folded = (letter: string): string => letter.toUpperCase().toLowerCase()

/** Whether one of our tags is spelt from a position on, in any case, with unseen characters within, `_` as any gap. */
const isTagAt = (text: string, start: number): boolean =>
  RECORD_TAGS.some((tag) => {
    let at = start
    for (const [index, letter] of Array.from(tag).entries()) {
      if (index > 0) at = endOf(UNSEEN, text, at)
      const found = text.charAt(at)
      if (letter === '_' ? !GAP.test(found) : folded(found) !== letter) return false
      at += 1
    }
    return true
  })

/**
 * Escapes the opening bracket of every tag that Cairn uses, and nothing else. By hand: one pattern for all tags takes a
 * program's start longer to compile than all else that it does.
 */
export const escapeTags = (text: string): string => {
  if (!text.includes('<')) return text
  return text.replaceAll('<', (bracket, offset: number) =>
    isTagAt(text, endOf(BEFORE_NAME, text, offset + 1)) ? '&lt;' : bracket,
  )
}

/**
 * A body between the opening and the closing tag, on lines of its own. The body must be escaped already ({@link
 * escapeTags}).
 */
export const wrapInTag = (tag: RecordTag, body: string): string => `<${tag}>\n${body}\n</${tag}>`
