/** Markdown by lines: paragraphs, headings, lists, quotes, code and tables, of a text that may still grow at its end. */
import { parseInline } from './inline.ts'
import type { Block, Cell, ListItem } from './syntax.ts'

/** Lists and quotes within each other; deeper ones are text. */
const DEEPEST = 8
const MOST_COLUMNS = 50

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/
const HEADING = /^ {0,3}(#{1,6})(?:\s+(.*))?$/
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?:( {1,4})(?=\S)| *$|( +))/
const QUOTE = /^ {0,3}> ?/
const TASK = /^\[([ xX])\]\s+/

/**
 * Splits a text into parts that can be parsed one by one; joined by line ends they are the text again. As a text grows,
 * only the last part changes, or parts are added.
 */
export const markdownParts = (text: string): readonly string[] => {
  const parts: string[][] = []
  let fence: string | undefined
  let isAfterBlank = true
  for (const line of text.split('\n')) {
    const part = parts.at(-1)
    const opening = fence === undefined ? FENCE.exec(line)?.[1] : undefined
    const isBlank = fence === undefined && line.trim() === ''
    const begins =
      part === undefined || (fence === undefined && isAfterBlank && !isBlank && !goesOn(part[0] ?? '', line))
    if (begins) parts.push([line])
    else part.push(line)
    if (fence !== undefined && isClosing(line, fence)) fence = undefined
    else if (opening !== undefined) fence = opening
    isAfterBlank = isBlank
  }
  return parts.map((lines) => lines.join('\n'))
}

/**
 * Whether a line after a blank one still belongs to the block that began with `first`: a list continues with items and
 * indented lines.
 */
const goesOn = (first: string, line: string): boolean => ITEM.test(first) && (ITEM.test(line) || /^\s{2,}\S/.test(line))

/** Returns whether a line closes the fence: at least as many of its signs, and nothing else. */
const isClosing = (line: string, fence: string): boolean => {
  const trimmed = line.trim()
  return trimmed.length >= fence.length && trimmed === fence.charAt(0).repeat(trimmed.length)
}

/** Returns the blocks of a text. No text is lost; what is not Markdown is a paragraph. */
export const parseMarkdown = (text: string): readonly Block[] => blocksOf(text.split('\n'), 0)

/** Returns the blocks of the lines; `depth`: how deep they are nested. */
const blocksOf = (lines: readonly string[], depth: number): readonly Block[] => {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    if ((lines[at] ?? '').trim() === '') at += 1
    else {
      const { block, end } = blockAt(lines, at, depth)
      blocks.push(block)
      at = end
    }
  }
  return blocks
}

interface FoundBlock {
  readonly block: Block
  /** The first line behind it. */
  readonly end: number
}

