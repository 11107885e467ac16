/**
 * Which commit holds the folder as it was seen last: what a capture of some paths takes everything else from. Without it, or
 * where git does not have its commit, the whole folder is captured.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BytePath } from '../../checkpoints/byte-path.ts'
import { isJsonObject } from '../../json.ts'
import { replaceFile } from '../replace-file.ts'

const NAME = 'cairn-base.json'
const VERSION = 1

export interface CaptureBase {
  readonly commit: string
  /** Its tree of files; undefined where it holds none. */
  readonly tree: string | undefined
  readonly files: number
  /** Of all files together. */
  readonly bytes: number
  /** Paths that a restore has changed since, or was about to. */
  readonly restored: readonly BytePath[]
}

/** With more paths than this, the next capture is one of the whole folder. */
const MOST_RESTORED = 1_000

/** The commit that a capture of paths can stand on; undefined where none was noted or the note can't be read. */
export const readCaptureBase = (gitFolder: string): CaptureBase | undefined => {
  try {
    const value: unknown = JSON.parse(readFileSync(join(gitFolder, NAME), 'utf8'))
    if (!isJsonObject(value) || value['version'] !== VERSION) return undefined
    const { commit, tree, files, bytes, restored } = value
    if (typeof commit !== 'string' || typeof files !== 'number' || typeof bytes !== 'number') return undefined
    if (!Array.isArray(restored) || !restored.every((path) => typeof path === 'string')) return undefined
    return { commit, tree: typeof tree === 'string' ? tree : undefined, files, bytes, restored }
  } catch {
    return undefined
  }
}

/**
 * Notes the commit, in place of a former one. Where it can't be written there is no note afterwards, and no error:
 * the next capture is one of the whole folder.
 */
export const writeCaptureBase = (gitFolder: string, base: CaptureBase): void => {
  try {
    const flush = base.restored.length > 0
    replaceFile(join(gitFolder, NAME), JSON.stringify({ version: VERSION, ...base }), { flush })
  } catch {
    removeCaptureBase(gitFolder)
  }
}

/**
 * Notes what a restore is about to change; called before it changes anything. Without a base, or with too many paths,
 * the base is removed instead: the next capture is then of the whole folder.
 */
export const noteRestored = (gitFolder: string, paths: readonly BytePath[]): void => {
  const base = readCaptureBase(gitFolder)
  const restored = [...new Set([...(base?.restored ?? []), ...paths])]
  if (base === undefined || restored.length > MOST_RESTORED) removeCaptureBase(gitFolder)
  else writeCaptureBase(gitFolder, { ...base, restored })
}

/** Makes the next capture one of the whole folder. That there is no note is no error. */
export const removeCaptureBase = (gitFolder: string): void => rmSync(join(gitFolder, NAME), { force: true })
