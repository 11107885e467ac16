/** What setup, or its removal, does to one file; pure. `node/setup` decides which files, and writes them. */
import { madeSplices, undoSplices } from './edit.ts'
import type { Splice } from './edit.ts'
import { isRefusal, readDocument } from './json/document.ts'
import { ensureJson } from './json/ensure.ts'
import type { EnsureOptions } from './json/ensure.ts'
import { findOwn } from './json/own.ts'
import { withdrawJson } from './json/withdraw.ts'
import { refused } from './outcome.ts'
import type { Outcome, Refusal } from './outcome.ts'
import { FILE_MARK } from './target.ts'
import type { FileTarget, Target } from './target.ts'
import { ensureToml, hasOwnToml, withdrawToml } from './toml/server-table.ts'

/**
 * The settings file with Cairn's entries in it, or why it must be left alone. `text` is undefined for a missing file.
 * Writes nothing.
 */
export const ensureTarget = (text: string | undefined, target: Target, options: EnsureOptions): Outcome | Refusal => {
  if (target.kind === 'json') return ensureJson(text ?? '', target, options)
  if (target.kind === 'toml') return ensureToml(text ?? '', target, options.name)
  return ensureFile(text, target)
}

/**
 * Creates one of Cairn's files, or replaces an older one as a whole; refused if the existing file belongs to someone
 * else.
 */
const ensureFile = (text: string | undefined, { content }: FileTarget): Outcome | Refusal => {
  if (text === content) return { kind: 'done', text, splices: [], kept: [] }
  if (text !== undefined && !isOwnFile(text)) return refused('it is a file of somebody else')
  return { kind: 'done', text: content, splices: [{ text: content, was: text ?? '' }], kept: [] }
}

/** Whether one of the first two lines says that setup wrote the file. */
const isOwnFile = (text: string): boolean => text.split('\n', 2).some((line) => line.includes(FILE_MARK))

/** Whether a file contains anything of Cairn's; false for a file that its agent can't read. */
export const holdsOwn = (text: string, target: Target): boolean => {
  if (target.kind === 'toml') return hasOwnToml(text)
  if (target.kind === 'file') return isOwnFile(text)
  const document = readDocument(text, target, '')
  return !isRefusal(document) && findOwn(document.root, target.entries).length > 0
}

export interface WithdrawOptions {
  readonly name: string
  /** What setup did to the file; empty if unknown. */
  readonly splices: readonly Splice[]
  /** The file before setup, if still known. */
  readonly earlier: string | undefined
  /** Whether setup created the file. */
  readonly isMade: boolean
}

/**
 * The file without Cairn's parts, byte for byte as before setup if possible, or why it must be left alone; `text` is
 * undefined if the whole file is to be deleted. Writes nothing.
 */
export const withdrawTarget = (
  text: string,
  target: Target,
  options: WithdrawOptions,
): { readonly text: string | undefined } | Refusal => {
  if (target.kind === 'file') return withdrawFile(text, options)
  const { name, splices, earlier, isMade } = options
  const made = madeSplices(text, splices)
  const exact = made.length > 0 ? undoSplices(text, made) : undefined
  // Entries that are still there were there before setup, or somebody has copied them since.
  const hadOwn = earlier !== undefined && holdsOwn(earlier, target)
  if (exact !== undefined && (hadOwn || !holdsOwn(exact, target)))
    return { text: isMade && exact === '' ? undefined : exact }
  const left = exact ?? text
  const rest = target.kind === 'json' ? withdrawJson(left, target, name, earlier) : withdrawToml(left)
  if (isRefusal(rest)) return rest
  return { text: isMade && isNothing(rest.text) ? undefined : rest.text }
}

/** Whether a text has no settings in it. */
const isNothing = (text: string): boolean => /^\ufeff?\s*(?:\{\s*\})?\s*$/.test(text)

/**
 * Says that one of Cairn's files is to be deleted; refused if it was changed since setup wrote it. Without a record of
 * what setup wrote, that is not checked.
 */
const withdrawFile = (text: string, { splices }: WithdrawOptions): { readonly text: undefined } | Refusal =>
  splices.length === 0 || splices.some(({ text: written }) => written === text)
    ? { text: undefined }
    : refused('somebody has changed it since setup wrote it; delete it if it is not needed')
