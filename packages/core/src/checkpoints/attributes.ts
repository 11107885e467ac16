/**
 * What git's trees can't hold of a folder: exact permissions, and folders without a file. Only what differs from the
 * usual is listed; the usual is chosen at a repository's first snapshot.
 */
import { isJsonObject } from '../json.ts'
import type { BytePath } from './byte-path.ts'

/** Permission bits, as 0o644. */
export interface UsualModes {
  readonly file: number
  readonly executable: number
  readonly folder: number
}

export interface Attributes {
  readonly usual: UsualModes
  /** Files with other permissions, and folders. */
  readonly modes: ReadonlyMap<BytePath, number>
  readonly folderModes: ReadonlyMap<BytePath, number>
  /** Folders in which nothing was captured. */
  readonly emptyFolders: readonly BytePath[]
}

/** How git keeps an entry: `100644`, `100755` executable, `120000` a link. */
export type GitMode = '100644' | '100755' | '120000'

export const NO_ATTRIBUTES: Attributes = {
  usual: { file: 0o644, executable: 0o755, folder: 0o755 },
  modes: new Map(),
  folderModes: new Map(),
  emptyFolders: [],
}

/** Git's mode of a file with these permissions: executable where the owner may execute it. Never a link's. */
export const gitModeOf = (mode: number): GitMode => ((mode & 0o100) === 0 ? '100644' : '100755')

/**
 * The permissions of a file: its own where they are unusual, else the usual ones of its git mode. Links always have
 * 0o777.
 */
export const modeOf = ({ usual, modes }: Attributes, path: BytePath, gitMode: GitMode): number => {
  if (gitMode === '120000') return 0o777
  return modes.get(path) ?? (gitMode === '100755' ? usual.executable : usual.file)
}

/** The most frequent of some numbers; `fallback` where there are none. */
const mostFrequent = (numbers: Iterable<number>, fallback: number): number => {
  const counts = new Map<number, number>()
  for (const each of numbers) counts.set(each, (counts.get(each) ?? 0) + 1)
  let best: readonly [number, number] = [fallback, 0]
  for (const entry of counts) if (entry[1] > best[1]) best = entry
  return best[0]
}

/**
 * The most frequent permissions of plain files, of executable ones and of folders; those of `NO_ATTRIBUTES` where there
 * is none.
 */
export const usualModesOf = (fileModes: readonly number[], folderModes: readonly number[]): UsualModes => ({
  file: mostFrequent(
    fileModes.filter((mode) => gitModeOf(mode) === '100644'),
    NO_ATTRIBUTES.usual.file,
  ),
  executable: mostFrequent(
    fileModes.filter((mode) => gitModeOf(mode) === '100755'),
    NO_ATTRIBUTES.usual.executable,
  ),
  folder: mostFrequent(folderModes, NO_ATTRIBUTES.usual.folder),
})

/** As JSON, sorted by path; the same attributes give the same text, in whatever order they were found. */
export const attributesText = ({ usual, modes, folderModes, emptyFolders }: Attributes): string =>
  JSON.stringify({
    usual,
    modes: [...modes].sort(byPath),
    folderModes: [...folderModes].sort(byPath),
    emptyFolders: [...emptyFolders].sort(),
  })

const byPath = ([left]: readonly [string, number], [right]: readonly [string, number]): number =>
  left < right ? -1 : left > right ? 1 : 0

/**
 * Reads the text that attributesText wrote.
 * @throws Error, SyntaxError included, for any other text
 */
export const parseAttributes = (text: string): Attributes => {
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value)) throw new Error('the attributes are no object')
  const { usual, modes, folderModes, emptyFolders } = value
  if (!isJsonObject(usual) || !Array.isArray(emptyFolders)) throw new Error('the attributes are incomplete')
  return {
    usual: { file: bitsOf(usual['file']), executable: bitsOf(usual['executable']), folder: bitsOf(usual['folder']) },
    modes: modesIn(modes),
    folderModes: modesIn(folderModes),
    emptyFolders: emptyFolders.map(pathIn),
  }
}

/** Reads a list of pairs of path and permissions; throws for any other form. */
const modesIn = (value: unknown): ReadonlyMap<BytePath, number> => {
  if (!Array.isArray(value)) throw new Error('the permissions are no list')
  return new Map(
    value.map((pair: unknown) => {
      const [path, mode] = Array.isArray(pair) ? (pair as readonly unknown[]) : []
      return [pathIn(path), bitsOf(mode)]
    }),
  )
}

/** Permissions as twelve bits; throws for anything else. */
const bitsOf = (value: unknown): number => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 0o7777)
    throw new Error('a permission is no number of bits')
  return value
}

const pathIn = (value: unknown): string => {
  if (typeof value !== 'string') throw new Error('a path is no text')
  return value
}
