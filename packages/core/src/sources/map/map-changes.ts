/** What has changed in a workspace since its map was made, in a few tokens, to be told behind it. */
import { estimateTokens } from '../../tokens/estimate.ts'
import { visibleName } from '../mentions/delimited.ts'

/** The files of a workspace at one time: a text that identifies the content, by path. */
export type FileVersions = ReadonlyMap<string, string>

/** What differs between two lists of files. */
export interface MapChanges {
  /** Sorted paths. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
  /** One line a file, or a folder where there are too many; `` where nothing changed. */
  readonly text: string
  readonly tokens: number
}

const DEFAULT_CHANGE_TOKENS = 200

/**
 * Returns the files added, removed and changed between two lists, sorted, and a text about them. The text names every
 * file if that fits into `tokens` (estimated), otherwise folders with counts, less and less deep; the shortest form is
 * used even if it is too long. The text is empty if nothing changed.
 */
export const mapChanges = (
  before: FileVersions,
  now: FileVersions,
  tokens: number = DEFAULT_CHANGE_TOKENS,
): MapChanges => {
  const added = [...now.keys()].filter((path) => !before.has(path)).sort()
  const removed = [...before.keys()].filter((path) => !now.has(path)).sort()
  const changed = [...now]
    .flatMap(([path, version]) => {
      const earlier = before.get(path)
      return earlier === undefined || earlier === version ? [] : [path]
    })
    .sort()
  const kinds: readonly (readonly [string, readonly string[]])[] = [
    ['added', added],
    ['removed', removed],
    ['changed', changed],
  ]
  const parts = kinds.filter(([, paths]) => paths.length > 0)
  // Every file while that fits; else folders, from the deepest to the whole.
  const depths = [Infinity, 6, 5, 4, 3, 2, 1, 0]
  const texts = depths.map((depth) => parts.map(([kind, paths]) => kindText(kind, paths, depth)).join(''))
  const text = texts.find((each) => estimateTokens(each) <= tokens) ?? texts.at(-1) ?? ''
  return { added, removed, changed, text, tokens: estimateTokens(text) }
}

/**
 * One line: the paths themselves, or, with a finite depth, counts by folder at that depth; a folder with one such file
 * is told by the file's path.
 */
const kindText = (kind: string, paths: readonly string[], depth: number): string => {
  if (depth === Infinity) return `${kind}: ${paths.map(visibleName).join(', ')}\n`
  const groups = Map.groupBy(paths, (path) => path.split('/').slice(0, -1).slice(0, depth).join('/'))
  const rows = [...groups].map(([folder, group]) =>
    group.length === 1 && depth > 0
      ? visibleName(group[0] ?? folder)
      : `${group.length} in ${folder === '' ? 'all' : `${visibleName(folder)}/`}`,
  )
  return `${kind}: ${rows.join(', ')}\n`
}
