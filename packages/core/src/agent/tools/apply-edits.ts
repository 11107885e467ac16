/**
 * Replaces exact texts in a file's text, all or none. Everything else stays byte for byte: line endings, whitespace,
 * marks.
 */
import { plainText, withLineEnds, type PlainText } from './line-ends.ts'
import { missMessage } from './miss-message.ts'

export interface TextEdit {
  readonly oldText: string
  readonly newText: string
  /** Replaces every occurrence; otherwise there must be exactly one. */
  readonly replaceAll: boolean
}

/** The new text and the number of replacements, or a message for the model that says why nothing was replaced. */
export type EditResult = { readonly text: string; readonly replaced: number } | { readonly problem: string }

/** Maximum number of matches whose line numbers are listed. */
const MATCHES_TOLD = 10

/**
 * Applies edits in order, each to the result of the previous one. If one fails, none is applied, and the result is
 * `{problem}`, a text for the model. Lines may end with `\n` or `\r\n` in file and edits alike. `path` names the file
 * in messages. Pure.
 */
export const applyEdits = (original: string, edits: readonly TextEdit[], path: string): EditResult => {
  let [text, replaced] = [original, 0]
  for (const [index, edit] of edits.entries()) {
    const result = applyEdit(text, edit, path)
    if ('problem' in result) {
      const which = edits.length > 1 ? `Edit ${index + 1} of ${edits.length} failed, so none was made. ` : ''
      return { problem: which + result.problem }
    }
    text = result.text
    replaced += result.replaced
  }
  return { text, replaced }
}

/**
 * Replaces one text in a file, or every occurrence with `replaceAll`; matches despite Windows line ends and keeps
 * those. A text that is empty, equals its replacement, does not occur, or occurs several times without `replaceAll`,
 * comes back as a `problem` for the model.
 */
const applyEdit = (original: string, edit: TextEdit, path: string): EditResult => {
  const [wanted, given] = [edit.oldText.replaceAll('\r\n', '\n'), edit.newText.replaceAll('\r\n', '\n')]
  if (wanted === '')
    return { problem: 'old_text is empty; give the text to replace, or use write_file for a whole file.' }
  if (wanted === given) return { problem: 'old_text and new_text are the same, so nothing would change.' }
  const plain = plainText(original)
  const offsets = occurrences(plain.text, wanted, edit.replaceAll)
  if (offsets.length === 0) return { problem: missMessage(plain.text, wanted, path) }
  if (offsets.length > 1 && !edit.replaceAll) return { problem: manyMessage(plain.text, offsets, path) }
  const pieces: string[] = []
  let done = 0
  for (const offset of offsets) {
    const change = changeAt(original, plain, offset, wanted, given)
    pieces.push(original.slice(done, change.start), change.text)
    done = change.end
  }
  pieces.push(original.slice(done))
  return { text: pieces.join(''), replaced: offsets.length }
}

/**
 * Offsets of a text in another, including overlapping ones unless all are to be replaced. In UTF-16 units, ascending.
 */
const occurrences = (text: string, wanted: string, replaceAll: boolean): readonly number[] => {
  const offsets: number[] = []
  const step = replaceAll ? wanted.length : 1
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + step)) offsets.push(at)
  return offsets
}

/**
 * What to replace for one match: the offsets in the original of the part in which `wanted` and `given` differ, and the
 * text for it, with the line endings used there.
 * @param offset of the match in `plain`, the original with `\n` as line endings
 */
const changeAt = (
  original: string,
  plain: PlainText,
  offset: number,
  wanted: string,
  given: string,
): { readonly start: number; readonly end: number; readonly text: string } => {
  const shorter = Math.min(wanted.length, given.length)
  let before = 0
  while (before < shorter && wanted[before] === given[before]) before += 1
  let after = 0
  while (after < shorter - before && wanted.at(-1 - after) === given.at(-1 - after)) after += 1
  const start = plain.offsetIn(offset + before)
  const end = plain.offsetIn(offset + wanted.length - after)
  const match = original.slice(plain.offsetIn(offset), plain.offsetIn(offset + wanted.length))
  const lineEnd = match.includes('\r\n') ? '\r\n' : match.includes('\n') ? '\n' : plain.lineEnd
  return { start, end, text: withLineEnds(given.slice(before, given.length - after), lineEnd) }
}

/** Tells the model that its text is not unique, with the line numbers of the first `MATCHES_TOLD` occurrences. */
const manyMessage = (text: string, offsets: readonly number[], path: string): string => {
  const lines: number[] = []
  let [line, at] = [1, 0]
  for (const offset of offsets.slice(0, MATCHES_TOLD)) {
    for (let end = text.indexOf('\n', at); end >= 0 && end < offset; end = text.indexOf('\n', at)) {
      line += 1
      at = end + 1
    }
    lines.push(line)
  }
  const more = offsets.length > lines.length ? ', …' : ''
  return `old_text occurs ${offsets.length} times in ${path}, in lines ${lines.join(', ')}${more}. Give more of the lines around the one that you mean, or set replace_all.`
}
