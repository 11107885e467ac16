'use client'
/** The page's side of tRPC: one query client for a tab, and typed access to the procedures. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { TRPCClientError, createTRPCClient, httpLink } from '@trpc/client'
import type { TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { createTRPCContext } from '@trpc/tanstack-react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAllowed } from '../features/shell/role.tsx'
import { NOT_SHOWN } from '../security/team/access.ts'
import type { AppRouter } from './app-router.ts'
import { fetchOrRefusal, isShutOut } from './failure.ts'

const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>()
export { useTRPC, useTRPCClient }

const ASK_AGAIN_MS = 3_000
/** tRPC's number for it. */
const FORBIDDEN = -32003

/**
 * Returns the cache of queries: a failed one is repeated until it succeeds, unless the guard refused it. An answer is
 * fresh for a second.
 */
const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // The server is on this machine, also where there is no network.
        networkMode: 'always',
        retry: false,
        refetchOnWindowFocus: true,
        staleTime: 1_000,
        // A failure is shown at once, and looked at again by itself until it is over.
        refetchInterval: ({ state }) => (state.error !== null && !isShutOut(state.error) ? ASK_AGAIN_MS : false),
      },
    },
  })

/** Answers what the reader's role does not show as the server would, without asking it: there each attempt is written down. */
const onlyAllowed =
  (mayAsk: (procedure: string) => boolean): TRPCLink<AppRouter> =>
  () =>
  ({ op, next }) =>
    mayAsk(op.path)
      ? next(op)
      : observable((observer) =>
          observer.error(
            TRPCClientError.from({
              error: { code: FORBIDDEN, message: NOT_SHOWN, data: { code: 'FORBIDDEN', httpStatus: 403 } },
            }),
          ),
        )

/**
 * Gives the components inside it `useTRPC` and the queries’ cache. A query that the reader may not make is not sent.
 */
export const DataProvider = ({ children }: { readonly children: ReactNode }) => {
  const [queryClient] = useState(createQueryClient)
  const { call } = useAllowed()
  // One request a query: a slow one must not hold back a fast one.
  const [client] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [
        onlyAllowed(call),
        httpLink({
          url: '/api/trpc',
          fetch: (url, options) => fetchOrRefusal(url, { ...options, signal: options?.signal ?? null }),
        }),
      ],
    }),
  )
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  )
}
