/** The procedures of what leaks. */
import 'server-only'
import type { LeakQuery } from '@cairn/core/insights'
import { z } from 'zod'
import { fromStore } from '../../store/dashboard-store.ts'
import { procedure, router } from '../../trpc/init.ts'
import { selectedUsage, selectionInput } from '../selection/selection-input.ts'
import type { SelectionInput } from '../selection/selection-input.ts'
import { insightsOf } from './engine-insights.ts'
import { leaksView } from './leak-view.ts'
import { spendingView } from './spending-view.ts'

/** Days and project of a selection; leaks are not told apart by model, agent and branch. */
const leakQuery = (selection: SelectionInput, now: number): LeakQuery => {
  const { since, until, filter = {} } = selectedUsage(selection, now).query
  return {
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(filter.workspace === undefined ? {} : { workspace: filter.workspace }),
  }
}

export const insightsRouter = router({
  /** Of a period and a project; other filters of the selection are left aside. */
  leaks: procedure
    .input(selectionInput)
    .query(({ input }) =>
      fromStore(async (store) => leaksView(await insightsOf(store).leaks(leakQuery(input, Date.now())))),
    ),
  /** Of all projects, or the selected one; whatever the days. */
  spending: procedure.input(selectionInput).query(({ input: { timeZone, filter } }) =>
    fromStore(async (store) =>
      spendingView(
        await insightsOf(store).spending({
          timeZone,
          ...(filter.project === undefined ? {} : { workspace: filter.project }),
        }),
      ),
    ),
  ),
  session: procedure
    .input(z.object({ id: z.string().min(1).max(4_096) }))
    .query(({ input }) =>
      fromStore(async (store) => leaksView(await insightsOf(store).leaks({ sessionId: input.id }))),
    ),
})
