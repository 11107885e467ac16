/** The procedures of what leaks. */
import 'server-only'
import type { LeakQuery } from '@cairn/core/insights'
import { z } from 'zod'
import { fromStore } from '../../store/dashboard-store.ts'
import { engineOf } from '../../store/engine-of.ts'
import { procedure, router } from '../../trpc/init.ts'
import { selectedUsage, selectionInput } from '../selection/selection-input.ts'
import type { SelectionInput } from '../selection/selection-input.ts'
import { monthlyBudgets } from './budget-query.ts'
import { budgetsView } from './budget-view.ts'
import { activeDaysView } from './active-days-view.ts'
import { commitsView } from './commits-query.ts'
import { leaksView } from './leak-view.ts'
import { createSessionLeaks } from './session-leaks-query.ts'
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

const sessionLeaks = createSessionLeaks()

export const insightsRouter = router({
  /** Of a period and a project; other filters of the selection are left aside. */
  leaks: procedure
    .input(selectionInput)
    .query(({ input }) =>
      fromStore(async (store) => leaksView(await engineOf(store).insights.leaks(leakQuery(input, Date.now())))),
    ),
  /** Of all projects, or the selected one; whatever the days. */
  spending: procedure.input(selectionInput).query(({ input: { timeZone, filter } }) =>
    fromStore(async (store) =>
      spendingView(
        await engineOf(store).insights.spending({
          timeZone,
          ...(filter.project === undefined ? {} : { workspace: filter.project }),
        }),
      ),
    ),
  ),
  /** Of this month, whatever is selected: the user's for all projects, and each project's own. */
  budgets: procedure
    .input(selectionInput.pick({ timeZone: true }))
    .query(({ input: { timeZone } }) =>
      fromStore(async (store) => budgetsView(await monthlyBudgets(store, engineOf(store).insights, timeZone))),
    ),
  /** Null unless a project and a branch are selected. */
  commits: procedure
    .input(selectionInput)
    .query(({ input }) => fromStore((store) => commitsView(engineOf(store).insights, input, Date.now()))),
  /** Of a period and a project, as the leaks. */
  activeDays: procedure.input(selectionInput).query(({ input }) =>
    fromStore(async (store) => {
      const { workspace, ...range } = leakQuery(input, Date.now())
      const filter = workspace === undefined ? {} : { filter: { workspace } }
      return activeDaysView(
        await engineOf(store).insights.activeDays({ ...range, ...filter, timeZone: input.timeZone }),
      )
    }),
  ),
  session: procedure
    .input(z.object({ id: z.string().min(1).max(4_096) }))
    .query(({ input }) => fromStore((store) => sessionLeaks(store.sessions, engineOf(store).insights, input.id))),
})
