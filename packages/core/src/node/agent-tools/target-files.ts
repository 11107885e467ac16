/** The files that a listing or a search is about: those of the workspace, or of a folder that was approved. */
import { lstatSync, opendirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { refused } from '../../agent/tools/tool-input.ts'
import { systemReason } from '../system-reason.ts'
import type { ToolParts } from './tool-parts.ts'
import type { FoundPath, WorkspacePaths } from './workspace-paths.ts'

export interface TargetFile {
  /** As people are told. */
  readonly shown: string
  /** Absolute. */
  readonly real: string
  /** Relative to the folder that was asked for, with `/`; of a file its name. */
  readonly below: string
}

export interface TargetFiles {
  readonly files: readonly TargetFile[]
  readonly isComplete: boolean
}

/** Of a folder that no list of the workspace has. */
const MOST_FILES = 20_000
const ENTRIES_A_TURN = 500

/**
 * The files at and below a path, in order; `isComplete` is false where there are more than are listed. Those that
 * ignore files leave out, or that lie outside, come only where `found` itself reaches for them; that this was approved
 * is for the caller to see to. Rejects with a CairnError `invalid-input` where nothing is there, or a pipe, socket or
 * device, and with the signal's reason.
 */
export const targetFiles = async (
  { files, paths }: ToolParts,
  found: FoundPath,
  signal: AbortSignal,
): Promise<TargetFiles> => {
  const facts = lstatOrRefuse(found)
  if (facts.isFile()) return { files: [targetOf(found.shown, found.real, found.real)], isComplete: true }
  if (!facts.isDirectory()) throw refused(`${found.shown} is no regular file but a pipe, a socket or a device.`)
  if (found.reaches !== undefined) return walk(found, paths, signal)
  const list = await files.list(signal)
  const targets: TargetFile[] = []
  for (const { path } of list.files) {
    const root = files.roots.find(({ prefix }) => path.startsWith(prefix))
    if (root === undefined) continue
    const real = join(paths.realRoot(root.folder), path.slice(root.prefix.length))
    if (found.isAll === true) targets.push({ shown: path, real, below: path })
    else if (isInside(found.real, real)) targets.push(targetOf(path, real, found.real))
  }
  return { files: targets, isComplete: list.isComplete }
}

/** The facts of a path, not following a link. Throws a refusal if there are none. */
const lstatOrRefuse = ({ real, shown }: FoundPath) => {
  try {
    return lstatSync(real)
  } catch (error) {
    throw refused(`${shown} can’t be looked at: ${systemReason(error) ?? 'unknown reason'}.`)
  }
}

const isInside = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** A file with its path below `top`; if it is `top` itself, its name. */
const targetOf = (shown: string, real: string, top: string): TargetFile => ({
  shown,
  real,
  below: (real === top ? real.slice(real.lastIndexOf(sep) + 1) : real.slice(top.length))
    .replaceAll(sep, '/')
    .replace(/^\//, ''),
})

/**
 * All regular files below a path, sorted by how they are shown, also those that ignore files leave out; nothing through
 * links, nor of folders that can't be opened. `isComplete` is false where `MOST_FILES` were found. Rejects when
 * aborted.
 */
const walk = async (
  found: FoundPath,
  paths: Pick<WorkspacePaths, 'shown'>,
  signal: AbortSignal,
): Promise<TargetFiles> => {
  const files: TargetFile[] = []
  const pending = [found.real]
  let looked = 0
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of entriesOf(folder)) {
      looked += 1
      if (looked % ENTRIES_A_TURN === 0) await nextTurn()
      signal.throwIfAborted()
      const real = join(folder, entry.name)
      if (entry.isDirectory()) pending.push(real)
      else if (entry.isFile()) files.push(targetOf(paths.shown(real), real, found.real))
      if (files.length >= MOST_FILES) return { files: files.sort(byPath), isComplete: false }
    }
  }
  return { files: files.sort(byPath), isComplete: true }
}

const byPath = (left: TargetFile, right: TargetFile): number => (left.shown < right.shown ? -1 : 1)

/**
 * What is in a folder, one at a time: it may have millions. Nothing of one that can't be opened. In no particular
 * order.
 */
function* entriesOf(path: string) {
  let folder
  try {
    folder = opendirSync(path)
  } catch {
    return
  }
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) yield entry
  } finally {
    folder.closeSync()
  }
}
