/** Which files a request is about: by their edits, their paths, and whether it or its branch is about them. */
import { folded } from '../../text-analysis/characters.ts'
import { wordOf } from '../../text-analysis/words.ts'
import { idf } from './bm25.ts'
import type { FileFacts, SessionTable } from './session-table.ts'

export interface FileScore {
  readonly file: FileFacts
  readonly score: number
  /** The request names it. */
  readonly isNamed: boolean
}

const PATH_WORDS = 0.5
const NAMED = 15
/** For a file that all sessions of the request's branch edited, in parts of the highest score. */
const OF_BRANCH = 0.5

export const isMain = (branch: string): boolean => /^(?:main|master|trunk|develop)$/.test(branch)

/** Best first; only files that have to do with the request. */
export const fileScores = (
  table: SessionTable,
  request: { readonly text: string; readonly branch?: string | undefined },
): readonly FileScore[] => {
  const worth = new Map(
    table.terms.map(({ hash }, term) => [hash, idf(table.sessions, table.fields.all.termSessions[term] ?? 0)]),
  )
  const text = folded(request.text)
  const found = table.files.map((file): FileScore => {
    const edits = file.editScores.reduce((sum, score, place) => sum + score / 2 ** place, 0)
    const isNamed = names(text, file.path)
    return { file, isNamed, score: edits + PATH_WORDS * pathWorth(file.path, worth) + (isNamed ? NAMED : 0) }
  })
  const highest = found.reduce((most, { score }) => Math.max(most, score), 0) || 1
  const onBranch = branchSessions(table, request.branch)
  return found
    .map(({ score, file, ...rest }) => ({
      ...rest,
      file,
      score: score + OF_BRANCH * highest * shareOf(file, onBranch),
    }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score)
}

/** Sessions of the request's branch; the main branch's have nothing in common. */
const branchSessions = (table: SessionTable, branch: string | undefined): ReadonlySet<number> =>
  new Set(
    branch === undefined || isMain(branch)
      ? []
      : table.branch.flatMap((name, session) => (name === branch ? [session] : [])),
  )

const shareOf = ({ editedBy }: FileFacts, sessions: ReadonlySet<number>): number =>
  sessions.size === 0 ? 0 : editedBy.filter((session) => sessions.has(session)).length / sessions.size

/** Whether a text names a file by the last part of its path. */
const names = (text: string, path: string): boolean => {
  const name = folded(path.slice(path.lastIndexOf('/') + 1))
  return name.length > 3 && name.includes('.') && text.includes(name)
}

const pathWorth = (path: string, worth: ReadonlyMap<number, number>): number => {
  const seen = new Set<number>()
  for (const raw of path.match(/[\p{L}\p{N}_]+/gu) ?? [])
    for (const { hash } of wordOf(raw).terms) if (worth.has(hash)) seen.add(hash)
  return [...seen].reduce((sum, hash) => sum + (worth.get(hash) ?? 0), 0)
}
