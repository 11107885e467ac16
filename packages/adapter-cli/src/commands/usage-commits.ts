/** `cairn usage --by commit`: the cost of a branch's commits. */
import { statSync } from 'node:fs'
import { CairnError, formatUsd } from '@cairn/core'
import type { BudgetCheck, Engine, UsageQuery } from '@cairn/core'
import type { CommitCosts, CommitRow } from '@cairn/core/insights'
import { createGitHistory } from '@cairn/core/node/sources'
import type { Context } from '../command.ts'
import { usageJson } from '../output/json-output.ts'
import { budgetJson } from '../output/usage-budget.ts'
import { costCell, totalCostCell } from '../output/usage-table.ts'
import { formatCount, formatMinute } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'
import { wrapLine } from '../terminal/wrap.ts'

/** Characters of a hash that are shown. */
const SHORT_HASH = 8

const ROW_NAMES: Readonly<Record<Exclude<CommitRow['kind'], 'commit'>, string>> = {
  uncommitted: 'after the last commit',
  earlier: 'before the commits that git listed',
  untimed: 'at unknown times',
}

/**
 * Returns the folder of a project, given by its path or by the name of the only project called so. Rejects with
 * `invalid-input` if it is not on this machine, and with `usage` for a name that several projects have.
 */
const folderOf = async (project: string, engine: Engine): Promise<string> => {
  const { rows } = await engine.usage.report({ by: 'workspace', filter: { workspace: project } })
  const folders = [project, ...rows.map(({ key }) => key)].filter(
    (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  )
  const [folder, other] = [...new Set(folders)]
  if (folder === undefined)
    throw new CairnError('invalid-input', `There are no commits to sum by: ${project} is no folder of this machine.`)
  if (other !== undefined && folder !== project)
    throw new CairnError(
      'usage',
      `Several projects are called ${project}: name one by its path, such as ${folder} or ${other}.`,
    )
  return folder
}

/**
 * Returns the costs of the commits of a branch: the given one, otherwise the one that is checked out. Rejects with
 * `invalid-input` and a sentence if git can't list them.
 */
const commitCosts = async (query: Omit<UsageQuery, 'by'>, project: string, engine: Engine): Promise<CommitCosts> => {
  const folder = await folderOf(project, engine)
  const history = await createGitHistory(folder).commits(query.filter?.branch)
  if ('refused' in history)
    throw new CairnError('invalid-input', `There are no commits to sum by: ${history.refused} (${folder}).`)
  const { timeZone: _zone, ...usage } = query
  return engine.insights.commits({ usage: { ...usage, filter: { ...usage.filter, workspace: project } }, history })
}

/**
 * Returns a row for `--json`; `key` is a commit's hash, or the kind of a row without one (then `at`, `subject` are
 * null).
 */
const rowJson = (row: CommitRow): Record<string, unknown> =>
  row.kind === 'commit'
    ? { key: row.commit.hash, at: row.commit.at, subject: row.commit.subject, ...usageJson(row.totals) }
    : { key: row.kind, at: null, subject: null, ...usageJson(row.totals) }

/** Returns the table's lines: head, a row for each commit and for requests that belong to none, total. */
const commitLines = ({ rows, total, branch }: CommitCosts, width: number): readonly string[] => {
  const table = tableLines({
    columns: [
      { title: 'commit' },
      { title: 'written', dropRank: 2 },
      { title: neutraliseLine(branch), shorten: 'end', minimum: 16 },
      { title: 'reqs', align: 'right', dropRank: 1 },
      { title: 'cost', align: 'right' },
    ],
    rows: rows.map((row) => [
      ...(row.kind === 'commit'
        ? [row.commit.hash.slice(0, SHORT_HASH), formatMinute(row.commit.at), neutraliseLine(row.commit.subject)]
        : ['–', '', ROW_NAMES[row.kind]]),
      formatCount(row.totals.requests),
      costCell(row.totals),
    ]),
    total: ['Total', '', '', formatCount(total.requests), total.requests === 0 ? formatUsd(0n) : totalCostCell(total)],
    width,
  })
  return [table.head, ...table.rows, table.total ?? '']
}

/**
 * Prints what a branch's commits (default: the checked-out branch) cost, or `{branch, rows, total, budget}` as JSON;
 * resolves with the check of `maxCost` (USD), undefined without one. Rejects with `invalid-input` if git can't list the
 * commits, and with `usage` for an ambiguous project.
 */
export const showCommits = async (
  query: Omit<UsageQuery, 'by'>,
  { project, maxCost, json }: { readonly project: string; readonly maxCost?: number; readonly json: boolean },
  engine: Engine,
  context: Pick<Context, 'terminal' | 'json'>,
): Promise<BudgetCheck | undefined> => {
  const costs = await commitCosts(query, project, engine)
  const filter = { ...query.filter, workspace: project, branch: costs.branch }
  const { budget } = await engine.usage.report({ ...query, filter, by: 'agent' }, maxCost)
  const { terminal } = context
  if (json) {
    const { branch, rows, total } = costs
    await context.json({
      branch,
      rows: rows.map(rowJson),
      total: usageJson(total),
      ...(budget === undefined ? {} : { budget: budgetJson(budget) }),
    })
    return budget
  }
  for (const line of commitLines(costs, terminal.width)) await terminal.line(line)
  if (costs.total.requests === 0)
    for (const line of wrapLine(`No requests of the branch ${neutraliseLine(costs.branch)} match.`, terminal.width))
      await terminal.line(line)
  return budget
}
