/** Finds related files: lists, takes what the index has, reads what it lacks, ranks, explains. */
import { CairnError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Hasher } from '../../ports/hasher.ts'
import type { SourceAccess } from '../../ports/source-access.ts'
import type { WorkspaceFile, WorkspaceFiles, WorkspaceRoot } from '../../ports/workspace-files.ts'
import type { Commit } from './commits.ts'
import { focusScores, readFocus } from './focus-scores.ts'
import { createHistory } from './history.ts'
import type { History } from './history.ts'
import { pathTerms } from './file-terms.ts'
import type { FileTerms } from './field-counts.ts'
import { questionTerms } from './question.ts'
import type { QuestionTerm } from './question.ts'
import { rank } from './rank.ts'
import type { RankInput } from './rank.ts'
import type { IndexReport, RelatedAnswer, RelatedFiles, RelatedQuery } from './related.ts'
import { stemOfPath } from './same-stem.ts'
import { createScan } from './scan-file.ts'
import { LARGEST_SOURCE_BYTES, SourceIndex } from './source-index.ts'
import { isSourcePath } from './source-path.ts'
import { bestOf } from './spread.ts'
import type { RankedFile } from './text-scores.ts'
import { reasonsFor } from './why.ts'
import { createWorkspaceHistory } from './workspace-history.ts'
import type { WorkspaceHistory } from './workspace-history.ts'

/** What related files are found with. */
export interface RelatedDeps {
  readonly access: SourceAccess
  readonly hasher: Hasher
  readonly clock: Clock
}

/** Files in an answer. */
const DEFAULT_LIMIT = 20
/**
 * Up to so much is read into the index before an answer; if more is missing, all files are scanned for the question's
 * words instead.
 */
const MOST_READ_FIRST_BYTES = 4_000_000
/** Files that are read before other work may run. */
const FILES_A_PAUSE = 16
const NAME_LENGTH = 32

/** What is kept in memory about a workspace between questions. */
interface Workspace {
  readonly files: WorkspaceFiles
  readonly index: SourceIndex
  readonly histories: readonly WorkspaceHistory[]
  prepared: Prepared | undefined
}

/** What is derived from the list of files and the commits alone, kept until either changes. */
interface Prepared {
  readonly commits: readonly (readonly Commit[])[]
  readonly paths: readonly string[]
  readonly folders: Int32Array
  readonly stems: readonly string[]
  readonly history: History
  /** The files as they were ranked last: those that did not change are taken again. */
  ranked: readonly RankedFile[]
}

/**
 * Creates the search for related files, over the files and the git history that `access` reads; one index is kept for
 * each set of roots. `find` rejects with CairnError `invalid-input` if the text has no usable word and no file is
 * given, and with the signal's reason if it is aborted.
 */
export const createRelatedFiles = (deps: RelatedDeps): RelatedFiles => {
  const workspaces = new Map<string, Workspace>()
  const workspaceOf = (roots: readonly string[]): Workspace => {
    const key = roots.join('\0')
    const known = workspaces.get(key) ?? openWorkspace(roots, deps)
    workspaces.set(key, known)
    return known
  }
  return {
    find: async (query, signal) => {
      const question = questionTerms(query.text)
      if (question.length === 0 && query.file === undefined)
        throw new CairnError('invalid-input', 'The text has no word to go by; say in a few words what is to be done.')
      return find(workspaceOf(query.roots), query, question, deps, signal)
    },
    index: (roots, signal) => buildIndex(workspaceOf(roots), deps, signal),
  }
}

/** A workspace's index and history, nothing read yet. */
const openWorkspace = (roots: readonly string[], { access, hasher, clock }: RelatedDeps): Workspace => {
  const nameOf = (kind: string, folders: readonly string[]): string =>
    `${kind}-${hasher.sha256(folders.join('\0')).slice(0, NAME_LENGTH)}`
  return {
    files: access.files(roots),
    index: new SourceIndex({ cache: access.cache, name: nameOf('words', roots), now: () => clock.now() }),
    histories: roots.map((root) => createWorkspaceHistory(access, root, nameOf('commits', [root]))),
    prepared: undefined,
  }
}

