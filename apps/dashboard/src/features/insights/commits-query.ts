/** What the commits of the selected branch of the selected project cost; git is asked in the project's folder. */
import 'server-only'
import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { formatUsd } from '@cairn/core'
import type { CommitRow, Insights } from '@cairn/core/insights'
import { createGitHistory } from '@cairn/core/node/sources'
import { workspacesOfProject } from '@cairn/core/projects'
import type { ProjectStorage } from '@cairn/core/projects'
import { selectedUsage } from '../selection/selection-input.ts'
import type { SelectionInput } from '../selection/selection-input.ts'
import { costFigure, counted, requestFigure, wholeCount } from '../usage/figure.ts'
import type { Figure } from '../usage/figure.ts'

/** A commit and its cost, as a row of the table. */
export interface CommitView {
  /** A hash; of other rows what they are. */
  readonly key: string
  /** Null for what belongs to no commit. */
  readonly hash: string | null
  readonly at: number | null
  readonly subject: string
  readonly requests: Figure
  readonly cost: Figure
}

/** The commits of a branch, or why there are none. */
export type CommitsView =
  /** A sentence: why there are none. */
  | { readonly refused: string }
  | {
      readonly rows: readonly CommitView[]
      readonly older: string | null
      readonly requests: Figure
      readonly cost: Figure
    }

/** Commits that are shown; the others are summed. */
const MOST_SHOWN = 20

const NAMES: Readonly<Record<Exclude<CommitRow['kind'], 'commit'>, string>> = {
  uncommitted: 'After the last commit',
  earlier: 'Before the commits that git listed',
  untimed: 'At unknown times',
}

/** Returns the row of a commit, or of costs that belong to none. */
const rowView = (row: CommitRow): CommitView => ({
  ...(row.kind === 'commit'
    ? { key: row.commit.hash, hash: row.commit.hash, at: row.commit.at, subject: row.commit.subject }
    : { key: row.kind, hash: null, at: null, subject: NAMES[row.kind] }),
  requests: requestFigure(row.totals),
  cost: costFigure(row.totals),
})

/** Whether a path is an existing folder on this machine; network paths are not looked at, as they would block. */
const isFolder = (path: string): boolean =>
  isAbsolute(path) && !/^[\\/]{2}/.test(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** Returns a folder of the project on this machine; undefined if there is none. */
const folderOf = async (projects: Pick<ProjectStorage, 'workspaces'>, project: string): Promise<string | undefined> =>
  [project, ...workspacesOfProject(project, await projects.workspaces())].find(isFolder)

/**
 * Returns the newest commits of the selected branch with their cost, and the rest as a sum; a sentence if git can't
 * list them; null unless a project and a branch are selected. The rest are those behind the newest `MOST_SHOWN` rows.
 * The days are those of the selection.
 * @param now ms
 */
export const commitsView = async (
  insights: Pick<Insights, 'commits'>,
  projects: Pick<ProjectStorage, 'workspaces'>,
  selection: SelectionInput,
  now: number,
): Promise<CommitsView | null> => {
  const { project, branch } = selection.filter
  if (project === undefined || branch === undefined) return null
  const folder = await folderOf(projects, project)
  if (folder === undefined)
    return { refused: 'The project’s folder is not on this machine, so that git can’t be asked.' }
  const history = await createGitHistory(folder).commits(branch)
  if ('refused' in history) return { refused: `Git has no commits to sum by: ${history.refused}.` }
  const { timeZone: _zone, ...usage } = selectedUsage(selection, now).query
  const { rows, total } = await insights.commits({ usage, history })
  const rest = rows.slice(MOST_SHOWN)
  const restNano = rest.reduce((sum, { totals }) => sum + totals.costNano, 0n)
  const restRequests = rest.reduce((sum, { totals }) => sum + totals.requests, 0)
  return {
    rows: rows.slice(0, MOST_SHOWN).map(rowView),
    older:
      rest.length === 0
        ? null
        : `${counted(rest.length, 'older row')}: ${wholeCount(restRequests)} requests, ${formatUsd(restNano)}`,
    requests: requestFigure(total),
    cost: costFigure(total),
  }
}
