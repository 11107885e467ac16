/** What the calls of a message wrote into files, and where that is in a file now. */
import { arrayOf, isJsonObject, objectOf, parseJsonObject, stringOf, type JsonObject } from '../json.ts'
import type { ContentBlock, ToolCallBlock } from '../messages.ts'
import type { LogEntry } from '../session-log.ts'
import { fileOperationsOf, toolCallIn } from './file-tools.ts'

/** What one call wrote into one file. */
export interface FileEdit {
  /** As named by the call. */
  readonly path: string
  /** Parts of the file as they read after the edit, in order; empty if the call does not contain them. */
  readonly passages: readonly string[]
  /** Whether the only passage is the whole file. */
  readonly isWhole: boolean
}

/** A range of lines, from 0, both ends included. */
export interface EditLocation {
  readonly from: number
  readonly to: number
  /** False if the passage has changed and only this line of it was found again. */
  readonly isExact: boolean
}

const WHOLE_KEYS = ['content', 'file_text', 'contents'] as const
const NEW_KEYS = ['new_string', 'newString', 'new_str', 'new_text', 'newText', 'replace', 'insert_text'] as const
const PATCH_KEYS = ['input', 'patch', 'patchText', 'diff'] as const
/** Shorter lines occur in every file. */
const SHORTEST_LINE = 4

/** The first of the keys with a text value; an empty text counts. */
const textIn = (given: JsonObject, keys: readonly string[]): string | undefined =>
  keys.map((key) => given[key]).find((value) => typeof value === 'string')

/** The files edited by a message's calls, in order; empty for results and any other entry. */
export const fileEditsIn = (entry: LogEntry | undefined): readonly FileEdit[] => {
  if (entry?.kind !== 'message' || entry.role === 'tool') return []
  return entry.content.flatMap(fileEditsOf)
}

/** The files edited by a block, in order; empty if it is not a call. */
export const fileEditsOf = (block: ContentBlock): readonly FileEdit[] => {
  const call = toolCallIn(block)
  return call === undefined ? [] : editsOfCall(call)
}

/**
 * The edits of a call, one per file; empty for a call that edits none. A file of a `*** Begin Patch` text has the
 * passages of its own section; else each file has all that the call gives, in its order. Passages may be empty.
 */
const editsOfCall = (call: ToolCallBlock): readonly FileEdit[] => {
  const paths = fileOperationsOf(call).flatMap(({ path, operation }) => (operation === 'edit' ? [path] : []))
  if (paths.length === 0) return []
  const { input } = call
  const given = typeof input === 'string' ? parseJsonObject(input) : objectOf(input)
  const patch = typeof input === 'string' && Object.keys(given).length === 0 ? input : textIn(given, PATCH_KEYS)
  const command = stringOf(given.command)
  const patched = [patch, command].find((text) => text?.includes('*** Begin Patch'))
  if (patched !== undefined) {
    const sections = patchSections(patched)
    return paths.map((path) => ({ path, passages: sections.get(path) ?? [], isWhole: false }))
  }
  const { passages, isWhole } = passagesOf(given, patch)
  return paths.map((path) => ({ path, passages, isWhole }))
}

/**
 * The new texts of an edit: from a list of edits, else one new part, else a patch, else the content, whichever comes
 * first; empty without any. `isWhole` only for a content that is not inserted at a line.
 */
const passagesOf = (given: JsonObject, patch: string | undefined): Pick<FileEdit, 'passages' | 'isWhole'> => {
  const edits = arrayOf(given.edits ?? given.replacements).filter(isJsonObject)
  if (edits.length > 0) return { passages: edits.flatMap((edit) => textIn(edit, NEW_KEYS) ?? []), isWhole: false }
  const part = textIn(given, NEW_KEYS)
  if (part !== undefined) return { passages: [part], isWhole: false }
  if (patch !== undefined) return { passages: replacedBlocks(patch) ?? hunks(patch.split('\n')), isWhole: false }
  const whole = textIn(given, WHOLE_KEYS)
  // A tool that inserts lines says where.
  const isWhole = given.line === undefined && given.insert_line === undefined
  return whole === undefined ? { passages: [], isWhole: false } : { passages: [whole], isWhole }
}

const SEARCH_BEGINS = /^(?:-{5,}|<{5,}) SEARCH/
const REPLACE_BEGINS = /^={5,}\s*$/
const REPLACE_ENDS = /^(?:\+{5,}|>{5,}) REPLACE/

