/**
 * Finds transcripts: in the usual folders of every agent, or in files and folders that the user names, at any level of
 * an agent's layout. What the user named and can't be used is reported.
 */
import type { ImportSkip } from '../events.ts'
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import type { ImportedFile } from '../ports/import-storage.ts'
import { isUnchanged } from './import-cursor.ts'
import type { ImportEnvironment, Importer } from './importer.ts'
import { agentMismatches } from './agent-mismatches.ts'
import { IMPORTERS, findImporter, transcriptOf } from './registry.ts'
import { skipReason } from './skips.ts'
import { EMPTY, sniffImporter } from './sniff.ts'
import { unsupportedAgent } from './unsupported-agents.ts'
import { isInside } from './workspace.ts'

/** A transcript file and the importer for it. */
export interface FoundFile {
  /** Of all its files together where a transcript lies in several. */
  readonly facts: FileFacts
  readonly importer: Importer
}

/** The files to import, and what was left out. */
export interface Discovery {
  /** Sorted by path; each file once, however many links lead to it. */
  readonly files: readonly FoundFile[]
  /** What can't be used of what the user named, and everywhere links that lead out of what is searched. */
  readonly skips: readonly ImportSkip[]
  /** Files and folders that could not be read, whether or not a skip names them. */
  readonly unread: readonly string[]
}

/** Where to look, and for which agent. */
export interface DiscoverOptions {
  /** Absolute paths; none: the agents' usual folders. */
  readonly from?: readonly string[]
  /** Only this agent's transcripts; without it every file is recognised by path, then by its first lines. */
  readonly agent?: string
  /** Agents whose usual folders are not searched. */
  readonly exclude?: readonly string[]
  /** Of all that is there only these files, absolute; those outside of those above are passed over. */
  readonly changed?: readonly string[]
  readonly environment: ImportEnvironment
  /** Files imported before, by path: they are not examined again. */
  readonly known: ReadonlyMap<string, ImportedFile>
  readonly signal?: AbortSignal | undefined
}

/** How many files of no known kind are named one by one. */
const UNKNOWN_ROWS = 50
/** Folders that are not entered: very many files, no transcripts. */
const PASSED_FOLDERS = new Set(['node_modules', '.git'])
/** File names that a transcript could have. */
const POSSIBLE = /\.(?:jsonl|ndjson|json)(?:\.gz|\.zst)?$/i
/**
 * Why nothing is at a listed path: its name is no UTF-8 and was read with a replacement in it, or it is a link to
 * nowhere.
 */
const unreachable = (path: string): string =>
  path.includes('\uFFFD') ? 'its name is not valid UTF-8; rename it in order to import it' : 'a link to nowhere'

const LINK_CIRCLE = 'a link that leads in a circle, so that there is no file at its end'
const LINK_OUT = 'a link that leads out of the folder; name what it leads to in order to import it'
/** Aider's, which is Markdown. */
const CHAT_HISTORY = /\.aider\.chat\.history\.md$/
/** Databases, with the logs in which their changes stand first. */
const DATABASE = /\.(?:db|sqlite3?)(?:-wal)?$/i
const LINES_NAME = /\.jsonl(?:\.gz|\.zst)?$/i

/**
 * Where transcripts are looked for: what the user named, else the usual folders of the agent, or of all agents. Throws
 * a CairnError for an agent that is not supported.
 */
export const transcriptRoots = ({
  from,
  agent,
  exclude,
  environment,
}: Pick<DiscoverOptions, 'from' | 'agent' | 'exclude' | 'environment'>): readonly string[] =>
  rootsOf(from, searchedImporters(agent === undefined ? undefined : findImporter(agent), exclude), environment).map(
    ({ path }) => path,
  )

/**
 * Whether a folder of this name is searched: all but those with very many files and no transcripts (`node_modules`,
 * `.git`).
 */
export const isSearchedFolder = (name: string): boolean => !PASSED_FOLDERS.has(name)

/**
 * Whether a file of this name could be a transcript: JSON and JSON lines, packed or not, databases and Aider's chat
 * history.
 */
export const isTranscriptName = (name: string): boolean =>
  POSSIBLE.test(name) || DATABASE.test(name) || CHAT_HISTORY.test(name)

