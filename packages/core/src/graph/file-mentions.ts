/**
 * Messages whose text mentions a file. The index stores a file's name as one word; the text itself shows which path was
 * written.
 */
import type { SearchHit } from '../ports/search-index.ts'
import { relativePath } from '../file-activity/file-activity.ts'
import { GRAPH_LIMITS } from './limits.ts'
import { newestFirst } from './links.ts'
import { endsWithPath, isAbsolute, plainPath } from './paths.ts'
import { firstDistinct, type Question } from './question.ts'

/** Messages that mention a file; `isCut` if the search stopped at its limit. */
export interface FileMentions {
  /** Newest first. */
  readonly hits: readonly SearchHit[]
  /** Whether there may be more: only the best hits were examined. */
  readonly isCut: boolean
}

/**
 * Messages that mention the file by its path, by a longer or shorter path that can mean no other file, or by its name
 * alone. `isCut`: there may be more. Empty for an empty path. Newest first.
 */
export const fileMentions = async (
  path: string,
  { search, session, period }: Pick<Question, 'search' | 'session' | 'period'>,
): Promise<FileMentions> => {
  const name = path.split('/').at(-1) ?? ''
  if (name === '') return { hits: [], isCut: false }
  const found = await search.search({ text: name, isName: true, ...period, limit: GRAPH_LIMITS.mentions })
  const pattern = pathsEnding(name)
  const folders = new Map<string, string | undefined>()
  for (const id of firstDistinct(
    found.map(({ sessionId }) => sessionId),
    GRAPH_LIMITS.namedSessions,
  ))
    folders.set(id, (await session(id))?.workspace ?? undefined)
  const named = found.flatMap((hit) => {
    if (!hit.text.includes(name)) return []
    const folder = folders.get(hit.sessionId)
    // A whole path never means a file of another project.
    if (isAbsolute(path) && folder !== undefined && !path.startsWith(`${plainPath(folder)}/`))
      return hit.text.replaceAll('\\', '/').includes(path) ? [{ hit, paths: [path] }] : []
    // `@src/a.ts` hands the file to an agent.
    const paths = writtenPaths(hit.text, name, pattern).map((written) =>
      relativePath(plainPath(path.includes('@') ? written : written.replace(/^@/, '')), folder),
    )
    return paths.length === 0 ? [] : [{ hit, paths }]
  })
  const all = new Set(named.flatMap(({ paths }) => paths))
  const isMeant = meaning(path, all)
  return {
    hits: named.flatMap(({ hit, paths }) => (paths.some(isMeant) ? [hit] : [])).toSorted(newestFirst),
    isCut: found.length === GRAPH_LIMITS.mentions,
  }
}

/**
 * Which of the written paths mean the file: `src/a.ts` does not also mean `test/src/a.ts` if both are mentioned, and
 * `a.ts` alone means it only if no other file is mentioned.
 */
const meaning = (path: string, all: ReadonlySet<string>): ((written: string) => boolean) => {
  const isLonger = (written: string): boolean => endsWithPath(written, path)
  const isExact = all.has(path)
  const others = [...all].some((written) => !isLonger(written) && !endsWithPath(path, written))
  return (written) => {
    if (written === path) return true
    if (isLonger(written)) return !isExact || !path.includes('/') || isAbsolute(written)
    return endsWithPath(path, written) && (written.includes('/') || !others)
  }
}

/**
 * Maximum number of occurrences of a name examined in one message, and characters before each that may belong to its
 * path.
 */
const MOST_OCCURRENCES = 100
const LONGEST_PATH = 1_000
/** Texts of up to this many characters are examined completely. */
const SHORT_TEXT = 20_000

/**
 * The paths in a text that end with the name, as written. A long text is examined only around the name. At most
 * `MOST_OCCURRENCES` of them in a long text.
 */
const writtenPaths = (text: string, name: string, pattern: RegExp): readonly string[] => {
  if (text.length <= SHORT_TEXT) return [...text.matchAll(pattern)].map(([written]) => written)
  const paths: string[] = []
  for (
    let at = text.indexOf(name), count = 0;
    at !== -1 && count < MOST_OCCURRENCES;
    at = text.indexOf(name, at + name.length), count += 1
  ) {
    const start = Math.max(0, at - LONGEST_PATH)
    const end = at + name.length
    // With what follows, which tells `a.ts` from `a.tsx`.
    for (const found of text.slice(start, end + 3).matchAll(pattern))
      if (start + found.index + found[0].length === end) paths.push(found[0])
  }
  return paths
}

const IN_PATH = String.raw`[\p{L}\p{N}_.@~+$-]`

/**
 * Matches paths that end with the name: `a.ts`, `./src/a.ts`, `C:\src\a.ts`; not `data.ts` or `a.tsx`. Linear time:
 * every repetition is bounded.
 */
const pathsEnding = (name: string): RegExp =>
  new RegExp(
    String.raw`(?<!${IN_PATH})(?:[A-Za-z]:)?[\\/]{0,3}(?:${IN_PATH}{1,200}[\\/]{1,3}){0,40}(?<![\p{L}\p{N}_$-])${name.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)}(?![\p{L}\p{N}_$-]|\.[\p{L}\p{N}])`,
    'gu',
  )
