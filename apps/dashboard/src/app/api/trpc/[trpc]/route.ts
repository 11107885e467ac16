/** Where the page's questions arrive. */
import { CairnError, messageOf } from '@cairn/core'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { guarded } from '../../../../security/guarded.ts'
import { appRouter } from '../../../../trpc/app-router.ts'

export const dynamic = 'force-dynamic'

let told: string | undefined

/** Prints a fault to the console, once until a different one occurs: pages ask every few seconds. */
const tell = (path: string, error: unknown): void => {
  const text = messageOf(error)
  if (text === told) return
  told = text
  console.error(`${path}:`, CairnError.is(error) && error.cause === undefined ? text : error)
}

/** Answers tRPC: queries by GET, changes of what is remembered by POST; the guard decides which may pass. */
const answer = (request: Request): Promise<Response> =>
  guarded(request, () =>
    fetchRequestHandler({
      endpoint: '/api/trpc',
      req: request,
      router: appRouter,
      onError: ({ error, path }) => {
        // Wrong input and missing data are reported to the client only, not logged.
        if (error.code === 'INTERNAL_SERVER_ERROR') tell(path ?? 'trpc', error.cause ?? error)
      },
    }),
  )

export { answer as GET, answer as POST }
