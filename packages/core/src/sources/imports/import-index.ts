/** The import graph of a workspace, kept up to date: what a file imports, what imports it, and circles through it. */
import { CairnError } from '../../errors.ts'
import { echoed } from '../../input.ts'
import type { FileList, ReadRefusal, WorkspaceFile, WorkspaceFiles } from '../../ports/workspace-files.ts'
import type { FoundImport } from './found-import.ts'
import { allNeighbours, connectedComponents, cyclesThrough, type ImportCycle } from './import-cycles.ts'
import { createImportGraph, type ImportEdge, type ImportGraph } from './import-graph.ts'
import { LARGEST_SOURCE, updateRecords, versionOf, type ImportRecords } from './import-records.ts'
import { createPathIndex } from './path-index.ts'
import { readSettings } from './project-settings.ts'
import { createImportResolver } from './resolver.ts'
import type { ResolveImport } from './resolve-javascript.ts'
import { sourceLanguageOf } from './source-language.ts'

/** What is known about one file of the workspace. */
export interface FileImports {
  readonly path: string
  readonly imports: readonly ImportEdge[]
  readonly importers: readonly ImportEdge[]
  readonly cycles: readonly ImportCycle[]
  /** What the answer lacks, a sentence each. */
  readonly notices: readonly string[]
}

/**
 * Keeps records between runs. Neither function throws: an unreadable cache is an empty one, and a failed write is
 * ignored.
 */
export interface ImportCache {
  readonly load: () => ImportRecords
  readonly save: (records: ImportRecords) => void
}

/** A parser of JavaScript and TypeScript: all imports of a text, or undefined where it is no such text. */
export type ParseImports = (path: string, text: string) => readonly FoundImport[] | undefined

/** What an index reads from; without `cache` nothing is kept between runs. */
export interface ImportIndexParts {
  readonly files: WorkspaceFiles
  readonly cache?: ImportCache
  /** Loads the parser that circles are made sure of with; undefined, or resolving to undefined, where there is none. */
  readonly loadParser?: () => Promise<ParseImports | undefined>
}

/** The imports of a workspace, up to date whenever they are asked for. */
export interface ImportIndex {
  /** The graph as the files are now; only changed files are read. */
  graph(signal?: AbortSignal): Promise<ImportGraph>
  /**
   * Imports, importers and circles of the first of these files that there is, each named by its path or the end of it.
   * Undefined where there is none; rejects with `ambiguous` where several have an end that none has as its path.
   */
  about(names: readonly string[], signal?: AbortSignal): Promise<FileImports | undefined>
}

/**
 * Creates the import index of a workspace. Nothing is read until it is asked something; unchanged files are not read
 * again, in this process or, with `cache`, in the next one. Cycles of JavaScript files are confirmed with the parser
 * that `loadParser` loads, if there is one.
 */
export const createImportIndex = ({ files, cache, loadParser }: ImportIndexParts): ImportIndex => {
  let records: ImportRecords | undefined
  let made: State | undefined
  /**
   * Lists the files, reads those that changed, and makes the graph anew unless the list is the same; keeps the records.
   */
  const update = async (signal?: AbortSignal): Promise<State> => {
    const list = await files.list(signal)
    const before = records ?? cache?.load() ?? new Map()
    const { records: after, readFiles } = await updateRecords(before, list.files, files, signal)
    if (cache !== undefined && (readFiles > 0 || after.size !== before.size)) cache.save(after)
    records = after
    const paths = list.files.map(({ path }) => path)
    if (made !== undefined && isSameList(made.list.files, list.files)) return { ...made, list }
    const settings = await readSettings(new Set(paths), (path) => readText(files, path))
    const resolve = createImportResolver(createPathIndex(paths), settings)
    const found = new Map([...after].map(([path, { imports }]) => [path, imports]))
    made = { list, paths, found, resolve, records: after, graph: createImportGraph(found, resolve) }
    return made
  }
  return {
    graph: async (signal) => (await update(signal)).graph,
    about: async (names, signal) => {
      const state = await update(signal)
      const path = names.find((name) => state.paths.includes(name)) ?? firstNamed(names, state.paths)
      if (path === undefined) return undefined
      const exact = await confirmedGraph(path, state, { files, ...(loadParser && { loadParser }) })
      return {
        path,
        imports: exact.graph.importsOf(path),
        importers: exact.graph.importersOf(path),
        cycles: cyclesThrough(exact.graph, path),
        notices: [...noticesOf(path, state), ...exact.notices],
      }
    },
  }
}

/** What the last update read and derived. */
interface State {
  readonly list: FileList
  readonly paths: readonly string[]
  readonly found: ReadonlyMap<string, readonly FoundImport[]>
  readonly resolve: ResolveImport
  readonly records: ImportRecords
  readonly graph: ImportGraph
}

