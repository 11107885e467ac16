/**
 * Citations in an entry's examples: `path:line` or `path:line-line`, followed by a fingerprint of the cited lines once
 * they were seen (`src/a.ts:3-5@1a2b3c4d`). A suffix records the result of the last check: `!` if the lines were
 * missing, `~2026-01-31` if they differ since that day.
 */
import type { FileSystem } from '../ports/file-system.ts'
import type { Hasher } from '../ports/hasher.ts'

/** A parsed citation of lines in a file. */
export interface Citation {
  readonly path: string
  /** The first and the last line, counted from 1. */
  readonly from: number
  readonly to: number
  /** Fingerprint of the lines when they were seen; undefined if they never were. */
  readonly fingerprint: string | undefined
  /** Whether they were missing at the last check. */
  readonly isMissing: boolean
  /** `2026-01-31`: the day since which they differ; undefined if they don't. */
  readonly changedOn: string | undefined
}

const CITATION =
  /^(?<path>\S(?:.*\S)?):(?<from>[1-9]\d{0,7})(?:-(?<to>[1-9]\d{0,7}))?(?:@(?<fingerprint>[0-9a-f]{8})(?<missing>!)?(?:~(?<changed>\d{4}-\d\d-\d\d))?)?$/u
/** A text without any of these is a sentence with a number, not a file. */
const PATH_LIKE = /[./\\]/

/**
 * Parses an example such as `src/a.ts:3-5`; undefined if it is other text, a URL, or a range that ends before it
 * starts.
 */
export const parseCitation = (example: string): Citation | undefined => {
  const { path, from, to, fingerprint, missing, changed } = CITATION.exec(example)?.groups ?? {}
  if (path === undefined || from === undefined || !PATH_LIKE.test(path) || path.includes('://')) return undefined
  const [first, last] = [Number(from), Number(to ?? from)]
  return first > last
    ? undefined
    : { path, from: first, to: last, fingerprint, isMissing: missing !== undefined, changedOn: changed }
}

const LIKE_CITATION = /^[^\s:]*(?:[\\/][^\s:]*|\.[A-Za-z]\w{0,9}):\d+(?:-\d+)?$/u

/** Whether an example has the form of a citation but impossible lines: `a.ts:0`, `a.ts:9-3`. */
export const isWrongCitation = (example: string): boolean =>
  LIKE_CITATION.test(example) && parseCitation(example) === undefined

/** Formats a citation as an example, with its fingerprint if it has one; the reverse of {@link parseCitation}. */
export const formatExample = ({ path, from, to, fingerprint, isMissing, changedOn }: Citation): string =>
  `${path}:${from}${to === from ? '' : `-${to}`}${fingerprint === undefined ? '' : `@${fingerprint}${isMissing ? '!' : ''}${changedOn === undefined ? '' : `~${changedOn}`}`}`

/** An example for display: without the fingerprint. Anything that is not a citation is returned unchanged. */
export const citationText = (example: string): string => {
  const citation = parseCitation(example)
  return citation === undefined ? example : formatExample({ ...citation, fingerprint: undefined })
}

/** Eight hex digits of a hash over lines, ignoring leading and trailing blanks, to detect changes later. */
export const linesFingerprint = (lines: readonly string[], hasher: Hasher): string =>
  hasher.sha256(lines.map((line) => line.trim()).join('\n')).slice(0, 8)

/** The result of reading a cited file. */
export type CitedFile =
  | { readonly found: 'lines'; readonly lines: readonly string[] }
  | { readonly found: 'missing' }
  | { readonly found: 'unreadable'; readonly why: string }

/** Larger files are not compared. */
const MAX_BYTES = 4 << 20

/**
 * Reads the lines of a cited file, provided it is really below the folder: no `..`, no absolute path elsewhere, no link
 * out of the folder. Otherwise says that it is missing, or why it can't be read. Never rejects.
 */
