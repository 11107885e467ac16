/** What setup, or its undoing, makes of one file; pure. Which files, and how they are written, is `node/setup`'s to say. */
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
import { ensureToml, hasOwnToml, withdrawToml } from './toml/block.ts'

/**
 * The settings file with Cairn's entries in it, or why it must be left alone. `text` is undefined where there is no
 * file yet. Nothing is written.
 */
export const ensureTarget = (text: string | undefined, target: Target, options: EnsureOptions): Outcome | Refusal => {
  if (target.kind === 'json') return ensureJson(text ?? '', target, options)
  if (target.kind === 'toml') return ensureToml(text ?? '', target, options.name)
  return ensureFile(text, target)
}

/** Makes a file of Cairn's; refused where it is somebody else's. */
const ensureFile = (text: string | undefined, { content }: FileTarget): Outcome | Refusal => {
  if (text === content) return { kind: 'done', text, splices: [], kept: [] }
  if (text !== undefined && !isOwnFile(text)) return refused('it is a file of somebody else')
  return { kind: 'done', text: content, splices: [{ text: content, was: text ?? '' }], kept: [] }
}

/** Whether one of the first two lines says that setup wrote the file. */
const isOwnFile = (text: string): boolean => text.split('\n', 2).some((line) => line.includes(FILE_MARK))

/** Whether a file holds anything of Cairn's; a file that its agent can't read holds nothing that counts. */
export const holdsOwn = (text: string, target: Target): boolean => {
  if (target.kind === 'toml') return hasOwnToml(text)
  if (target.kind === 'file') return isOwnFile(text)
  const document = readDocument(text, target, '')
  return !isRefusal(document) && findOwn(document.root, target.entries).length > 0
}

export interface WithdrawOptions {
  readonly name: string
  /** What setup did to the file; empty where nothing is known of it. */
  readonly splices: readonly Splice[]
  /** The file before setup, where it is still known. */
  readonly earlier: string | undefined
  /** Setup made the file. */
  readonly isMade: boolean
}

/**
 * The file without what is Cairn's, byte for byte as it was before setup where that can be told, or why it must be left
 * alone; `text` is undefined where the file goes as a whole. Nothing is written.
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

/** Takes a file of Cairn's away; refused where it was changed since. */
const withdrawFile = (text: string, { splices }: WithdrawOptions): { readonly text: undefined } | Refusal =>
  splices.length === 0 || splices.some(({ text: written }) => written === text)
    ? { text: undefined }
    : refused('somebody has changed it since setup wrote it; delete it if it is not needed')