/** Whether the files are the same, in the same order and unchanged; configuration files count too. */
const isSameList = (before: readonly WorkspaceFile[], now: readonly WorkspaceFile[]): boolean =>
  before.length === now.length &&
  now.every((file, index) => {
    const other = before[index]
    return other !== undefined && other.path === file.path && versionOf(other) === versionOf(file)
  })

/** Reads a file as UTF-8; undefined if it is gone, binary, or larger than `LARGEST_SOURCE`. */
const readText = async (files: WorkspaceFiles, path: string): Promise<string | undefined> => {
  const answer = await files.read(path, LARGEST_SOURCE)
  return 'content' in answer ? new TextDecoder().decode(answer.content) : undefined
}

/** Names shown of an end that several files have. */
const MOST_NAMES = 3

/**
 * Returns the path that ends in `/` and the first name for which there is one; a path that equals the name is none.
 * Undefined if no name has one.
 * @throws CairnError `ambiguous` if several paths end in the same name
 */
const firstNamed = (names: readonly string[], paths: readonly string[]): string | undefined => {
  for (const name of names) {
    const path = pathEndingIn(name, paths)
    if (path !== undefined) return path
  }
  return undefined
}

/**
 * Returns the only path that ends in `/name`; undefined if there is none.
 * @throws CairnError `ambiguous` if there are several
 */
const pathEndingIn = (name: string, paths: readonly string[]): string | undefined => {
  const found = name === '' ? [] : paths.filter((path) => path.endsWith(`/${name}`))
  if (found.length < 2) return found[0]
  const names = found.slice(0, MOST_NAMES).join(', ')
  throw new CairnError(
    'ambiguous',
    `${found.length} files end in "${echoed(name)}" (${names}${found.length > MOST_NAMES ? ', …' : ''}): say more of the path.`,
  )
}

const REFUSALS: Readonly<Record<ReadRefusal, string>> = {
  gone: 'was gone when it was to be read',
  'too-large': 'is too large to be read for imports',
  binary: 'is binary and was not read for imports',
  'not-a-file': 'is no regular file and was not read for imports',
  outside: 'lies outside of the workspace and was not read for imports',
  ignored: 'is ignored and was not read for imports',
  unreadable: 'could not be read for imports',
}

/**
 * Sentences about what may be missing in the answer for a file: it was not read, its language is not supported, or not
 * all files were listed. Empty if nothing is.
 */
const noticesOf = (path: string, { list, records }: State): readonly string[] => {
  const refused = records.get(path)?.refused
  return [
    ...(refused === undefined ? [] : [`${path} ${REFUSALS[refused]}.`]),
    ...(sourceLanguageOf(path) === undefined
      ? [`${path} is not read for imports: only TypeScript, JavaScript, Python, Go and Rust are.`]
      : []),
    ...(list.isComplete ? [] : [`Only the first ${list.files.length} files were looked at: importers may be missing.`]),
  ]
}

const NO_PARSER = 'The parser of JavaScript is not there for this system: a circle may be missing, or be none.'

/**
 * Returns the graph with the imports of this file, and of all files that may be in a cycle with it, as a parser sees
 * them. Repeats until no new file joins, because the parser may find imports that the patterns missed. Without a parser
 * the graph is returned unchanged, with a notice if there may be a cycle.
 */
const confirmedGraph = async (
  path: string,
  { found, resolve, graph }: State,
  { files, loadParser }: Pick<ImportIndexParts, 'files' | 'loadParser'>,
): Promise<{ readonly graph: ImportGraph; readonly notices: readonly string[] }> => {
  const exact = new Map<string, readonly FoundImport[]>()
  const notices: string[] = []
  let confirmed = graph
  let parse: ParseImports | undefined
  for (;;) {
    const circle = connectedComponents([path], allNeighbours(confirmed)).find((each) => each.includes(path)) ?? []
    const open = [path, ...circle.filter((each) => each !== path)].filter(
      (each) => sourceLanguageOf(each) === 'javascript' && !exact.has(each),
    )
    if (open.length === 0) return { graph: confirmed, notices }
    parse ??= await loadParser?.()
    if (parse === undefined) return { graph: confirmed, notices: circle.length === 0 ? [] : [NO_PARSER] }
    for (const each of open) {
      const text = await readText(files, each)
      const parsed = text === undefined ? undefined : parse(each, text)
      if (text !== undefined && parsed === undefined)
        notices.push(`${each} could not be parsed: a circle through it may be none.`)
      exact.set(each, parsed ?? found.get(each) ?? [])
    }
    confirmed = createImportGraph(new Map([...found, ...exact]), resolve)
  }
}
