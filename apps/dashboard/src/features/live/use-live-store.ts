'use client'
/** Keeps what the page shows in step with the store: looks for changes while the page is seen, and then asks anew. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTRPC } from '../../trpc/client.tsx'

/** How often to look, ms. Polling and not a stream: a browser grants all tabs of a host only six connections. */
const LOOK_EVERY_MS = 2_000

/** True while the server answers. */
export const useLiveStore = (): boolean => {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const { data, isError } = useQuery(trpc.live.revision.queryOptions(undefined, { refetchInterval: LOOK_EVERY_MS, staleTime: 0 }))
  const usage = trpc.usage.pathKey()
  const seen = useRef<{ readonly revision: number | undefined; readonly isError: boolean }>({ revision: undefined, isError: false })
  useEffect(() => {
    const before = seen.current
    seen.current = { revision: data, isError }
    const hasChanged = before.revision !== undefined && data !== before.revision
    const hasRecovered = before.isError && !isError
    if (hasChanged || hasRecovered) void queryClient.invalidateQueries({ queryKey: usage })
  }, [data, isError, queryClient, usage])
  return !isError
}
