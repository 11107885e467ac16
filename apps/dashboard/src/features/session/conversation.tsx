'use client'
/**
 * The whole log as a list of which only what is seen is in the page. Entries come from the server in pages; what is
 * around the seen ones is fetched ahead, and an entry that is still on its way says which one it is.
 */
import { useQueries } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { Notice } from '../../components/notice.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { Entry } from './entry.tsx'
import type { EntryView } from './entry-view.ts'
import { ENTRY_PAGE } from './pages.ts'

interface ConversationProps {
  readonly id: string
  /** Entries of the log. */
  readonly count: number
  readonly timeZone: string | undefined
  /** Entry to begin with. */
  readonly startAt: number | undefined
}

const GUESSED_HEIGHT = 76
const AHEAD = 14

/** Pages of entries around the seen ones. */
const pagesAround = (first: number, last: number, count: number): readonly number[] => {
  const from = Math.max(0, Math.floor((first - ENTRY_PAGE / 2) / ENTRY_PAGE))
  const to = Math.min(Math.floor((count - 1) / ENTRY_PAGE), Math.floor((last + ENTRY_PAGE / 2) / ENTRY_PAGE))
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}

export const Conversation = ({ id, count, timeZone, startAt }: ConversationProps) => {
  const trpc = useTRPC()
  const scroller = useRef<HTMLDivElement>(null)
  const list = useVirtualizer({ count, getScrollElement: () => scroller.current, estimateSize: () => GUESSED_HEIGHT, overscan: AHEAD })
  const items = list.getVirtualItems()
  const pages = pagesAround(items[0]?.index ?? 0, items.at(-1)?.index ?? 0, count)
  const answers = useQueries({ queries: pages.map((page) => trpc.session.entries.queryOptions({ id, page }, { staleTime: 30_000 })) })
  const entries = new Map<number, EntryView>()
  for (const { data } of answers) for (const entry of data ?? []) entries.set(entry.seq, entry)
  const error = answers.find((answer) => answer.error !== null && answer.data === undefined)?.error ?? null
  useEffect(() => {
    if (startAt !== undefined) list.scrollToIndex(startAt, { align: 'start' })
    // Only where the address names another entry, not whenever the list is measured: `list` is left out on purpose.
  }, [startAt])

  // The browser's own way there is animated, and ends where entries above turn out taller than guessed.
  const jump = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.target !== event.currentTarget || (event.key !== 'Home' && event.key !== 'End')) return
    event.preventDefault()
    if (event.key === 'Home') list.scrollToOffset(0)
    else list.scrollToIndex(count - 1, { align: 'end' })
  }

  if (count === 0) return <Notice title="Nothing was said" text="The log of this session holds no entry." />
  return (
    <>
      {error !== null && <Notice isAlert {...failureOf(error)} />}
      <div ref={scroller} tabIndex={0} role="region" aria-label="Conversation" onKeyDown={jump} className="h-[80dvh] min-h-80 overflow-y-auto overscroll-contain [overflow-anchor:none]">
        <div className="relative w-full" style={{ height: list.getTotalSize() }}>
          <div className="absolute inset-x-0 top-0" style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
            {items.map(({ key, index }) => {
              const entry = entries.get(index)
              return (
                <div key={key} data-index={index} ref={list.measureElement}>
                  {entry === undefined ? (
                    <div data-waiting="true" className="flex h-19 items-center gap-3 border-l-2 border-l-line px-4 text-xs text-muted">
                      <span className="tabular-nums">#{index}</span>
                      <span className="h-3 flex-1 rounded bg-sunken" />
                    </div>
                  ) : (
                    <Entry id={id} entry={entry} timeZone={timeZone} />
                  )}
                </div>
              )
            })}
          </div>
        </div>
      </div>
    </>
  )
}