export const readCited = async (fileSystem: FileSystem, folder: string, path: string): Promise<CitedFile> => {
  const position = pathBelow(folder, path)
  if (position === undefined) return { found: 'unreadable', why: 'it lies outside of the project' }
  try {
    const [realFolder, realFile] = await Promise.all([fileSystem.realPath(folder), fileSystem.realPath(position)])
    if (!isBelow(slashes(realFolder), slashes(realFile)))
      return { found: 'unreadable', why: 'a link leads out of the project' }
    const facts = await fileSystem.stat(position)
    if (facts === undefined || facts.kind === 'dangling-link' || facts.kind === 'circular-link')
      return { found: 'missing' }
    if (facts.kind !== 'file') return { found: 'unreadable', why: 'it is not a file' }
    if (facts.size > MAX_BYTES) return { found: 'unreadable', why: 'the file is too large to compare' }
    const text = await fileSystem.readText(position)
    return text === undefined ? { found: 'missing' } : { found: 'lines', lines: linesOf(text) }
  } catch {
    return { found: 'unreadable', why: "the file can't be read" }
  }
}

/**
 * Adds to each citation without a fingerprint that of its current lines, keeping the order. Citations with a
 * fingerprint or of unreadable files, and other texts, stay.
 */
export const withFingerprints = (
  examples: readonly string[],
  folder: string,
  fileSystem: FileSystem,
  hasher: Hasher,
): Promise<readonly string[]> =>
  replaceCitations(examples, folder, fileSystem, (citation, lines) =>
    citation.fingerprint === undefined ? { ...citation, fingerprint: linesFingerprint(lines, hasher) } : undefined,
  )

/**
 * Replaces the citations whose lines can be read by what `replace` returns for them (undefined keeps one). All other
 * examples stay, in order.
 */
export const replaceCitations = (
  examples: readonly string[],
  folder: string,
  fileSystem: FileSystem,
  replace: (citation: Citation, lines: readonly string[], file: CitedFile) => Citation | undefined,
): Promise<readonly string[]> =>
  Promise.all(
    examples.map(async (example) => {
      const citation = parseCitation(example)
      if (citation === undefined) return example
      const file = await readCited(fileSystem, folder, citation.path)
      const lines = file.found === 'lines' ? citedLines(file.lines, citation) : undefined
      const replaced = lines === undefined ? undefined : replace(citation, lines, file)
      return replaced === undefined ? example : formatExample(replaced)
    }),
  )

/** The cited lines (the first has the number 1); undefined if the file is shorter. */
export const citedLines = (
  lines: readonly string[],
  { from, to }: Pick<Citation, 'from' | 'to'>,
): readonly string[] | undefined => (to > lines.length ? undefined : lines.slice(from - 1, to))

/** The lines of a text; a final line break does not start another line. */
const linesOf = (text: string): readonly string[] => {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

const ABSOLUTE = /^(?:\/|[A-Za-z]:)/
const slashes = (path: string): string => path.replaceAll('\\', '/')
/** Whether a path is inside a folder, by text; the folder itself is not. */
const isBelow = (folder: string, path: string): boolean => path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)

/**
 * The absolute path, with `/`, of a cited file below a folder, by text alone; undefined if it would leave the folder,
 * or if the folder is none of this machine's.
 */
const pathBelow = (folder: string, path: string): string | undefined => {
  const [root, given] = [slashes(folder).replace(/\/+$/, ''), slashes(path)]
  const isAbsolute = ABSOLUTE.test(given)
  // A project that is known by its name alone has no folder here.
  if (!ABSOLUTE.test(slashes(folder)) || (isAbsolute && !isBelow(root, given))) return undefined
  const parts = (isAbsolute ? given.slice(root.length) : given).split('/').filter((part) => part !== '' && part !== '.')
  if (parts.length === 0 || parts.includes('..') || given.includes('\0')) return undefined
  return `${root}/${parts.join('/')}`
}
