/** Usage over several shards: each one is asked, at once, and the answers are merged. */
import type { Store } from '../ports/store.ts'
import { isUsagePeriod, type UsageQuery, type UsageReport, type UsageStorage } from '../ports/usage-storage.ts'
import { projectsOf } from '../projects/group-projects.ts'
import { combineFailures, combineMovers, combineProviderSums, combineReports } from './combine-reports.ts'
import { withFoldersOfProject, workspacesOf } from './combined-projects.ts'
import type { Refusal } from './refusal.ts'

/**
 * Usage over shards; `refuse` answers what would write. Requests of a session and sums of subagents are listed shard by
 * shard; all other answers are merged. Rejects as any shard does.
 */
export const createCombinedUsage = (shards: readonly Store[], refuse: Refusal): UsageStorage => {
  const ask = <T>(question: (usage: UsageStorage) => Promise<T>): Promise<readonly T[]> =>
    Promise.all(shards.map(({ usage }) => question(usage)))
  return {
    report: (query) => report(shards, query),
    sessionMovers: async (query) => {
      const asked = await withFoldersOfProject(shards, query)
      return combineMovers(await ask((usage) => usage.sessionMovers(asked)), query.limit)
    },
    providerSums: async (query) => {
      const asked = await withFoldersOfProject(shards, query)
      return combineProviderSums(await ask((usage) => usage.providerSums(asked)))
    },
    subagentSums: async (query) => {
      const asked = await withFoldersOfProject(shards, query)
      return (await ask((usage) => usage.subagentSums(asked))).flat()
    },
    requests: async (sessionId, range) => (await ask((usage) => usage.requests(sessionId, range))).flat(),
    addFailure: () => refuse(),
    failures: async (query) => combineFailures(await ask((usage) => usage.failures(query))),
  }
}

/**
 * A report over all shards, in the query's order and limit; by project, a folder that is in none is a row of its own.
 * Rejects as any shard does.
 */
const report = async (shards: readonly Store[], query: UsageQuery): Promise<UsageReport> => {
  const { by } = query
  const found = await withFoldersOfProject(shards, query)
  // A folder's project may follow from folders of other shards: it is looked for among all of them.
  const asked: UsageQuery = by === 'project' ? { ...found, by: 'workspace' } : found
  const { limit: _limit, ...all } = asked
  // Only of periods and sessions are the first rows of all among the first ones of each.
  const each = isUsagePeriod(by) || by === 'session' ? asked : all
  const reports = await Promise.all(shards.map(({ usage }) => usage.report(each)))
  if (by !== 'project') return combineReports(query, reports)
  const projects = projectsOf(await workspacesOf(shards))
  return combineReports(query, reports, (path) => projects.get(path) ?? path)
}
