'use client'
/** The page's side of tRPC: one query client for a tab, and typed access to the procedures. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient, httpLink } from '@trpc/client'
import { createTRPCContext } from '@trpc/tanstack-react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { AppRouter } from './app-router.ts'
import { fetchOrRefusal, isShutOut } from './failure.ts'

const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>()
export { useTRPC, useTRPCClient }

const ASK_AGAIN_MS = 3_000

/** Returns the cache of queries: a failed one is repeated until it succeeds, unless the guard refused it. */
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

/** Gives the components inside it `useTRPC` and the queries’ cache. */
export const DataProvider = ({ children }: { readonly children: ReactNode }) => {
  const [queryClient] = useState(createQueryClient)
  // One request a query: a slow one must not hold back a fast one.
  const [client] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [
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
