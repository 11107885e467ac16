/**
 * Inserts values into a JSON text and removes them, as edits that leave every other character unchanged. New values go
 * last in their container, on separate lines if the container has lines, with the existing indentation.
 */
import { lineBreakOf } from '../edit.ts'
import type { Edit } from '../edit.ts'
import type { JsonValue } from '../../json.ts'
import type { ParsedDocument } from './parse.ts'
import { render, renderMember } from './render.ts'
import type { Layout } from './render.ts'
import { childrenOf } from './tree.ts'
import type { ArrayNode, Comment, Item, JsonNode, ObjectNode } from './tree.ts'

/** A document with its text. */
export interface SpliceInput extends ParsedDocument {
  readonly text: string
}

const USUAL_INDENT = '  '
/** Number of characters examined to determine a text's style. */
const STYLE_SAMPLE = 2_000

/**
 * An edit that appends a member to an object, in the surrounding style; does not check for an existing member with this
 * key.
 */
export const insertMember = (document: SpliceInput, object: ObjectNode, key: string, value: JsonValue): Edit =>
  insertLast(document, object, (layout) => renderMember(key, value, layout))

/** An edit that appends an element to an array, in the surrounding style. */
export const appendItem = (document: SpliceInput, array: ArrayNode, value: JsonValue): Edit =>
  insertLast(document, array, (layout) => render(value, layout))

/** An edit that inserts a value into a text without one, after a byte order mark and the comments. */
export const fillEmpty = ({ text, comments }: SpliceInput, value: JsonValue): Edit => {
  const eol = lineBreakOf(text)
  const start = Math.max(text.startsWith('\ufeff') ? 1 : 0, ...comments.map(({ end }) => end))
  const rest = text.slice(start)
  const before = comments.length > 0 ? eol : ''
  const after = /^[ \t]*\r?\n/.test(rest) ? '' : eol
  return { start, end: start, text: before + render(value, { unit: USUAL_INDENT }).replaceAll('\n', eol) + after }
}

/** An edit that replaces a value of the document, in the surrounding style. */
export const replaceNode = ({ text }: SpliceInput, node: JsonNode, value: JsonValue): Edit => {
  const old = text.slice(node.start, node.end)
  const layout = node.kind === 'scalar' || old.includes('\n') ? { unit: indentUnit(text) } : lineLayout(old)
  const written = render(value, layout).replaceAll('\n', lineBreakOf(text) + indentOfLine(text, node.start))
  return { start: node.start, end: node.end, text: written }
}

/**
 * An edit that removes a child from its container, with its comma and whitespace; comments stay. `index`: from 0.
 * @throws RangeError if there is no such child
 */
export const removeChild = ({ text, comments }: SpliceInput, container: JsonNode, index: number): Edit => {
  const children = childrenOf(container)
  const child = children[index]
  if (child === undefined) throw new RangeError(`There is no child ${index}.`)
  const [before, after] = [children[index - 1], children[index + 1]]
  const isFree = (from: number, to: number): boolean => !comments.some(({ start }) => start >= from && start < to)
  const end = child.comma === undefined ? child.end : child.comma + 1
  if (before !== undefined && isFree(before.end, child.start)) {
    // The comma before it goes, one behind it stays: it separates what follows, or was there as a trailing one.
    return { start: before.end, end: child.end, text: '' }
  }
  if (after !== undefined) return { start: child.start, end: isFree(end, after.start) ? after.start : end, text: '' }
  if (before === undefined) {
    const [inner, close] = [container.start + 1, container.end - 1]
    if (isFree(inner, close)) return { start: inner, end: close, text: '' }
    return { start: child.start, end, text: '' }
  }
  // Comments stand between the two: they are not ours, only the comma is, as far as nothing needs it.
  const comma = before.comma ?? child.start
  return { start: comma, end: child.end, text: text.slice(comma + 1, child.start) }
}

type Write = (layout: Layout) => string

/** An edit that puts something last into an object or a list. */
const insertLast = (document: SpliceInput, container: ObjectNode | ArrayNode, write: Write): Edit => {
  const last = childrenOf(container).at(-1)
  return last === undefined ? insertFirst(document, container, write) : insertBehind(document, container, last, write)
}

/** An edit that inserts the first child into an empty object or list, after its comments. One line stays one line. */
const insertFirst = (
  { text, comments }: SpliceInput,
  { start: open, end: close }: ObjectNode | ArrayNode,
  write: Write,
): Edit => {
  const eol = lineBreakOf(text)
  const inner = comments.filter(({ start, end }) => start > open && end < close)
  const start = Math.max(open + 1, ...inner.map(({ end }) => end))
  // A document of one line stays one, unless there is nothing in it yet.
  if (!text.includes('\n') && text.slice(0, open).replace('\ufeff', '').trim() !== '')
    return { start, end: start, text: write(lineLayout(text)) }
  const outer = indentOfLine(text, open)
  const unit = indentUnit(text)
  const body = eol + outer + unit + write({ unit }).replaceAll('\n', eol + outer + unit)
  const closesOnOwnLine = text.slice(start, close - 1).includes('\n')
  return { start, end: start, text: closesOnOwnLine ? body : body + eol + outer }
}

/**
 * An edit that puts something behind the last child. With a comma before it; a comment on that line stays with the last
 * child.
 */
const insertBehind = (
  { text, comments }: SpliceInput,
  container: ObjectNode | ArrayNode,
  last: Item,
  write: Write,
): Edit => {
  const behind = last.comma === undefined ? last.end : last.comma + 1
  const comma = last.comma === undefined ? ',' : ''
  const firstStart = childrenOf(container)[0]?.start ?? last.start
  if (!text.slice(container.start, firstStart).includes('\n')) {
    const layout = lineLayout(text.slice(container.start, container.end))
    return { start: behind, end: behind, text: comma + (layout === 'spaced' ? ' ' : '') + write(layout) }
  }
  const eol = lineBreakOf(text)
  const indent = indentOfLine(text, last.start)
  const body = eol + indent + write({ unit: indentUnit(text) }).replaceAll('\n', eol + indent)
  // A comment behind the last value on its line belongs to it and stays there.
  const end = endOfLineComments(text, comments, behind, container.end - 1)
  return comma === ''
    ? { start: end, end, text: body }
    : { start: behind, end, text: comma + text.slice(behind, end) + body }
}

/** The style of a text on one line. */
const lineLayout = (text: string): Layout => (/["\]}\d][,:] /.test(text.slice(0, STYLE_SAMPLE)) ? 'spaced' : 'minified')

/** The end of the comments that follow an offset on the same line. */
const endOfLineComments = (text: string, comments: readonly Comment[], from: number, limit: number): number => {
  let end = from
  for (const comment of comments) {
    if (comment.start < end || comment.end > limit) continue
    if (text.slice(end, comment.start).trim() !== '' || text.slice(end, comment.end).includes('\n')) break
    end = comment.end
  }
  return end
}

/** The blanks that the line of an offset begins with. At most 1,000. */
const indentOfLine = (text: string, offset: number): string => {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, Math.min(offset, start + 1_000)))?.[0] ?? ''
}

/** The indentation of a document: that of its first indented line. */
const indentUnit = (text: string): string => /\n([ \t]+)["[{\]}]/.exec(text)?.[1] ?? USUAL_INDENT
