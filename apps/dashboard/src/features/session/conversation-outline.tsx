'use client'
/** What stands around the conversation: the context's size above it, the turns beside it; on a phone the turns fold away. */
import { skipToken, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Notice } from '../../components/notice.tsx'
import { useUrlState } from '../../components/use-url-state.ts'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { counted } from '../usage/figure.ts'
import { CompactionSizesProvider } from './compaction-sizes.ts'
import { ContextStrip } from './context-strip.tsx'
import { OutlineList } from './outline-list.tsx'
import type { TimelineView } from './timeline-view.ts'

interface ConversationOutlineProps {
  readonly id: string
  readonly timeZone: string | undefined
  /** First and last entry in sight. */
  readonly firstSeen: number
  readonly lastSeen: number
  readonly showEntry: (entry: number) => void
  /** The turns need the whole log: they wait until what is seen of it is there. */
  readonly isConversationShown: boolean
  /** Called once the turns are there, or can't be. */
  readonly onShown: () => void
  /** The conversation. */
  readonly children: ReactNode
}

/** Returns a function that stays the same while what it does changes: it calls the `act` of the last draw. */
const useSteady = (act: (entry: number) => void): ((entry: number) => void) => {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  return useCallback((entry) => latest.current(entry), [])
}

/**
 * Returns a function that puts the order of the turns into the address: by cost, or as they came. It stays the same.
 */
const useOrder = (): ((isByCost: boolean) => void) => {
  const change = useUrlState()
  const latest = useRef(change)
  useEffect(() => {
    latest.current = change
  })
  return useCallback((isByCost) => latest.current({ turns: isByCost ? 'cost' : undefined }), [])
}

/** The turns, which need the whole log: asked for only where `isWanted`; calls `tell` once they are there, or can't be. */
const useTimeline = (id: string, isWanted: boolean, tell: () => void) => {
  const trpc = useTRPC()
  const answer = useQuery(trpc.session.timeline.queryOptions(isWanted ? { id } : skipToken, { staleTime: 10_000 }))
  const isSettled = answer.data !== undefined || answer.error !== null
  useEffect(() => {
    if (isSettled) tell()
  }, [isSettled, tell])
  return answer
}

/** Returns what each compaction left, by the position of its entry; those of which it is not known are left out. */
const useSizes = (timeline: TimelineView | undefined): ReadonlyMap<number, string> =>
  useMemo(
    () =>
      new Map(
        timeline?.marks.flatMap(({ seq, sizes }) => (seq === null || sizes === '' ? [] : [[seq, sizes] as const])),
      ),
    [timeline],
  )

/**
 * The conversation with its outline; alone where nothing is known of its turns. Without turns only the conversation;
 * turns are in their order, or by cost as `?turns=cost` says.
 */
export const ConversationOutline = (props: ConversationOutlineProps) => {
  const { id, timeZone, firstSeen, lastSeen, isConversationShown, children } = props
  const { data, error } = useTimeline(id, isConversationShown, props.onShown)
  const isByCost = useSearchParams().get('turns') === 'cost'
  const setByCost = useOrder()
  const [isOpen, setOpen] = useState(false)
  const showEntry = useSteady((entry) => {
    setOpen(false)
    props.showEntry(entry)
  })
  const hasTurns = data !== undefined && data.rows.length > 0
  return (
    <CompactionSizesProvider value={useSizes(data)}>
      {error !== null && <Notice isAlert {...failureOf(error)} />}
      {data !== undefined && (
        <ContextStrip
          timeline={data}
          timeZone={timeZone}
          firstSeen={firstSeen}
          lastSeen={lastSeen}
          showEntry={showEntry}
        />
      )}
      <div className="lg:grid lg:grid-cols-[20rem_minmax(0,1fr)]">
        {hasTurns && (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="w-full border-b border-line px-3 py-2 text-left text-sm text-accent lg:hidden"
          >
            {isOpen ? 'Hide the turns' : `${counted(data.total.turns, 'turn')}, ${data.total.cost}: show them`}
          </button>
        )}
        <div
          role="region"
          aria-label="Outline"
          className={`relative border-line max-lg:border-b lg:border-r ${isOpen ? 'max-lg:h-[60dvh]' : 'max-lg:hidden'}`}
        >
          {data === undefined && error === null && (
            <div role="status" aria-label="Loading the turns" className="absolute inset-0 animate-pulse bg-sunken" />
          )}
          {data !== undefined && (
            <div className="absolute inset-0">
              <OutlineList
                timeline={data}
                firstSeen={firstSeen}
                isByCost={isByCost}
                setByCost={setByCost}
                showEntry={showEntry}
              />
            </div>
          )}
        </div>
        <div className="min-w-0">{children}</div>
      </div>
    </CompactionSizesProvider>
  )
}
