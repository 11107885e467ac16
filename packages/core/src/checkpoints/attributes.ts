/**
 * Folder metadata that git's trees can't store: exact permissions, and empty folders. Only deviations from the usual
 * permissions are listed; these are chosen at a repository's first snapshot.
 */
import { isJsonObject } from '../json.ts'
import type { BytePath } from './byte-path.ts'

/** Permission bits, such as 0o644. */
export interface UsualModes {
  readonly file: number
  readonly executable: number
  readonly folder: number
}

export interface Attributes {
  readonly usual: UsualModes
  /** Files with unusual permissions, and folders. */
  readonly modes: ReadonlyMap<BytePath, number>
  readonly folderModes: ReadonlyMap<BytePath, number>
  /** Folders in which no file was captured. */
  readonly emptyFolders: readonly BytePath[]
}

/** The mode of an entry in git: `100644`, `100755` for an executable, `120000` for a link. */
export type GitMode = '100644' | '100755' | '120000'

export const NO_ATTRIBUTES: Attributes = {
  usual: { file: 0o644, executable: 0o755, folder: 0o755 },
  modes: new Map(),
  folderModes: new Map(),
  emptyFolders: [],
}

/** Git's mode for a file with these permissions: executable if the owner may execute it. Never that of a link. */
export const gitModeOf = (mode: number): GitMode => ((mode & 0o100) === 0 ? '100644' : '100755')

/**
 * The permissions of a file: its own if unusual, otherwise the usual ones for its git mode. Links always have 0o777.
 */
export const modeOf = ({ usual, modes }: Attributes, path: BytePath, gitMode: GitMode): number => {
  if (gitMode === '120000') return 0o777
  return modes.get(path) ?? (gitMode === '100755' ? usual.executable : usual.file)
}

/** The most frequent of the numbers; `fallback` if there are none. Of several the one that occurs first. */
const mostFrequent = (numbers: Iterable<number>, fallback: number): number => {
  const counts = new Map<number, number>()
  for (const each of numbers) counts.set(each, (counts.get(each) ?? 0) + 1)
  let best: readonly [number, number] = [fallback, 0]
  for (const entry of counts) if (entry[1] > best[1]) best = entry
  return best[0]
}

/**
 * The most frequent permissions of plain files, executable files and folders; those of `NO_ATTRIBUTES` for a kind that
 * does not occur.
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

/** Serialises attributes as JSON, sorted by path; equal attributes produce equal texts. */
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
 * Parses the text written by `attributesText`.
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

/** Parses a list of pairs of path and permissions; throws for anything else. */
const modesIn = (value: unknown): ReadonlyMap<BytePath, number> => {
  if (!Array.isArray(value)) throw new Error('the permissions are no list')
  return new Map(
    value.map((pair: unknown) => {
      const [path, mode] = Array.isArray(pair) ? (pair as readonly unknown[]) : []
      return [pathIn(path), bitsOf(mode)]
    }),
  )
}

/** Parses permissions as twelve bits; throws for anything else. */
const bitsOf = (value: unknown): number => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 0o7777)
    throw new Error('a permission is no number of bits')
  return value
}

/** The text of a path. @throws Error for anything but a text */
const pathIn = (value: unknown): string => {
  if (typeof value !== 'string') throw new Error('a path is no text')
  return value
}