/**
 * The new half of each `SEARCH … ======= … REPLACE` block, in order; a block that does not end is left out. Undefined
 * for a text without any.
 */
const replacedBlocks = (patch: string): readonly string[] | undefined => {
  const blocks: string[] = []
  let state: 'outside' | 'search' | 'replace' = 'outside'
  let own: string[] = []
  for (const line of patch.split('\n')) {
    if (SEARCH_BEGINS.test(line)) state = 'search'
    else if (state === 'search' && REPLACE_BEGINS.test(line)) {
      state = 'replace'
      own = []
    } else if (state === 'replace' && REPLACE_ENDS.test(line)) {
      state = 'outside'
      blocks.push(own.join('\n'))
    } else if (state === 'replace') own.push(line)
  }
  return blocks.length === 0 ? undefined : blocks
}

const FILE_HEAD = /^\*\*\* (?:Update|Add|Delete) File: (.+?)\s*$/

/**
 * The passages of a patch, by the file they belong to. A moved file is under its old path. Lines before the first file
 * are left out.
 */
const patchSections = (patch: string): ReadonlyMap<string, readonly string[]> => {
  const lines = new Map<string, string[]>()
  let own: string[] | undefined
  for (const line of patch.split('\n')) {
    const path = FILE_HEAD.exec(line)?.[1]
    if (path !== undefined) {
      own = lines.get(path) ?? []
      lines.set(path, own)
    } else if (line.startsWith('*** ')) own = line.startsWith('*** Move') ? own : undefined
    else own?.push(line)
  }
  return new Map([...lines].map(([path, section]) => [path, hunks(section)]))
}

/**
 * Each hunk of a diff as it reads afterwards: the added lines and their context. Hunks that only remove lines are left
 * out. Lines before the first `@@` count as a hunk.
 */
const hunks = (lines: readonly string[]): readonly string[] => {
  const found: string[][] = [[]]
  const adding: boolean[] = [false]
  for (const line of lines) {
    if (line.startsWith('@@')) {
      found.push([])
      adding.push(false)
    } else if ((line.startsWith('+') && !line.startsWith('+++ ')) || line.startsWith(' ')) {
      found.at(-1)?.push(line.slice(1))
      if (line.startsWith('+')) adding[adding.length - 1] = true
    }
  }
  return found.filter((hunk, index) => hunk.length > 0 && adding[index] === true).map((hunk) => hunk.join('\n'))
}

/**
 * Locates an edit in a text: its first passage that is found, or else the longest of its lines that occurs exactly
 * once. Undefined if nothing of it is left. For a whole file always line 0, exact if the text is still that content
 * (space at its end aside). Line ends are compared as `\n`; lines count from 0, both included.
 */
export const locateEdit = (given: string, { passages, isWhole }: FileEdit): EditLocation | undefined => {
  const text = given.replaceAll('\r\n', '\n')
  const wanted = passages.map((passage) => passage.replaceAll('\r\n', '\n'))
  if (isWhole) return { from: 0, to: 0, isExact: wanted[0]?.trimEnd() === text.trimEnd() }
  for (const passage of wanted) {
    const at = passage.trim() === '' ? -1 : text.indexOf(passage)
    if (at < 0) continue
    const from = lineBreaks(text.slice(0, at))
    return { from, to: from + lineBreaks(passage.trimEnd()), isExact: true }
  }
  const line = lineLeft(text, wanted)
  return line === undefined ? undefined : { from: line, to: line, isExact: false }
}

const lineBreaks = (text: string): number => text.split('\n').length - 1

/**
 * The number (from 0) of the longest line of the passages that occurs exactly once in the text; undefined if none does.
 * Only lines of at least `SHORTEST_LINE` characters count; space around them does not. Of equally long lines the first
 * wins.
 */
const lineLeft = (text: string, passages: readonly string[]): number | undefined => {
  /** Line number by text; undefined if the text occurs several times. */
  const lines = new Map<string, number | undefined>()
  for (const [index, line] of text.split('\n').entries()) {
    const key = line.trim()
    lines.set(key, lines.has(key) ? undefined : index)
  }
  const candidates = passages
    .flatMap((passage) => passage.split('\n'))
    .map((line) => line.trim())
    .filter((line) => line.length >= SHORTEST_LINE)
    .toSorted((one, other) => other.length - one.length)
  for (const line of candidates) {
    const at = lines.get(line)
    if (at !== undefined) return at
  }
  return undefined
}
