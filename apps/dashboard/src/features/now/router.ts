/** The procedures of the page on sessions at work. */
import 'server-only'
import { monthlyLimits } from '@cairn/core/node'
import { fromStore } from '../../store/dashboard-store.ts'
import { engineOf } from '../../store/engine-of.ts'
import { serverSurroundings } from '../../store/surroundings.ts'
import { procedure, router } from '../../trpc/init.ts'
import { selectionInput } from '../selection/selection-input.ts'
import { projectNames } from '../usage/store-project-names.ts'
import { nowView } from './now-view.ts'

/** The procedure about live sessions. */
export const nowRouter = router({
  /** Of all projects, whatever is selected. */
  sessions: procedure.input(selectionInput.pick({ timeZone: true })).query(({ input: { timeZone } }) =>
    fromStore(async (store) => {
      const surroundings = serverSurroundings()
      const live = await engineOf(store).insights.live({
        limitsOf: (projects) => monthlyLimits(surroundings, projects),
        timeZone,
      })
      const newest = live.sessions.length > 0 ? [] : (await store.sessions.list({ limit: 1 })).sessions
      return nowView(live, await projectNames(store), newest[0])
    }),
  ),
})
