/** Where the page's questions arrive. The guard stands here again, so that no gap in the routing lays the data open. */
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { judge } from '../../../../security/guard.ts'
import { guardSettings } from '../../../../security/guard-settings.ts'
import { refusal } from '../../../../security/refusal.ts'
import { appRouter } from '../../../../trpc/app-router.ts'

export const dynamic = 'force-dynamic'

/** All procedures read; there is nothing to POST. */
export const GET = async (request: Request): Promise<Response> => {
  const verdict = judge(guardSettings(process.env), request)
  if (verdict.kind !== 'pass') {
    return refusal(verdict.kind === 'refuse' ? verdict : { kind: 'refuse', status: 401, sentence: 'A token belongs into the address of the page.' })
  }
  return fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    onError: ({ error, path }) => {
      console.error(`${path ?? 'trpc'}:`, error.cause ?? error)
    },
  })
}