/** The importers to look for, without excluded agents. */
const searchedImporters = (wanted: Importer | undefined, exclude: readonly string[] = []): readonly Importer[] =>
  (wanted === undefined ? IMPORTERS : [wanted]).filter(({ agent }) => !exclude.includes(agent))

/** The folders to search: those that were named, else the usual ones of the importers. */
const rootsOf = (
  from: readonly string[] | undefined,
  importers: readonly Importer[],
  environment: ImportEnvironment,
): readonly Root[] =>
  from !== undefined && from.length > 0
    ? from.map((path) => ({ path }))
    : importers.flatMap((importer) =>
        importer.transcriptFolders(environment).map((path) => ({ path, defaultOf: importer })),
      )

/**
 * The changed files as roots of their own, each with the agent of the first root that holds it; those outside of all
 * roots are left out.
 */
const changedRoots = (
  roots: readonly Root[],
  changed: readonly string[],
  { platform }: ImportEnvironment,
): readonly Root[] =>
  changed.flatMap((path) => {
    const root = roots.find((each) => isInside(plain(path, platform), plain(each.path, platform)))
    return root === undefined ? [] : [{ ...root, path, isGiven: root.path === path }]
  })

/** Windows takes both separators. */
const plain = (path: string, platform: ImportEnvironment['platform']): string =>
  platform === 'win32' ? path.replaceAll('\\', '/') : path

/**
 * Finds the transcript files to import under the paths of `from`, else in the agents' usual folders: each once, sorted
 * by path. `agent` limits it to that agent's; `changed` to these files, as far as they lie in what is searched. `skips`
 * has what is missing or of no use of `from`, with reasons; of usual folders, only links that lead out. What can't be
 * read is in `unread`, and the search goes on. Writes nothing. Rejects with `usage` for an unknown agent,
 * `unsupported` for one that can't be imported yet, and with the signal's reason when aborted.
 */
export const discover = async (fileSystem: SearchedFileSystem, options: DiscoverOptions): Promise<Discovery> => {
  const wanted = options.agent === undefined ? undefined : findImporter(options.agent)
  const named = rootsOf(options.from, searchedImporters(wanted, options.exclude), options.environment)
  const search = new Search(fileSystem, options, wanted, named)
  const roots = options.changed === undefined ? named : changedRoots(named, options.changed, options.environment)
  for (const root of roots) await search.enter(root)
  return search.result()
}

type SearchedFileSystem = Pick<FileSystem, 'stat' | 'list' | 'read' | 'realPath'>

/** A file or folder that the user named, or one of an agent's usual folders. */
interface Root {
  readonly path: string
  readonly defaultOf?: Importer
  /** Default: the path is one that the user named. */
  readonly isGiven?: boolean
}

class Search {
  readonly #fileSystem: SearchedFileSystem
  readonly #options: DiscoverOptions
  readonly #wanted: Importer | undefined
  readonly #roots: readonly Root[]
  /** Whether the user named what is searched; then what can't be used is reported. */
  readonly #isNamed: boolean
  readonly #found = new Map<string, FoundFile>()
  readonly #files = new Set<string>()
  readonly #folders = new Set<string>()
  readonly #skips: ImportSkip[] = []
  readonly #unread: string[] = []
  #unknown = 0
  #lastUnknown = ''
  /** The agent whose files are looked for; undefined: any. */
  #owner: Importer | undefined
  #realRoots: Promise<readonly string[]> | undefined

  constructor(
    fileSystem: SearchedFileSystem,
    options: DiscoverOptions,
    wanted: Importer | undefined,
    roots: readonly Root[],
  ) {
    this.#fileSystem = fileSystem
    this.#options = options
    this.#wanted = wanted
    this.#roots = roots
    this.#isNamed = (options.from ?? []).length > 0
  }

  /** Searches a file or folder, with all that is below it; `result` has what is found. Rejects only when aborted. */
  async enter({ path, defaultOf, isGiven = true }: Root): Promise<void> {
    this.#owner = defaultOf ?? this.#wanted
    const facts = await this.#readFacts(transcriptOf(path))
    if (facts !== undefined) await this.#walk(facts, isGiven)
  }

