/**
 * Finds transcripts: in the usual places of every agent, or in files and folders that the user names,
 * which may be any level of an agent's layout. What the user named and can't be used is reported.
 */
import type { ImportSkip } from '../events.ts'
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import type { ImportedFile } from '../ports/import-storage.ts'
import { isUnchanged } from './cursor.ts'
import type { ImportEnvironment, Importer } from './importer.ts'
import { agentMismatches } from './agent-mismatches.ts'
import { IMPORTERS, findImporter } from './registry.ts'
import { skipReason } from './skips.ts'
import { sniffImporter } from './sniff.ts'
import { unsupportedAgent } from './unsupported-agents.ts'
import { isInside } from './workspace.ts'

/** A transcript file and the importer for it. */
export interface FoundFile {
  readonly facts: FileFacts
  readonly importer: Importer
}

/** The files to import, and what was left out. */
export interface Discovery {
  /** Sorted by path; each file once, however many links lead to it. */
  readonly files: readonly FoundFile[]
  readonly skips: readonly ImportSkip[]
}

/** Where to look, and for which agent. */
export interface DiscoverOptions {
  /** Absolute paths; none: the usual places. */
  readonly from?: readonly string[]
  /** Only this agent's transcripts; without it every file is recognised by path, then by its first lines. */
  readonly agent?: string
  readonly environment: ImportEnvironment
  /** Files imported before: what they are need not be found out again. */
  readonly known: ReadonlyMap<string, ImportedFile>
  readonly signal?: AbortSignal | undefined
}

/** Files of no known kind that are named one by one. */
const UNKNOWN_ROWS = 50
/** Folders that hold no transcripts but very many files. */
const PASSED_FOLDERS = new Set(['node_modules', '.git'])
/** File names that a transcript could have. */
const POSSIBLE = /\.(?:jsonl|ndjson|json)(?:\.gz)?$/i
const LINK_OUT = 'a link that leads out of the folder; name what it leads to in order to import it'
const LINES_NAME = /\.jsonl(?:\.gz)?$/i

/** Finds the transcript files to import. Rejects with a CairnError for an agent that is not supported. */
export const discover = async (
  fileSystem: Pick<FileSystem, 'stat' | 'list' | 'read' | 'realPath'>,
  options: DiscoverOptions,
): Promise<Discovery> => {
  const wanted = options.agent === undefined ? undefined : findImporter(options.agent)
  const named = options.from !== undefined && options.from.length > 0
  const roots: readonly Root[] = named
    ? (options.from ?? []).map((path) => ({ path }))
    : (wanted === undefined ? IMPORTERS : [wanted]).flatMap((importer) =>
        importer.transcriptFolders(options.environment).map((path) => ({ path, defaultOf: importer })),
      )
  const search = createSearch(fileSystem, options, wanted, roots)
  for (const { path, defaultOf } of roots) await search.enter(path, defaultOf)
  return search.result()
}

/** A file or folder that the user named, or an agent's usual place. */
interface Root {
  readonly path: string
  readonly defaultOf?: Importer
}

