/** What a store's own tables hold without need. */
import type { CleanUpStorage, OrphanKind } from '../ports/clean-up-storage.ts'
import type { CleanUpSource } from './clean-up.ts'

const REASONS: Readonly<Record<OrphanKind, string>> = {
  'empty-session': 'sessions without a message, request, title or anything that names them',
  'session-state': 'settings of sessions that were deleted',
  'index-row': 'parts of the search index whose session or segment is gone',
  pack: 'content of sessions that are gone, which no other session uses',
  'block-use': 'notes that a session uses a text, where one of them is gone',
  'import-record': 'how far files were read that are gone, and of which the store holds nothing',
  workspace: 'paths of projects that nothing is left of',
  name: 'names of models, branches and so on that nothing has any more',
}

/**
 * Removes what nothing in the store refers to any more, or only counts it in a dry run; one row for each kind, with the
 * reason why it may go.
 * @param isGone see `OrphanQuery`; undefined where nobody can tell whose files are gone
 */
export const storeSource = (
  storage: Pick<CleanUpStorage, 'removeOrphans'>,
  isGone: ((path: string) => boolean) | undefined,
): CleanUpSource => ({
  name: 'store',
  isQuick: true,
  run: async ({ dryRun, quick }) =>
    (await storage.removeOrphans({ dryRun, quick, ...(isGone === undefined ? {} : { isGone }) })).map((count) => ({
      ...count,
      reason: REASONS[count.kind],
    })),
})
