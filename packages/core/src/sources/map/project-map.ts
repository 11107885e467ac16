/** A map of a project within a number of tokens, for the beginning of a session: the same files give the same bytes. */
import { invalidInput } from '../../input.ts'
import { estimateTokens } from '../../tokens/estimate.ts'
import { findEntryPoints, joinedPaths } from './entry-points.ts'
import { folderTree } from './folder-tree.ts'
import { folderLines, type CountTokens } from './open-folders.ts'
import { visibleName } from '../mentions/delimited.ts'

/** A file that the reader should know, with the names that it exports. */
export interface MappedFile {
  readonly path: string
  readonly names: readonly string[]
}

/** What a map is made from. */
export interface ProjectMapInput {
  /** All files of the workspace, in any order. */
  readonly paths: readonly string[]
  /** At most so many tokens, by estimate; default 1,000. */
  readonly tokens?: number
  /** The likeliest first; as many as fit. */
  readonly related?: readonly MappedFile[]
}

/** A map as text, for a model to read. */
export interface ProjectMap {
  readonly text: string
  /** Of the text, by estimate. */
  readonly tokens: number
  readonly files: number
}

const DEFAULT_MAP_TOKENS = 1000
const FEWEST_TOKENS = 100
const MOST_TOKENS = 100_000
/** The share of the tokens spent on folders. */
const FOLDER_SHARE = 0.4
/** The share of the tokens spent on related files; the rest is for manifests and entry points. */
const RELATED_SHARE = 0.35

const EXPLANATION = 'Folders, with the files in and below each and their usual ending:'

/**
 * Returns the map of a project within `tokens` (estimated): folders, the largest ones opened; related files with their
 * exported names; manifests; entry points. Each section lists as many rows as fit and is left out if none does. Control
 * characters in paths are replaced. Paths are sorted.
 * @throws CairnError `invalid-input` if `tokens` is not a whole number from 100 to 100,000
 */
export const projectMap = ({ paths, tokens = DEFAULT_MAP_TOKENS, related = [] }: ProjectMapInput): ProjectMap => {
  if (!Number.isInteger(tokens) || tokens < FEWEST_TOKENS || tokens > MOST_TOKENS)
    throw invalidInput('The tokens of a map', `a whole number from ${FEWEST_TOKENS} to ${MOST_TOKENS}`, tokens)
  const count: CountTokens = (text) => estimateTokens(`${text}\n`)
  // A name may hold a line break: in the map each line is one of ours.
  const sorted = paths.map((path) => path.replace(/\p{Cc}/gu, '\ufffd')).sort()
  const folders = folderLines(folderTree(sorted), Math.floor(tokens * FOLDER_SHARE), count)
  const [head = '', ...tree] = folders
  const lines = tree.length === 0 ? [head] : [`${head}. ${EXPLANATION}`, ...tree]
  let left = tokens - count(lines.join('\n'))
  /**
   * Adds a titled section with as many rows as fit into `share` tokens and into what is left; nothing where not even
   * one row fits.
   */
  const section = (title: string, rows: readonly string[], share: number): void => {
    const fitting = rowsWithin([title, ...rows], Math.min(left, share), count)
    if (fitting.length < 2) return
    left -= count(fitting.join('\n'))
    lines.push(...fitting)
  }
  section('Related files:', related.map(fileLine), Math.floor(tokens * RELATED_SHARE))
  const { manifests, entryPoints } = findEntryPoints(sorted)
  section('Manifests:', joinedPaths(manifests), Math.floor(left / 2))
  section('Entry points:', joinedPaths(entryPoints), left)
  const text = `${lines.join('\n')}\n`
  return { text, tokens: estimateTokens(text), files: sorted.length }
}

/** Names of a file that are shown. */
const MOST_NAMES = 12

/** "path: name, name, …" with the first 12 names; the path alone if there are none. */
const fileLine = ({ path, names }: MappedFile): string => {
  if (names.length === 0) return visibleName(path)
  const more = names.length > MOST_NAMES ? ', …' : ''
  return `${visibleName(path)}: ${names.slice(0, MOST_NAMES).join(', ')}${more}`
}

/** The first rows that fit into `tokens`; empty if the first does not. */
const rowsWithin = (rows: readonly string[], tokens: number, count: CountTokens): readonly string[] => {
  let used = 0
  const end = rows.findIndex((row) => (used += count(row)) > tokens)
  return end === -1 ? rows : rows.slice(0, end)
}
