/** All procedures, by feature. */
import 'server-only'
import { liveRouter } from '../features/live/router.ts'
import { usageRouter } from '../features/usage/router.ts'
import { router } from './init.ts'

export const appRouter = router({ live: liveRouter, usage: usageRouter })
export type AppRouter = typeof appRouter
