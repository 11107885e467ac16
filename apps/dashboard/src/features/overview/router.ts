/** The procedures of usage. */
import 'server-only'
import { z } from 'zod'
import { ORDERS } from '../../components/sorting.ts'
import { fromStore } from '../../store/dashboard-store.ts'
import { procedure, router } from '../../trpc/init.ts'
import { filterChoices } from '../selection/choices-query.ts'
import { DIMENSIONS } from '../usage/dimension.ts'
import { dimensionPage } from '../dimension/dimension-query.ts'
import { DIMENSION_SORTS } from '../dimension/sorts.ts'
import { latestUsage } from '../usage/latest-query.ts'
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

export const usageRouter = router({
  overview: procedure
    .input(selectionInput)
    .query(({ input }) =>
      fromStore(async (store) => overviewView(await overviewReports(store.usage, input, Date.now()))),
    ),
  dimension: procedure
    .input(dimensionInput)
    .query(({ input }) => fromStore((store) => dimensionPage(store.usage, input, Date.now()))),
  latest: procedure
    .input(selectionInput)
    .query(({ input }) => fromStore((store) => latestUsage(store.usage, input, Date.now()))),
  choices: procedure.query(() => fromStore((store) => filterChoices(store.usage))),
})