/** Returns the block that begins at a line: a paragraph if it is nothing else, or a quote or list nested too deep. */
const blockAt = (lines: readonly string[], at: number, depth: number): FoundBlock => {
  const line = lines[at] ?? ''
  const fence = FENCE.exec(line)
  if (fence !== null) return codeAt(lines, at, fence[1] ?? '```', (fence[2] ?? '').trim().split(/\s/)[0] ?? '')
  const heading = HEADING.exec(line)
  if (heading !== null) {
    const title = (heading[2] ?? '').trim().replace(/ #+$/, '')
    return { block: { type: 'heading', level: (heading[1] ?? '#').length, children: parseInline(title) }, end: at + 1 }
  }
  if (RULE.test(line)) return { block: { type: 'rule' }, end: at + 1 }
  if (depth < DEEPEST && QUOTE.test(line)) return quoteAt(lines, at, depth)
  if (depth < DEEPEST && ITEM.test(line)) return listAt(lines, at, depth)
  return tableAt(lines, at) ?? paragraphAt(lines, at, depth)
}

/** Returns a fenced block of code; a fence that is not closed extends to the end, as more may come. */
const codeAt = (lines: readonly string[], at: number, fence: string, language: string): FoundBlock => {
  const close = lines.findIndex((line, index) => index > at && isClosing(line, fence))
  const end = close === -1 ? lines.length : close
  return { block: { type: 'code', language, text: lines.slice(at + 1, end).join('\n') }, end: end + 1 }
}

/** Returns the quote that begins at a line, with the lines that continue its paragraph without a mark. */
const quoteAt = (lines: readonly string[], at: number, depth: number): FoundBlock => {
  let end = at + 1
  while (end < lines.length && (QUOTE.test(lines[end] ?? '') || isLazy(lines[end] ?? ''))) end += 1
  const inner = lines.slice(at, end).map((line) => line.replace(QUOTE, ''))
  return { block: { type: 'quote', children: blocksOf(inner, depth + 1) }, end }
}

/** Whether a line continues the paragraph before it. */
const isLazy = (line: string): boolean => line.trim() !== '' && !begins(line)

/** Whether a line begins a block other than a paragraph. */
const begins = (line: string): boolean =>
  FENCE.test(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line) || ITEM.test(line)

/**
 * Returns the list that begins at a line; another mark begins another list. `first` is its number, undefined for a list
 * without numbers.
 */
const listAt = (lines: readonly string[], at: number, depth: number): FoundBlock => {
  const first = ITEM.exec(lines[at] ?? '')
  const marker = first?.[2] ?? '-'
  const items: ListItem[] = []
  let from = at
  while (from < lines.length && isItemOf(lines[from] ?? '', marker)) {
    const end = itemEnd(lines, from)
    items.push(itemOf(lines.slice(from, end), depth))
    from = end
  }
  return {
    block: { type: 'list', first: /^\d/.test(marker) ? Number.parseInt(marker, 10) : undefined, items },
    end: from,
  }
}

/** Returns whether a line is an item of a list with this marker. */
const isItemOf = (line: string, marker: string): boolean => {
  const own = ITEM.exec(line)?.[2]
  return own !== undefined && !RULE.test(line) && own.at(-1) === marker.at(-1)
}

/** Returns the column at which an item's own text begins; 0 for a line that is no item. */
const indentOf = (line: string): number => {
  const match = ITEM.exec(line)
  if (match === null) return 0
  const [, before = '', marker = '', gap = ' '] = match
  return before.length + marker.length + gap.length
}

/**
 * Returns the line after an item, which contains indented lines and the rest of its paragraph. A blank line and what is
 * indented behind it belong to it.
 */
const itemEnd = (lines: readonly string[], at: number): number => {
  const indent = indentOf(lines[at] ?? '')
  let end = at + 1
  let isAfterBlank = false
  for (let index = at + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    const isBlank = line.trim() === ''
    const isInside = line.length - line.trimStart().length >= indent
    if (!isBlank && !isInside && (isAfterBlank || begins(line))) break
    isAfterBlank = isBlank
    end = index + 1
  }
  return end
}

/** Returns the item of these lines. `isDone` is left out of one that is no task. */
const itemOf = (lines: readonly string[], depth: number): ListItem => {
  const indent = indentOf(lines[0] ?? '')
  const inner = lines.map((line, index) => (index === 0 ? line.slice(indent) : withoutIndent(line, indent)))
  const task = TASK.exec(inner[0] ?? '')
  const children = blocksOf(
    task === null ? inner : [(inner[0] ?? '').slice(task[0].length), ...inner.slice(1)],
    depth + 1,
  )
  return task === null ? { children } : { children, isDone: task[1] !== ' ' }
}

/** Returns a line without up to `indent` leading blanks. */
const withoutIndent = (line: string, indent: number): string => {
  let at = 0
  while (at < indent && line.charAt(at) === ' ') at += 1
  return line.slice(at)
}

/**
 * Returns the table that begins at a line: cells, a line of as many dashes, and rows; undefined if there is none, or one of
 * more than {@link MOST_COLUMNS} columns. Cells that a row has too many are left out.
 */
const tableAt = (lines: readonly string[], at: number): FoundBlock | undefined => {
  const head = cellsOf(lines[at] ?? '')
  const dashes = cellsOf(lines[at + 1] ?? '')
  if (head.length === 0 || head.length > MOST_COLUMNS || dashes.length !== head.length) return undefined
  if (!dashes.every((cell) => /^:?-+:?$/.test(cell))) return undefined
  let end = at + 2
  while (end < lines.length && cellsOf(lines[end] ?? '').length > 0) end += 1
  const rows = lines.slice(at + 2, end).map((line) => cellsOf(line).slice(0, head.length).map(toCell))
  return { block: { type: 'table', head: head.map(toCell), rows }, end }
}

/** Returns a cell's text as inline nodes. */
const toCell = (text: string): Cell => parseInline(text)

/** Returns the cells of a line, trimmed; empty for a line without a bar. A bar after a backslash is text. */
const cellsOf = (line: string): readonly string[] => {
  if (!line.includes('|')) return []
  const trimmed = line.trim()
  const inner = trimmed.slice(trimmed.startsWith('|') ? 1 : 0, /[^\\]\|$/.test(trimmed) ? -1 : undefined)
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** Returns the paragraph that begins at a line. It ends before a blank line, and before what begins another block. */
const paragraphAt = (lines: readonly string[], at: number, depth: number): FoundBlock => {
  let end = at + 1
  while (end < lines.length && (lines[end] ?? '').trim() !== '' && (depth >= DEEPEST || !begins(lines[end] ?? '')))
    end += 1
  const text = lines
    .slice(at, end)
    .map((line) => line.trimStart())
    .join('\n')
  return { block: { type: 'paragraph', children: parseInline(text) }, end }
}