/** The workspace's source files. */
const sourcesOf = async ({ files }: Workspace, signal: AbortSignal | undefined): Promise<readonly WorkspaceFile[]> =>
  (await files.list(signal)).files.filter(({ path }) => isSourcePath(path))

/**
 * The answer to a query. Rejects with `invalid-input` if the known file is not one of the source files. Rejects with
 * the signal's reason, too.
 */
const find = async (
  workspace: Workspace,
  query: RelatedQuery,
  question: readonly QuestionTerm[],
  deps: RelatedDeps,
  signal: AbortSignal | undefined,
): Promise<RelatedAnswer> => {
  const [files, commits] = await Promise.all([
    sourcesOf(workspace, signal),
    Promise.all(workspace.histories.map((history) => history.commits())),
    workspace.index.load(),
  ])
  const prepared = (workspace.prepared = prepare(workspace, files, commits))
  const known = knownFile(query.file, prepared)
  const focus = query.focus === undefined ? undefined : readFocus(query.focus, prepared.paths, query.roots)
  const asked = [...question, ...(focus?.terms ?? [])]
  const read = await termsOfFiles(workspace, files, asked, deps, signal)
  const ranked = (prepared.ranked = prepared.ranked.map((file, at) =>
    file.terms === read.terms[at] ? file : { ...file, terms: read.terms[at] },
  ))
  const input: RankInput = {
    files: ranked,
    ...prepared,
    question,
    known,
    neighbours: await neighboursOf(query, prepared, deps, signal),
    focus: focus && focusScores(ranked, focus),
    sessions: query.sessions && Float64Array.from(prepared.paths, (path) => query.sessions?.get(path) ?? 0),
  }
  return { ...answerOf(input, query.limit ?? DEFAULT_LIMIT), isIndexed: read.isIndexed, unindexed: read.unindexed }
}

/**
 * The best `limit` files with reasons, scores rounded to three decimals. `isMatched`: a file is known, or one of the
 * best has something of the question.
 */
const answerOf = (input: RankInput, limit: number): Pick<RelatedAnswer, 'files' | 'isMatched'> => {
  const ranking = rank(input)
  const best = bestOf(ranking.scores, limit)
  const isMatching = (file: number): boolean => {
    const { text, path, subjects, sessions, focus } = ranking.partsOf(file)
    return text + path + subjects + sessions + focus > 0
  }
  return {
    isMatched: input.known !== undefined || best.some(({ file }) => isMatching(file)),
    files: best.map(({ file, score }) => ({
      path: input.files[file]?.path ?? '',
      score: Math.round(score * 1000) / 1000,
      why: reasonsFor(input, ranking, file),
    })),
  }
}

/** The terms of all files, in their order. */
interface ReadTerms {
  readonly terms: readonly FileTerms[]
  readonly isIndexed: boolean
  readonly unindexed: number
}

/**
 * The terms of all files from the index, after reading the few that are missing. If too many are missing, every file is
 * scanned for the question's words instead, so that all are judged alike. Rejects with the signal's reason.
 */
const termsOfFiles = async (
  { index, files: access }: Workspace,
  files: readonly WorkspaceFile[],
  question: readonly QuestionTerm[],
  { access: work }: RelatedDeps,
  signal: AbortSignal | undefined,
): Promise<ReadTerms> => {
  const known = files.map((file) => index.termsOf(file))
  const missing = files.filter((_, at) => known[at] === undefined)
  const isIndexed = missing.reduce((sum, { bytes }) => sum + bytes, 0) <= MOST_READ_FIRST_BYTES
  const scan = createScan(question)
  const decoder = new TextDecoder()
  const terms: FileTerms[] = []
  for (const [at, file] of files.entries()) {
    const own = isIndexed ? known[at] : undefined
    if (own !== undefined) {
      terms.push(own)
      continue
    }
    if (at % FILES_A_PAUSE === 0) {
      await work.pause()
      signal?.throwIfAborted()
    }
    if (isIndexed) terms.push(await index.add(access, file))
    else {
      const read = await access.read(file.path, LARGEST_SOURCE_BYTES)
      terms.push(scan('content' in read ? decoder.decode(read.content) : '', file.bytes))
    }
  }
  if (isIndexed && missing.length > 0) await index.saveIfMany(files)
  return { terms, isIndexed, unindexed: isIndexed ? 0 : missing.length }
}