  /**
   * What was found, by path, and what was skipped. Of many files of unknown kind in folders that the user named, the
   * last row counts the rest.
   */
  result(): Discovery {
    if (this.#isNamed && this.#unknown > UNKNOWN_ROWS)
      this.#skips.push({
        file: this.#lastUnknown,
        reason: 'further files that hold no transcripts of a supported agent',
        count: this.#unknown - UNKNOWN_ROWS,
      })
    const files = [...this.#found.values()].sort((a, b) =>
      a.facts.path < b.facts.path ? -1 : a.facts.path > b.facts.path ? 1 : 0,
    )
    return { files, skips: this.#skips, unread: this.#unread }
  }

  /**
   * The facts of a path to search. Undefined if it is missing or can't be read, which is noted as skipped; rejects only
   * when aborted.
   */
  async #readFacts(root: string): Promise<FileFacts | undefined> {
    try {
      const facts = await this.#fileSystem.stat(root)
      if (facts === undefined) this.#skip(root, 'no such file or folder')
      return facts
    } catch (error) {
      if (this.#options.signal?.aborted === true) throw error
      this.#nameUnread(root, error)
      return undefined
    }
  }

  /**
   * Visits everything below a path, depth first and in order, without recursion: folders may be nested deeply.
   * `isGiven`: the user named the path.
   */
  async #walk(root: FileFacts, isGiven: boolean): Promise<void> {
    const left = [root]
    for (let facts = left.pop(); facts !== undefined; facts = left.pop()) {
      const inside = await this.#visitSafely(facts, isGiven && facts === root && root.kind === 'file')
      for (const entry of inside.toReversed()) left.push(entry)
    }
  }

  /**
   * Visits a path; gives what is to be visited next: the entries of a folder, none for a file, which is collected if it
   * is a transcript. A path that can't be read is noted, gives none and does not end the search. Rejects only when
   * aborted. `given`: the user named this very file, so its content is read whatever its name.
   */
  async #visitSafely(facts: FileFacts, given: boolean): Promise<readonly FileFacts[]> {
    try {
      return await this.#visit(facts, given)
    } catch (error) {
      if (this.#options.signal?.aborted === true) throw error
      this.#nameUnread(facts.path, error)
      return []
    }
  }

  /**
   * Takes a file, and lists a folder: gives what is to be visited next. Links that lead out of the roots, and what is
   * neither, are skipped with a reason. A folder is listed once. Empty for a file. Rejects with the signal's reason,
   * and if the path can't be read.
   */
  async #visit(facts: FileFacts, given: boolean): Promise<readonly FileFacts[]> {
    this.#options.signal?.throwIfAborted()
    const { kind, path } = facts
    if (kind === 'dangling-link') this.#skip(path, unreachable(path))
    else if (kind === 'circular-link') this.#skip(path, LINK_CIRCLE)
    else if (kind === 'other') this.#skip(path, 'neither a file nor a folder, or not readable')
    else if (facts.isLink === true && !(await this.#isBelowRoots(path)))
      this.#skips.push({ file: path, reason: LINK_OUT, count: 1 })
    else if (kind === 'file') await this.#visitFile(facts, given)
    else if (isNew(this.#folders, facts)) return await this.#list(path)
    return []
  }

  /** The files and folders directly in a folder, without `node_modules` and `.git`. Rejects if it can't be read. */
  async #list(folder: string): Promise<readonly FileFacts[]> {
    return (await this.#fileSystem.list(folder, this.#options.signal)).filter(
      ({ kind, path }) => kind !== 'directory' || !PASSED_FOLDERS.has(path.split(/[/\\]/).at(-1) ?? ''),
    )
  }

  /** Whether a link leads to something that is searched anyway; a root may itself be reached by one. */
  async #isBelowRoots(link: string): Promise<boolean> {
    this.#realRoots ??= Promise.all(this.#roots.map(({ path }) => this.#fileSystem.realPath(path)))
    const searched = await this.#realRoots
    const target = await this.#fileSystem.realPath(link)
    return searched.some((root) => isInside(target, root))
  }

  /**
   * Adds a file to those that were found where an importer reads it, otherwise notes why not. `given`: the user named
   * this very file. A file that was found already, by another path, is not added again.
   */
  async #visitFile(facts: FileFacts, given: boolean): Promise<void> {
    const isPossible = given || POSSIBLE.test(facts.path)
    if (facts.size === 0) {
      if (isPossible) this.#skip(facts.path, EMPTY)
      else this.#skipUnknown(facts.path, EMPTY)
      return
    }
    const importer = await this.#importerFor(facts, isPossible)
    if (importer === undefined) return
    if (typeof importer === 'string') this.#skipUnknown(facts.path, importer)
    else if (isNew(this.#files, facts))
      this.#found.set(facts.path, { facts: (await importer.facts?.(facts, this.#fileSystem)) ?? facts, importer })
  }

  /**
   * The importer of a file; undefined for a file to pass over, and for one that is not of the named agent, which is
   * reported here; a text that says why for one that no importer reads. `isPossible`: its name may be that of a
   * transcript, so its content is worth reading.
   */
  async #importerFor(facts: FileFacts, isPossible: boolean): Promise<Importer | string | undefined> {
    const owner = this.#owner
    const candidates = owner === undefined ? IMPORTERS : [owner]
    const recognised = candidates.map((importer) => ({
      importer,
      as: importer.recognise(facts.path, owner !== undefined),
    }))
    const transcript = recognised.find(({ as }) => as === 'transcript')
    if (transcript !== undefined) return transcript.importer
    if (recognised.some(({ as }) => as === 'sidecar')) return undefined
    // The user's word is taken for a file that they name with its agent, if it holds anything of that agent's.
    if (this.#isNamed && this.#wanted !== undefined && isPossible)
      return (await this.#isRefused(this.#wanted, facts)) ? undefined : this.#wanted
    if (!this.#isNamed && owner !== undefined && isLinesFileOf(owner, facts.path)) return owner
    return await this.#importerByContent(facts, candidates, isPossible)
  }

  /**
   * The importer that a file's content fits, the one of the last run first; otherwise the reason to skip it.
   * @param isPossible whether its name may be a transcript's, so that its first lines are worth reading
   */
  async #importerByContent(
    facts: FileFacts,
    candidates: readonly Importer[],
    isPossible: boolean,
  ): Promise<Importer | string> {
    const before = this.#options.known.get(facts.path)?.agent
    const same = candidates.find(({ agent }) => agent === before)
    if (same !== undefined) return same
    return isPossible
      ? await sniffImporter(facts, candidates, this.#fileSystem)
      : (unsupportedAgent(facts.path) ?? 'not a transcript of a known agent')
  }

  /**
   * Reports what contradicts the agent that the user named; false if nothing does, and for a file unchanged since its
   * import.
   */
  async #isRefused(importer: Importer, facts: FileFacts): Promise<boolean> {
    const before = this.#options.known.get(facts.path)
    if (before?.agent === importer.agent && isUnchanged(before.cursor, facts)) return false
    const [first, ...details] = await agentMismatches(importer, facts, this.#fileSystem)
    if (first === undefined) return false
    this.#skipUnknown(facts.path, first.reason)
    if (this.#unknown <= UNKNOWN_ROWS) this.#skips.push(...details)
    return true
  }

  /** Adds a path that can't be read to `unread`, and reports the reason as `#skip` does. */
  #nameUnread(path: string, error: unknown): void {
    this.#unread.push(path)
    this.#skip(path, skipReason(path, error))
  }

  /** Reports what is left out, but nothing in an agent's usual folders. */
  #skip(file: string, reason: string): void {
    if (this.#isNamed) this.#skips.push({ file, reason, count: 1 })
  }

  /** Counts a file of unknown kind; only the first `UNKNOWN_ROWS` get a row of their own. */
  #skipUnknown(file: string, reason: string): void {
    this.#unknown++
    this.#lastUnknown = file
    if (this.#unknown <= UNKNOWN_ROWS) this.#skip(file, reason)
  }
}

/** In an agent's own folder its files are transcripts, whatever their names, and however long their first line is. */
const isLinesFileOf = (owner: Importer, path: string): boolean =>
  owner.format(path) === 'lines' && LINES_NAME.test(path)

/**
 * Whether a file or folder was not seen before; from now on it was. One without an identity is recognised by its path.
 */
const isNew = (seen: Set<string>, { identity, path }: FileFacts): boolean => {
  const key = identity === '' ? path : identity
  if (seen.has(key)) return false
  seen.add(key)
  return true
}
