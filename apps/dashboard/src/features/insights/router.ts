/** The procedures of what leaks. */
import 'server-only'
import type { Store } from '@cairn/core'
import type { LeakQuery, ProjectFilter } from '@cairn/core/insights'
import { projectPlans } from '@cairn/core/node'
import { projectsOf, workspacesOfProject } from '@cairn/core/projects'
import { z } from 'zod'
import { fromStore } from '../../store/dashboard-store.ts'
import { engineOf } from '../../store/engine-of.ts'
import { serverSurroundings } from '../../store/surroundings.ts'
import { procedure, router } from '../../trpc/init.ts'
import { selectedUsage, selectionInput } from '../selection/selection-input.ts'
import type { SelectionInput } from '../selection/selection-input.ts'
import { monthlyBudgets } from './budget-query.ts'
import { budgetsView } from './budget-view.ts'
import { activeDaysView } from './active-days-view.ts'
import { commitsView } from './commits-query.ts'
import { leaksView, sessionsOfCases } from './leak-view.ts'
import type { SessionTitles } from './leak-view.ts'
import { createPaid } from './paid-query.ts'
import { createSessionLeaks } from './session-leaks-query.ts'
import { spendingView } from './spending-view.ts'

/** Returns the selected project with its folders; an empty object if none is selected. */
const askedProject = async (
  { projects }: Pick<Store, 'projects'>,
  { filter: { project } }: Pick<SelectionInput, 'filter'>,
): Promise<ProjectFilter> =>
  project === undefined
    ? {}
    : { project: { key: project, workspaces: workspacesOfProject(project, await projects.workspaces()) } }

/** Returns the days and project of a selection: leaks can't be narrowed to models, agents and branches. */
const leakQuery = async (
  store: Pick<Store, 'projects'>,
  selection: SelectionInput,
  now: number,
): Promise<LeakQuery> => {
  const { since, until } = selectedUsage(selection, now).query
  return {
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(await askedProject(store, selection)),
  }
}

/** Returns the titles of sessions; null for one that has none. */
const titlesOf = async ({ sessions }: Pick<Store, 'sessions'>, ids: readonly string[]): Promise<SessionTitles> =>
  new Map(await Promise.all(ids.map(async (id) => [id, (await sessions.get(id))?.title ?? null] as const)))

const sessionLeaks = createSessionLeaks()
/** Settings files are read again each time. */
const paid = createPaid((projects) => projectPlans(serverSurroundings(), projects))

/** The procedures about leaks, budgets and spending; they only read. */
export const insightsRouter = router({
  /** Of a period and a project; other filters of the selection are left aside. */
  leaks: procedure.input(selectionInput).query(({ input }) =>
    fromStore(async (store) => {
      const report = await engineOf(store).insights.leaks(await leakQuery(store, input, Date.now()))
      return leaksView(report, await titlesOf(store, sessionsOfCases(report)))
    }),
  ),
  /** Of all projects, or the selected one; whatever the days. */
  spending: procedure.input(selectionInput).query(({ input }) =>
    fromStore(async (store) =>
      spendingView(
        await engineOf(store).insights.spending({
          timeZone: input.timeZone,
          ...(await askedProject(store, input)),
        }),
      ),
    ),
  ),
  /** Of this month, whatever is selected: the user's for all projects, and each project's own. */
  budgets: procedure
    .input(selectionInput.pick({ timeZone: true }))
    .query(({ input: { timeZone } }) =>
      fromStore(async (store) =>
        budgetsView(
          await monthlyBudgets(store, engineOf(store).insights, timeZone),
          projectsOf(await store.projects.workspaces()),
        ),
      ),
    ),
  /** Of all that is selected. */
  paid: procedure
    .input(selectionInput)
    .query(({ input }) =>
      fromStore((store) => paid(store.usage, engineOf(store).insights, selectedUsage(input, Date.now()).query)),
    ),
  /** Null unless a project and a branch are selected. */
  commits: procedure
    .input(selectionInput)
    .query(({ input }) =>
      fromStore((store) => commitsView(engineOf(store).insights, store.projects, input, Date.now())),
    ),
  /** Of a period and a project, as the leaks. */
  activeDays: procedure.input(selectionInput).query(({ input }) =>
    fromStore(async (store) => {
      const { since, until, filter: { project } = {} } = selectedUsage(input, Date.now()).query
      const range = { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) }
      const filter = project === undefined ? {} : { filter: { project } }
      return activeDaysView(
        await engineOf(store).insights.activeDays({ ...range, ...filter, timeZone: input.timeZone }),
      )
    }),
  ),
  session: procedure
    .input(z.object({ id: z.string().min(1).max(4_096) }))
    .query(({ input }) => fromStore((store) => sessionLeaks(store.sessions, engineOf(store).insights, input.id))),
})
