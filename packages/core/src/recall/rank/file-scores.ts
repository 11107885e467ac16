/** Which files a request is about: by their edits, their paths, their names in it, and the edits on its branch. */
import { foldText } from '../../text-analysis/characters.ts'
import { analyseWord } from '../../text-analysis/words.ts'
import { idf } from './bm25.ts'
import type { FileFacts, SessionTable } from './session-table.ts'

/** A file and how much the request is about it. */
export interface FileScore {
  readonly file: FileFacts
  readonly score: number
  /** The request has the file's name. */
  readonly isNamed: boolean
}

const PATH_WEIGHT = 0.5
const NAMED_SCORE = 15
/** Added for a file that all sessions of the request's branch edited, as a share of the highest score. */
const BRANCH_SHARE = 0.5

/** Whether a branch is the main one by its name (`main`, `master`, `trunk`, `develop`), in small letters. */
export const isMainBranch = (branch: string): boolean => /^(?:main|master|trunk|develop)$/.test(branch)

/**
 * Files with a score above 0, best first. Scores compare within one request only. Without a branch no file gains by
 * it.
 */
export const scoreFiles = (
  table: SessionTable,
  request: { readonly text: string; readonly branch?: string | undefined },
): readonly FileScore[] => {
  const idfByHash = new Map(
    table.terms.map(({ hash }, term) => [hash, idf(table.sessions, table.fields.all.termSessions[term] ?? 0)]),
  )
  const text = foldText(request.text)
  const found = table.files.map((file): FileScore => {
    const edits = file.editScores.reduce((sum, score, rank) => sum + score / 2 ** rank, 0)
    const isNamed = hasFileName(text, file.path)
    return { file, isNamed, score: edits + PATH_WEIGHT * pathScore(file.path, idfByHash) + (isNamed ? NAMED_SCORE : 0) }
  })
  const highest = found.reduce((most, { score }) => Math.max(most, score), 0) || 1
  const onBranch = branchSessions(table, request.branch)
  return found
    .map(({ score, file, ...rest }) => ({
      ...rest,
      file,
      score: score + BRANCH_SHARE * highest * editedShare(file, onBranch),
    }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score)
}

/** Sessions on the request's branch; none without one, and for a main branch, whose sessions have nothing in common. */
const branchSessions = (table: SessionTable, branch: string | undefined): ReadonlySet<number> =>
  new Set(
    branch === undefined || isMainBranch(branch)
      ? []
      : table.branch.flatMap((name, session) => (name === branch ? [session] : [])),
  )

/** The share of these sessions that edited the file, 0 to 1. */
const editedShare = ({ editedBy }: FileFacts, sessions: ReadonlySet<number>): number =>
  sessions.size === 0 ? 0 : editedBy.filter((session) => sessions.has(session)).length / sessions.size

/**
 * Whether a text (folded) has the last part of a path. Names of up to three characters, and those without a dot, never
 * count.
 */
const hasFileName = (text: string, path: string): boolean => {
  const name = foldText(path.slice(path.lastIndexOf('/') + 1))
  return name.length > 3 && name.includes('.') && text.includes(name)
}

/** Sum of the idf of the query's terms in a path, each once. `idfByHash`: the query's terms. */
const pathScore = (path: string, idfByHash: ReadonlyMap<number, number>): number => {
  const seen = new Set<number>()
  for (const raw of path.match(/[\p{L}\p{N}_]+/gu) ?? [])
    for (const { hash } of analyseWord(raw).terms) if (idfByHash.has(hash)) seen.add(hash)
  return [...seen].reduce((sum, hash) => sum + (idfByHash.get(hash) ?? 0), 0)
}
