/** What a call writes into files, as lines that went and came. */
import { fileEditsOf } from '../file-activity/file-edits.ts'
import { arrayOf, isJsonObject, objectOf, parseJsonObject, stringOf, type JsonObject } from '../json.ts'
import type { ToolCallBlock } from '../messages.ts'
import { unifiedDiff } from '../setup/unified-diff.ts'

/** A line of an edit. `hunk`: lines are left out here, or another part begins; `file`: a name. */
export interface EditLine {
  readonly kind: 'added' | 'removed' | 'context' | 'hunk' | 'file'
  /** Without the sign before it. */
  readonly text: string
}

export interface EditView {
  /** The files, as the call names them. */
  readonly paths: readonly string[]
  /** The first lines of it; none where the call does not tell what it writes. */
  readonly lines: readonly EditLine[]
  /** How many more there are. */
  readonly linesLeft: number
  /** How many files it deletes. */
  readonly deletes: number
}

/** A line, and whether it names a file that is deleted. */
interface WrittenLine extends EditLine {
  readonly isDeleted?: true
}

const MOST_LINES = 300
const LONGEST_LINE = 1_000

const OLD_KEYS = ['old_string', 'oldString', 'old_str', 'old_text', 'oldText', 'search'] as const
const NEW_KEYS = ['new_string', 'newString', 'new_str', 'new_text', 'newText', 'replace'] as const
const WHOLE_KEYS = ['content', 'file_text', 'contents', 'insert_text'] as const
const PATCH_KEYS = ['input', 'patch', 'patchText', 'diff', 'command'] as const

const textIn = (given: JsonObject, keys: readonly string[]): string | undefined =>
  keys.map((key) => given[key]).find((value) => typeof value === 'string')

const KINDS = { '+': 'added', '-': 'removed', ' ': 'context', '@': 'hunk' } as const
const isSign = (sign: string): sign is keyof typeof KINDS => sign in KINDS

/**
 * A line of a diff by its sign (`+`, `-`, space, `@`), without it; a line with none is context. The header of a hunk
 * has no text: where the lines stand in the file is not known, so it only separates.
 */
const lineOf = (line: string): EditLine => {
  const sign = line.charAt(0)
  if (!isSign(sign)) return { kind: 'context', text: line }
  return { kind: KINDS[sign], text: sign === '@' ? '' : line.slice(1) }
}

/** The lines of a text that replaces another one; the first header separates nothing. */
const replaced = (before: string, after: string): readonly EditLine[] => unifiedDiff(before, after).slice(1).map(lineOf)

const FILE_HEAD = /^\*\*\* (Update|Add|Delete) File: (.+?)\s*$/

/**
 * The lines of a patch, without what frames it. Headers with a file's path stay, as lines of the kind `file`; empty
 * lines are left out.
 */
const patchLines = (patch: string): readonly WrittenLine[] =>
  patch.split('\n').flatMap((line): readonly WrittenLine[] => {
    const [, verb, path] = FILE_HEAD.exec(line) ?? []
    // None of the lines of a file that is deleted are in the patch.
    if (path !== undefined && verb === 'Delete') return [{ kind: 'file', text: `${path} (deleted)`, isDeleted: true }]
    if (path !== undefined) return [{ kind: 'file', text: path }]
    if (/^(?:\*\*\* |--- |\+\+\+ )/.test(line) || line === '') return []
    return [lineOf(line)]
  })

/** The lines of one edit; a whole file counts as added. Empty if it has neither. */
const partLines = (part: JsonObject): readonly EditLine[] => {
  const [before, after, whole] = [textIn(part, OLD_KEYS), textIn(part, NEW_KEYS), textIn(part, WHOLE_KEYS)]
  if (after !== undefined) return replaced(before ?? '', after)
  return whole === undefined ? [] : replaced('', whole)
}

/**
 * What a call of any known edit tool writes, as lines of a diff (added, removed, or context), from a patch, a list of
 * edits or one edit; `hunk` lines part them. Empty for other calls.
 */
const editLines = ({ input }: ToolCallBlock): readonly WrittenLine[] => {
  const given = typeof input === 'string' ? parseJsonObject(input) : objectOf(input)
  const patch = typeof input === 'string' && Object.keys(given).length === 0 ? input : textIn(given, PATCH_KEYS)
  const command = stringOf(given.command)
  const isPatch =
    patch !== undefined && (patch.includes('*** Begin Patch') || (command === undefined && /^@@/m.test(patch)))
  if (isPatch) return patchLines(patch)
  const parts = arrayOf(given.edits ?? given.replacements).filter(isJsonObject)
  if (parts.length === 0) return partLines(given)
  return parts.flatMap((part, index) => [
    ...(index === 0 ? [] : [{ kind: 'hunk', text: '' } as const]),
    ...partLines(part),
  ])
}

/** A line as it is shown: not too long, and without halves of characters. */
const shownLine = ({ kind, text }: EditLine): EditLine => ({ kind, text: text.slice(0, LONGEST_LINE).toWellFormed() })

/**
 * The first lines of a unified diff without file names; `hunk` lines keep their headers, which say where they stand. At
 * most `MOST_LINES`; `linesLeft` says how many more there are.
 */
export const patchView = (patch: readonly string[]): Pick<EditView, 'lines' | 'linesLeft'> => ({
  lines: patch
    .slice(0, MOST_LINES)
    .map((line) => shownLine(line.startsWith('@@') ? { kind: 'hunk', text: line } : lineOf(line))),
  linesLeft: Math.max(0, patch.length - MOST_LINES),
})

/**
 * What a call writes into which files: the first 300 lines, each cut to 1,000 characters, and how many more there are;
 * no lines where it does not tell them. Undefined for a call that edits no file.
 */
export const callEdit = (call: ToolCallBlock): EditView | undefined => {
  const paths = [...new Set(fileEditsOf(call).map(({ path }) => path))]
  if (paths.length === 0) return undefined
  const lines = editLines(call)
  return {
    paths,
    lines: lines.slice(0, MOST_LINES).map(shownLine),
    linesLeft: Math.max(0, lines.length - MOST_LINES),
    deletes: lines.filter(({ isDeleted }) => isDeleted === true).length,
  }
}
