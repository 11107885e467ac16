'use client'
/** Whether transcripts are being taken in, and by which program. */
import { useQuery } from '@tanstack/react-query'
import { WithNotes } from '../../components/with-notes.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { isShutOut } from '../../trpc/failure.ts'

const LOOK_EVERY_MS = 2_000

/**
 * Whether transcripts are followed, in a few words; what they mean is shown when they are pointed at or reached with
 * the keyboard. Nothing where nobody follows.
 */
export const Following = () => {
  const trpc = useTRPC()
  const { data } = useQuery(
    trpc.live.watching.queryOptions(undefined, {
      refetchInterval: ({ state }) => (state.error !== null && isShutOut(state.error) ? false : LOOK_EVERY_MS),
      staleTime: 0,
    }),
  )
  if (data === undefined || data === null) return null
  const { text, detail, isTrouble } = data
  return (
    <span role="status" className={isTrouble ? 'font-medium text-danger' : undefined}>
      <span aria-hidden="true">· </span>
      <WithNotes notes={[detail]} isMarked={isTrouble} isStop>
        {text}
      </WithNotes>
    </span>
  )
}
