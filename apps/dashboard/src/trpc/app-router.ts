/** All procedures, by feature. */
import 'server-only'
import { filesRouter } from '../features/all-files/router.ts'
import { checkpointsRouter } from '../features/checkpoints/router.ts'
import { insightsRouter } from '../features/insights/router.ts'
import { liveRouter } from '../features/live/router.ts'
import { memoryRouter } from '../features/memory/router.ts'
import { nowRouter } from '../features/now/router.ts'
import { replayRouter } from '../features/replay/router.ts'
import { searchRouter } from '../features/search/router.ts'
import { sessionRouter } from '../features/session/router.ts'
import { sessionsRouter } from '../features/sessions/router.ts'
import { settingsRouter } from '../features/settings/router.ts'
import { usageRouter } from '../features/overview/router.ts'
import { healthRouter } from '../features/health/router.ts'
import { router } from './init.ts'

/** All procedures of the dashboard, by feature. */
export const appRouter = router({
  checkpoints: checkpointsRouter,
  files: filesRouter,
  insights: insightsRouter,
  live: liveRouter,
  memory: memoryRouter,
  now: nowRouter,
  replay: replayRouter,
  search: searchRouter,
  session: sessionRouter,
  sessions: sessionsRouter,
  settings: settingsRouter,
  usage: usageRouter,
  health: healthRouter,
})
/** The type of {@link appRouter}, for clients. */
export type AppRouter = typeof appRouter
