'use client'
/** Keeps what the page shows in step with the store: looks for changes while the page is seen, and then asks again. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf, isShutOut } from '../../trpc/failure.ts'
import type { Failure } from '../../trpc/failure.ts'
import { isAskedAnew, isOfStore, showsWork } from './asked-anew.ts'

/** How often to look, ms. Polling and not a stream: a browser grants all tabs of a host only six connections. */
const LOOK_EVERY_MS = 2_000
/** On the page of what goes on now and on a session's, which show a write within a second. */
const LOOK_AT_WORK_EVERY_MS = 650

/**
 * Returns what keeps the page from being live; undefined while the server answers and can read the store. It polls, and
 * repeats all queries when the store can be read again, and most of them when it has changed. Does not poll while the
 * visitor is shut out.
 */
export const useLiveStore = (): Failure | undefined => {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const page = usePathname()
  const every = showsWork(page) ? LOOK_AT_WORK_EVERY_MS : LOOK_EVERY_MS
  const { data, error } = useQuery(
    trpc.live.revision.queryOptions(undefined, {
      refetchInterval: ({ state }) => (state.error !== null && isShutOut(state.error) ? false : every),
      staleTime: 0,
    }),
  )
  const seen = useRef<{ readonly revision: string | undefined; readonly isError: boolean }>({
    revision: undefined,
    isError: false,
  })
  const isError = error !== null
  useEffect(() => {
    const before = seen.current
    seen.current = { revision: data, isError }
    const hasChanged = before.revision !== undefined && data !== before.revision
    const hasRecovered = before.isError && !isError
    if (!hasChanged && !hasRecovered) return
    void queryClient.invalidateQueries({
      predicate: ({ queryKey }) => (hasRecovered ? isOfStore(queryKey) : isAskedAnew(queryKey, page)),
    })
  }, [data, isError, page, queryClient])
  return error === null ? undefined : failureOf(error)
}