const createSearch = (
  fileSystem: Pick<FileSystem, 'stat' | 'list' | 'read' | 'realPath'>,
  options: DiscoverOptions,
  wanted: Importer | undefined,
  roots: readonly Root[],
) => {
  const named = (options.from ?? []).length > 0
  const found = new Map<string, FoundFile>()
  const identities = new Set<string>()
  const folders = new Set<string>()
  const skips: ImportSkip[] = []
  let unknown = 0
  let lastUnknown = ''
  /** Whose usual place is being searched. */
  let owner = wanted

  const skip = (file: string, reason: string): void => {
    if (named) skips.push({ file, reason, count: 1 })
  }

  const skipUnknown = (file: string, reason: string): void => {
    unknown++
    lastUnknown = file
    if (unknown <= UNKNOWN_ROWS) skip(file, reason)
  }

  let realRoots: Promise<readonly string[]> | undefined
  /** Whether a link leads to something that is searched anyway; a root may itself be reached by one. */
  const isBelowRoots = async (link: string): Promise<boolean> => {
    const searched = await (realRoots ??= Promise.all(roots.map(({ path }) => fileSystem.realPath(path))))
    const target = await fileSystem.realPath(link)
    return searched.some((root) => isInside(target, root))
  }

  /** Whether the thing was not met before; things without an identity always count as new. */
  const isNew = (seen: Set<string>, { identity, path }: FileFacts): boolean => {
    const key = identity === '' ? path : identity
    if (seen.has(key)) return false
    seen.add(key)
    return true
  }

  /** Names what speaks against the agent that the user named; false when nothing does. */
  const isRefused = async (importer: Importer, facts: FileFacts): Promise<boolean> => {
    const before = options.known.get(facts.path)
    if (before?.agent === importer.agent && isUnchanged(before.cursor, facts)) return false
    const objections = await agentMismatches(importer, facts, fileSystem)
    const [first, ...details] = objections
    if (first === undefined) return false
    skipUnknown(facts.path, first.reason)
    if (unknown <= UNKNOWN_ROWS) skips.push(...details)
    return true
  }

  const importerFor = async (facts: FileFacts, given: boolean): Promise<Importer | string | undefined> => {
    const candidates = owner === undefined ? IMPORTERS : [owner]
    const recognised = candidates.map((importer) => ({
      importer,
      as: importer.recognise(facts.path, owner !== undefined),
    }))
    const transcript = recognised.find(({ as }) => as === 'transcript')
    if (transcript !== undefined) return transcript.importer
    if (recognised.some(({ as }) => as === 'sidecar')) return undefined
    // A file that the user names together with its agent is taken at their word, if it holds anything of that agent's.
    if (named && wanted !== undefined && (given || POSSIBLE.test(facts.path)))
      return (await isRefused(wanted, facts)) ? undefined : wanted
    // In its own folder, whatever an agent calls its transcripts, and however long their first line is.
    if (!named && owner !== undefined && owner.format(facts.path) === 'lines' && LINES_NAME.test(facts.path))
      return owner
    const before = options.known.get(facts.path)?.agent
    const same = candidates.find(({ agent }) => agent === before)
    if (same !== undefined) return same
    return given || POSSIBLE.test(facts.path)
      ? sniffImporter(facts, candidates, fileSystem)
      : (unsupportedAgent(facts.path) ?? 'not a transcript of a known agent')
  }

  const visitFile = async (facts: FileFacts, given: boolean): Promise<void> => {
    if (facts.size === 0) {
      const recognised = given || POSSIBLE.test(facts.path)
      if (recognised) skip(facts.path, 'empty')
      else skipUnknown(facts.path, 'empty')
      return
    }
    const importer = await importerFor(facts, given)
    if (importer === undefined) return
    if (typeof importer === 'string') skipUnknown(facts.path, importer)
    else if (isNew(identities, facts)) found.set(facts.path, { facts, importer })
  }

  /** What is in a folder; nothing where there is nothing to go into. */
  const visit = async (facts: FileFacts, given: boolean): Promise<readonly FileFacts[]> => {
    options.signal?.throwIfAborted()
    if (facts.kind === 'dangling-link') skip(facts.path, 'a link to nowhere')
    else if (facts.kind === 'other') skip(facts.path, 'neither a file nor a folder, or not readable')
    else if (facts.isLink === true && !(await isBelowRoots(facts.path)))
      skips.push({ file: facts.path, reason: LINK_OUT, count: 1 })
    else if (facts.kind === 'file') await visitFile(facts, given)
    else if (isNew(folders, facts)) return await entriesOf(facts.path)
    return []
  }

  const entriesOf = async (folder: string): Promise<readonly FileFacts[]> =>
    (await fileSystem.list(folder, options.signal)).filter(
      ({ kind, path }) => kind !== 'directory' || !PASSED_FOLDERS.has(path.split(/[/\\]/).at(-1) ?? ''),
    )

  /** One file or folder that can't be read does not end the search. */
  const visitSafely = async (facts: FileFacts, given: boolean): Promise<readonly FileFacts[]> => {
    try {
      return await visit(facts, given)
    } catch (error) {
      if (options.signal?.aborted === true) throw error
      skip(facts.path, skipReason(facts.path, error))
      return []
    }
  }

  /** A folder with all that is below it, in order. */
  const walk = async (root: FileFacts): Promise<void> => {
    const left = [root]
    for (let facts = left.pop(); facts !== undefined; facts = left.pop()) {
      const inside = await visitSafely(facts, facts === root && root.kind === 'file')
      for (let index = inside.length - 1; index >= 0; index--) {
        const entry = inside[index]
        if (entry !== undefined) left.push(entry)
      }
    }
  }

  const statOf = async (root: string): Promise<FileFacts | undefined> => {
    try {
      const facts = await fileSystem.stat(root)
      if (facts === undefined) skip(root, 'no such file or folder')
      return facts
    } catch (error) {
      if (options.signal?.aborted === true) throw error
      skip(root, skipReason(root, error))
      return undefined
    }
  }

  return {
    enter: async (root: string, defaultOf?: Importer): Promise<void> => {
      owner = defaultOf ?? wanted
      const facts = await statOf(root)
      if (facts !== undefined) await walk(facts)
    },
    result: (): Discovery => {
      if (named && unknown > UNKNOWN_ROWS)
        skips.push({
          file: lastUnknown,
          reason: 'further files that hold no transcripts of a supported agent',
          count: unknown - UNKNOWN_ROWS,
        })
      return {
        files: [...found.values()].sort((a, b) =>
          a.facts.path < b.facts.path ? -1 : a.facts.path > b.facts.path ? 1 : 0,
        ),
        skips,
      }
    },
  }
}