/**
 * Brings the index up to date and saves it; pauses between files. `read`: how many files were not in it. Rejects with
 * the signal's reason.
 */
const buildIndex = async (
  workspace: Workspace,
  { access: work }: RelatedDeps,
  signal: AbortSignal | undefined,
): Promise<IndexReport> => {
  const { index, files: access } = workspace
  const [files] = await Promise.all([sourcesOf(workspace, signal), index.load()])
  let read = 0
  for (const file of files) {
    if (index.termsOf(file) !== undefined) continue
    if (read % FILES_A_PAUSE === 0) {
      await work.pause()
      signal?.throwIfAborted()
    }
    await index.add(access, file)
    read += 1
  }
  await index.save(files)
  return { files: files.length, read }
}

/** What depends on the files and commits, reused if neither changed. */
const prepare = (
  { prepared, files: access }: Workspace,
  files: readonly WorkspaceFile[],
  commits: readonly (readonly Commit[])[],
): Prepared => {
  const isSameList =
    prepared?.paths.length === files.length && files.every(({ path }, index) => path === prepared.paths[index])
  if (isSameList && prepared.commits.every((known, index) => known === commits[index])) return prepared
  const paths = files.map(({ path }) => path)
  const folders = new Map<string, number>()
  return {
    commits,
    paths,
    folders: Int32Array.from(paths, (path) => numberOf(folders, path.slice(0, Math.max(0, path.lastIndexOf('/'))))),
    stems: paths.map(stemOfPath),
    history: createHistory(merged(commits, access.roots), paths),
    ranked: newlyRanked(paths, prepared?.ranked ?? []),
  }
}

/**
 * Files of these paths, with what is known of them from before; both in the order of their paths. `terms` is undefined
 * for new ones.
 */
const newlyRanked = (paths: readonly string[], before: readonly RankedFile[]): readonly RankedFile[] => {
  let next = 0
  return paths.map((path) => {
    while ((before[next]?.path ?? path) < path) next += 1
    const known = before[next]
    return known?.path === path ? known : { path, pathTerms: pathTerms(path), terms: undefined }
  })
}

/** The number of a key, the next one if it is new. */
const numberOf = (numbers: Map<string, number>, key: string): number => {
  const number = numbers.get(key) ?? numbers.size
  numbers.set(key, number)
  return number
}

/**
 * The commits of all roots in one list, sorted by how many newer ones their root has, with paths as in the list of
 * files.
 */
const merged = (histories: readonly (readonly Commit[])[], roots: readonly WorkspaceRoot[]): readonly Commit[] => {
  const [only = [], ...others] = histories
  if (others.length === 0) return only
  const aged = histories.flatMap((commits, root) => {
    const prefix = roots[root]?.prefix ?? ''
    return commits.map((commit, age) => ({
      age,
      commit: { ...commit, paths: commit.paths.map((path) => prefix + path) },
    }))
  })
  return aged.sort((left, right) => left.age - right.age).map(({ commit }) => commit)
}

/**
 * The number of the file that is known to matter; undefined if none is given.
 * @throws CairnError `invalid-input` if it is not one of the workspace's source files
 */
const knownFile = (file: string | undefined, { paths }: Prepared): number | undefined => {
  if (file === undefined) return undefined
  const known = paths.indexOf(file)
  if (known < 0)
    throw new CairnError(
      'invalid-input',
      `${file} is not among the source files of the workspace; give its path from there.`,
    )
  return known
}

/** The numbers of the files that import the known file or are imported by it; empty without one. */
const neighboursOf = async (
  { file, roots }: RelatedQuery,
  { paths }: Prepared,
  { access }: RelatedDeps,
  signal: AbortSignal | undefined,
): Promise<readonly number[]> => {
  if (file === undefined) return []
  const neighbours = new Set(await access.importNeighbours(roots, file, signal))
  return [...paths.keys()].filter((index) => neighbours.has(paths[index] ?? ''))
}
