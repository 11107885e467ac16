/**
 * Files inside of texts, as Cline's prompts write them: `<file_content path="…">` for a mention,
 * `<final_file_content path="…">` for the outcome of an edit, `[read_file for '…'] Result:` for a read.
 */
import { isReadTool } from './file-calls.ts'

export interface FileText {
  readonly kind: 'mention' | 'final-content'
  readonly path: string
  /** Where a mention names a part of the file. */
  readonly part: string
  /** The content between the tags. */
  readonly start: number
  readonly end: number
}

const TAGS = [
  { kind: 'mention', open: '<file_content path="', close: '</file_content>' },
  { kind: 'final-content', open: '<final_file_content path="', close: '</final_file_content>' },
] as const

/** A longer opening tag is no path. */
const LONGEST_PATH = 4096

/**
 * All files between tags, in order. Tags inside of a file's content are that content's own. Empty where none is
 * closed.
 */
export const fileTextsIn = (text: string): readonly FileText[] => {
  const found: FileText[] = []
  let at = 0
  /** By tag: the next place where it opens; −1 when it does not any more. */
  const next = TAGS.map(({ open }) => text.indexOf(open))
  for (;;) {
    for (const [index, { open }] of TAGS.entries()) {
      const position = next[index] ?? -1
      if (position !== -1 && position < at) next[index] = text.indexOf(open, at)
    }
    const start = Math.min(...next.map((position) => (position === -1 ? text.length : position)))
    const tag = TAGS[next.indexOf(start)]
    if (tag === undefined) return found
    const pathStart = start + tag.open.length
    const pathEnd = endOfTag(text, pathStart)
    const end = pathEnd === -1 ? -1 : text.indexOf(tag.close, pathEnd + 2)
    if (pathEnd === -1) {
      at = pathStart
    } else if (end === -1) {
      // What is not closed here is not closed later.
      next[TAGS.indexOf(tag)] = -1
    } else {
      found.push({ kind: tag.kind, ...attributesOf(text.slice(pathStart, pathEnd)), start: pathEnd + 2, end })
      at = end + tag.close.length
    }
  }
}

/**
 * Where `">` ends the opening tag: on its line, and not too far away. A quote alone is part of the path. -1 if it does
 * not.
 */
const endOfTag = (text: string, from: number): number => {
  const line = text.slice(from, from + LONGEST_PATH)
  const end = line.indexOf('">')
  const lineEnd = line.indexOf('\n')
  return end === -1 || (lineEnd !== -1 && lineEnd < end) ? -1 : from + end
}

/** Splits a path from the attributes written behind it, such as a range of lines; `part` is '' if there are none. */
const attributesOf = (text: string): { readonly path: string; readonly part: string } => {
  const more = /"\s+(?=[a-z_]+="[^"]*(?:$|"\s))/.exec(text)
  if (more === null) return { path: text, part: '' }
  return { path: text.slice(0, more.index), part: text.slice(more.index + 1).trim() }
}

/** What a tool's result in text begins with; the content follows it, mostly on the next line. */
const HEADER = /^\[(\S+) for '(.*?)'\] Result:[ \t]*\r?\n?/

export interface ReadHeader {
  readonly path: string
  /** Where the content starts; the text's end when it is in the next block. */
  readonly end: number
}

/**
 * The header of a file that was read, with which a text begins, and where the content begins (`end`); undefined for any
 * other text.
 */
export const readHeaderOf = (text: string): ReadHeader | undefined => {
  const [line, tool = '', path = ''] = HEADER.exec(text) ?? []
  return line === undefined || path === '' || !isReadTool(tool) ? undefined : { path, end: line.length }
}

/** Whether a text begins with any tool's header, and so is not the content that another header announces. */
export const isToolHeader = (text: string): boolean => HEADER.test(text)
