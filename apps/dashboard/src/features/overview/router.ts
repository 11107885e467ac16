/** The procedures of usage. */
import 'server-only'
import { z } from 'zod'
import { ORDERS } from '../../components/sorting.ts'
import { fromStore } from '../../store/dashboard-store.ts'
import { engineOf } from '../../store/engine-of.ts'
import { procedure, router } from '../../trpc/init.ts'
import { selectionChange } from '../insights/change-query.ts'
import { changeView } from '../insights/change-view.ts'
import { filterChoices } from '../selection/choices-query.ts'
import { DIMENSIONS } from '../usage/dimension.ts'
import { dimensionPage } from '../dimension/dimension-query.ts'
import { DIMENSION_SORTS } from '../dimension/sorts.ts'
import { latestUsage } from '../usage/latest-query.ts'
import { outsideUsage } from '../usage/outside-query.ts'
import { projectNames } from '../usage/store-project-names.ts'
import { overviewReports } from './overview-query.ts'
import { overviewView } from './overview-view.ts'
import { selectionInput } from '../selection/selection-input.ts'

const dimensionInput = z.object({
  selection: selectionInput,
  dimension: z.enum(DIMENSIONS),
  sort: z.enum(DIMENSION_SORTS),
  order: z.enum(ORDERS),
  text: z.string().max(200),
  page: z.int().min(1).max(100_000),
})

/** The procedures about usage; they only read. */
export const usageRouter = router({
  /** With what moved the cost since the time before; null where there is nothing to compare. */
  overview: procedure.input(selectionInput).query(({ input }) =>
    fromStore(async (store) => {
      const now = Date.now()
      const [reports, change] = await Promise.all([
        overviewReports(store.usage, input, now),
        selectionChange(store, engineOf(store).insights, input, now),
      ])
      // One answer: a panel that came later would push down what is read already.
      const names = await projectNames(store)
      return { ...overviewView(reports, names), change: changeView(change, names) }
    }),
  ),
  dimension: procedure
    .input(dimensionInput)
    .query(({ input }) =>
      fromStore(async (store) => dimensionPage(store.usage, input, Date.now(), await projectNames(store))),
    ),
  latest: procedure
    .input(selectionInput)
    .query(({ input }) => fromStore((store) => latestUsage(store.usage, input, Date.now()))),
  outside: procedure
    .input(selectionInput)
    .query(({ input }) => fromStore((store) => outsideUsage(store.usage, input, Date.now()))),
  choices: procedure.query(() => fromStore((store) => filterChoices(store))),
})
