/**
 * A message's text as HTML. Reads the part of Markdown that is usual in chats; each line is looked at once, and tags
 * stay text.
 */
import { escapeText } from './escape.ts'
import { inlineHtml } from './inline.ts'

/** Deepest nesting of quotes and lists. */
const DEEPEST = 6
/** Longest line that can be a heading, a rule or part of a table, in characters. */
const LONGEST_MARK = 2000

const FENCE = /^( {0,12})(`{3,}|~{3,})[ \t]*([^`\n]{0,200})$/
const ITEM = /^( {0,24})([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/
const HEADING = /^ {0,3}(#{1,6})[ \t]+/
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const TABLE_RULE = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

/** A block as HTML, and the line behind it. */
interface Reading {
  readonly html: string
  /** The line after what was read. */
  readonly next: number
}

/** Returns a Markdown text as escaped HTML, a sequence of block elements; HTML in it is shown as text. Never throws. */
export const markdownHtml = (text: string): string =>
  blocksHtml(text.replaceAll('\r\n', '\n').replaceAll('\t', '    ').split('\n'), 0)

/** Returns a block of code, labelled with its language if given; a diff with its lines marked. */
const codeHtml = (code: string, language = ''): string => {
  const name = /^[\w+#.-]{1,24}/.exec(language.trim())?.[0]
  const label = name === undefined ? '' : `<span class="lang">${escapeText(name)}</span>`
  const content = name === 'diff' || name === 'patch' ? patchLines(code) : escapeText(code)
  return `<pre>${label}<code>${content}</code></pre>\n`
}

/**
 * Returns the lines of a patch as escaped HTML, each in a `span` by its kind: header, added, removed. Unchanged lines
 * are not wrapped.
 */
export const patchLines = (patch: string): string =>
  patch
    .split('\n')
    .map((line) => {
      const kind = /^(?:\+\+\+|---) |^@@|^\*\*\* /.test(line)
        ? 'dh'
        : line.startsWith('+')
          ? 'da'
          : line.startsWith('-')
            ? 'dd'
            : undefined
      return kind === undefined ? escapeText(line) : `<span class="${kind}">${escapeText(line)}</span>`
    })
    .join('\n')

/** Returns lines as block elements. @param depth of quotes and lists around them */
const blocksHtml = (lines: readonly string[], depth: number): string => {
  let html = ''
  let paragraph: string[] = []
  const flush = (): void => {
    if (paragraph.length > 0) html += `<p>${inlineHtml(paragraph.join('\n'))}</p>\n`
    paragraph = []
  }
  for (let index = 0; index < lines.length;) {
    const line = lines[index] ?? ''
    if (line.trim() === '') {
      flush()
      index += 1
      continue
    }
    const read = blockAt(lines, index, depth, paragraph.length > 0)
    if (read === undefined) {
      paragraph.push(line)
      index += 1
      continue
    }
    flush()
    html += read.html
    index = read.next
  }
  flush()
  return html
}

/**
 * Returns the block that starts at a line; undefined if the line belongs to a paragraph. `isInParagraph`: the line
 * before belongs to one.
 */
const blockAt = (
  lines: readonly string[],
  index: number,
  depth: number,
  isInParagraph: boolean,
): Reading | undefined => {
  const line = lines[index] ?? ''
  const fence = FENCE.exec(line)
  if (fence !== null) return fenceAt(lines, index, fence)
  const marked = line.length <= LONGEST_MARK ? lineBlockAt(lines, index) : undefined
  if (marked !== undefined) return marked
  if (depth < DEEPEST && /^ {0,3}>/.test(line)) return quoteAt(lines, index, depth)
  if (depth < DEEPEST && beginsList(line, isInParagraph)) return listAt(lines, index, depth)
  return !isInParagraph && /^ {4}/.test(line) ? indentedAt(lines, index) : undefined
}

/** Returns a heading, rule or table that starts at a line; undefined for anything else. */
const lineBlockAt = (lines: readonly string[], index: number): Reading | undefined => {
  const [line = '', below = ''] = lines.slice(index, index + 2)
  const heading = HEADING.exec(line)
  if (heading !== null)
    return { html: headingHtml(heading[1]?.length ?? 1, line.slice(heading[0].length)), next: index + 1 }
  if (RULE.test(line)) return { html: '<hr>\n', next: index + 1 }
  const isTable = line.includes('|') && below.includes('|') && below.length <= LONGEST_MARK && TABLE_RULE.test(below)
  return isTable ? tableAt(lines, index) : undefined
}

/** Whether a line starts a list. Within a paragraph only `1.` and bullets do: "in\n2024. It" is text. */
const beginsList = (line: string, isInParagraph: boolean): boolean => {
  const item = ITEM.exec(line)
  return item !== null && (!isInParagraph || /[-*+]|^1[.)]/.test(item[2] ?? ''))
}

/** Returns a block of code between fences; one without an end goes on to the last line. */
const fenceAt = (
  lines: readonly string[],
  index: number,
  [, indent = '', fence = '', language = '']: RegExpExecArray,
): Reading => {
  const letter = fence[0] ?? '`'
  const isEnd = (line: string): boolean => {
    const mark = line.trim()
    return mark.length >= fence.length && mark.length < LONGEST_MARK && mark === letter.repeat(mark.length)
  }
  let end = index + 1
  while (end < lines.length && !isEnd(lines[end] ?? '')) end += 1
  const code = lines
    .slice(index + 1, end)
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()))
  return { html: codeHtml(code.join('\n'), language), next: end + 1 }
}

/**
 * A heading, two levels below its own, because the page has headings above it. At most `<h6>`; number signs at its end
 * are left out.
 */
const headingHtml = (level: number, text: string): string => {
  const tag = `h${Math.min(6, level + 2)}`
  return `<${tag}>${inlineHtml(text.trimEnd().replace(/ #{1,6}$/, ''))}</${tag}>\n`
}

/** Returns a block of code that is indented by four spaces; blank lines within it belong to it. */
const indentedAt = (lines: readonly string[], index: number): Reading => {
  let end = index
  while (
    end < lines.length &&
    (/^ {4}/.test(lines[end] ?? '') || ((lines[end] ?? '').trim() === '' && /^ {4}/.test(lines[end + 1] ?? '')))
  )
    end += 1
  return {
    html: codeHtml(
      lines
        .slice(index, end)
        .map((line) => line.slice(4))
        .join('\n'),
    ),
    next: end,
  }
}

/** Returns a quote, whose lines start with `>`. */
const quoteAt = (lines: readonly string[], index: number, depth: number): Reading => {
  let end = index
  while (end < lines.length && /^ {0,3}>/.test(lines[end] ?? '')) end += 1
  const inner = lines.slice(index, end).map((line) => line.replace(/^ {0,3}> ?/, ''))
  return { html: `<blockquote>${blocksHtml(inner, depth + 1)}</blockquote>\n`, next: end }
}

/** The form of a list, by its first line. */
interface ListShape {
  readonly indent: number
  readonly isOrdered: boolean
  /** The number of the first item. */
  readonly start: number
}

/** Returns the form of the list that starts with this line. A list without numbers starts at 1. */
const shapeOfList = (line: string): ListShape => {
  const [, indent = '', mark = ''] = ITEM.exec(line) ?? []
  const isOrdered = /\d/.test(mark)
  return { indent: indent.length, isOrdered, start: isOrdered ? Number.parseInt(mark, 10) : 1 }
}

/** Returns a list with the lines that belong to each item. Ordered if its first item is; it begins with that number. */
const listAt = (lines: readonly string[], index: number, depth: number): Reading => {
  const shape = shapeOfList(lines[index] ?? '')
  const items: string[][] = []
  let end = index
  for (; end < lines.length; end++) {
    const line = lines[end] ?? ''
    const role = roleInList(line, lines[end + 1] ?? '', shape)
    if (role === 'end') break
    if (role === 'item') items.push([line.slice(ITEM.exec(line)?.[0].length ?? 0)])
    else items.at(-1)?.push(role === 'blank' ? '' : line.slice(Math.min(indentOf(line), shape.indent + 2)))
  }
  const tag = shape.isOrdered ? 'ol' : 'ul'
  const open = shape.start > 1 ? `<ol start="${shape.start}">` : `<${tag}>`
  return { html: `${open}${items.map((item) => `<li>${itemHtml(item, depth)}</li>\n`).join('')}</${tag}>\n`, next: end }
}

/**
 * Whether a line starts an item of this list (`item`), continues one, is `blank` within the list, as what is `below`
 * goes on with it, or comes after it (`end`), as an item of the other kind, numbered or not, does.
 */
const roleInList = (
  line: string,
  below: string,
  { indent, isOrdered }: ListShape,
): 'item' | 'continuation' | 'blank' | 'end' => {
  const item = ITEM.exec(line)
  const own = indentOf(line)
  if (item !== null && own <= indent + 1)
    return own >= indent && /\d/.test(item[2] ?? '') === isOrdered ? 'item' : 'end'
  if (line.trim() === '') return goesOnBelow(below, indent) ? 'blank' : 'end'
  return own > indent || !startsBlock(line) ? 'continuation' : 'end'
}

/** Whether a list continues behind a blank line: with indented text or another item. */
const goesOnBelow = (below: string, indent: number): boolean =>
  below.trim() !== '' && (indentOf(below) > indent || (ITEM.exec(below)?.[1]?.length ?? -1) >= indent)

/** The number of spaces at the start of a line. */
const indentOf = (line: string): number => line.length - line.trimStart().length
/** Whether a line starts a block other than a paragraph. */
const startsBlock = (line: string): boolean =>
  FENCE.test(line) || HEADING.test(line) || /^ {0,3}>/.test(line) || (line.length <= LONGEST_MARK && RULE.test(line))

const BOX = /^\[([ xX~])\] /

/** The content of a list item. A first paragraph gets no element of its own; `[x]` becomes a box. */
const itemHtml = (lines: readonly string[], depth: number): string => {
  const [first = '', ...rest] = lines
  const box = BOX.exec(first)
  const mark =
    box === null ? '' : `<span class="box">${box[1] === ' ' ? '\u2610' : box[1] === '~' ? '\u25d0' : '\u2611'}</span> `
  const text = box === null ? first : first.slice(box[0].length)
  return mark + blocksHtml([text, ...rest], depth + 1).replace(/^<p>([\s\S]*?)<\/p>\n/, '$1')
}

/** Returns the cells in a line of a table, trimmed; `\|` is text. */
const cellsOf = (line: string): readonly string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

/**
 * Returns a table; the line below its head decides how columns are aligned. Cells beyond the head's are left out. It
 * ends at a line without `|`.
 */
const tableAt = (lines: readonly string[], index: number): Reading => {
  const head = cellsOf(lines[index] ?? '')
  const isRight = cellsOf(lines[index + 1] ?? '').map((cell) => cell.endsWith(':') && !cell.startsWith(':'))
  let end = index + 2
  while (end < lines.length && (lines[end] ?? '').includes('|') && (lines[end] ?? '').trim() !== '') end += 1
  const row = (cells: readonly string[], tag: 'th' | 'td'): string =>
    `<tr>${head.map((_, column) => `<${tag}${isRight[column] === true ? ' class="num"' : ''}>${inlineHtml(cells[column] ?? '')}</${tag}>`).join('')}</tr>\n`
  const body = lines.slice(index + 2, end).map((line) => row(cellsOf(line), 'td'))
  return {
    html: `<div class="wide"><table><thead>${row(head, 'th')}</thead><tbody>${body.join('')}</tbody></table></div>\n`,
    next: end,
  }
}
