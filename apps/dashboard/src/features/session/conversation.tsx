'use client'
/**
 * The whole log as a list of which only what is seen is in the page. Entries come from the server in pages; what is
 * around the seen ones is fetched ahead, and an entry that is still on its way says which one it is. The entry that has
 * the keyboard stays in the page when it is scrolled away, so that the keyboard does not lose it.
 */
import { useQueries } from '@tanstack/react-query'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useId, useRef, useState } from 'react'
import type { FocusEvent, KeyboardEvent, RefObject } from 'react'
import { Notice } from '../../components/notice.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import type { Failure } from '../../trpc/failure.ts'
import { Entry } from './entry.tsx'
import type { EntryView } from '@cairn/core/conversation'
import { FindInSession } from './find-in-session.tsx'
import { ConversationOutline } from './conversation-outline.tsx'
import { MarkedWordsProvider } from './marked-words.tsx'
import { OpenFoldsProvider, createOpenFolds } from './open-folds.ts'
import { ENTRY_PAGE } from './page-sizes.ts'
import { useMatches } from './use-matches.ts'
import { useOpenEdit } from './use-open-edit.ts'

interface ConversationProps {
  readonly id: string
  /** Entries of the log. */
  readonly count: number
  readonly timeZone: string | undefined
  /** Entry to begin with, or to go to. */
  readonly startAt: number | undefined
  readonly showEntry: (entry: number) => void
  /** Called once the first entries and the turns are there, or can't be. */
  readonly onShown: () => void
}

type EntryList = Virtualizer<HTMLDivElement, HTMLDivElement>

/** px of an entry before it is measured. */
const GUESSED_HEIGHT = 76
/** Entries kept in the page on either side of the seen ones. */
const AHEAD = 14

/** Returns the position of the entry that an element is in; undefined outside of entries. */
const indexOf = (target: EventTarget): number | undefined => {
  const row = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-index]') : null
  return row === null ? undefined : Number(row.dataset['index'])
}

/**
 * Returns the pages (from 0) of entries around the seen ones, none for an empty log; positions may lie outside of it.
 */
const pagesAround = (first: number, last: number, count: number): readonly number[] => {
  const from = Math.max(0, Math.floor((first - ENTRY_PAGE / 2) / ENTRY_PAGE))
  const to = Math.min(Math.floor((count - 1) / ENTRY_PAGE), Math.floor((last + ENTRY_PAGE / 2) / ENTRY_PAGE))
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}

/**
 * Returns which entries are in the page: the seen ones, some around them, and the one that has the keyboard (`held`);
 * and the element that scrolls. One that is beyond the end does not count.
 */
const useEntryList = (
  count: number,
  held: number | undefined,
): readonly [EntryList, RefObject<HTMLDivElement | null>] => {
  const scroller = useRef<HTMLDivElement>(null)
  const list = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => GUESSED_HEIGHT,
    overscan: AHEAD,
    rangeExtractor: (range) => {
      const around = defaultRangeExtractor(range)
      return held === undefined || held >= count || around.includes(held)
        ? around
        : [...around, held].sort((left, right) => left - right)
    },
  })
  return [list, scroller]
}

interface LoadedEntries {
  /** By number; those on their way are missing. */
  readonly entries: ReadonlyMap<number, EntryView>
  readonly failure: Failure | null
}

/**
 * Fetches the pages of what is seen and of the entry that has the keyboard. Returns what has come so far, by position,
 * and the first failure. The first page is fetched in any case.
 */
const useEntries = (
  { id, count }: ConversationProps,
  { range }: EntryList,
  held: number | undefined,
): LoadedEntries => {
  const trpc = useTRPC()
  const seen = pagesAround((range?.startIndex ?? 0) - AHEAD, (range?.endIndex ?? 0) + AHEAD, count)
  const heldPage = held === undefined ? undefined : Math.floor(held / ENTRY_PAGE)
  const pages = heldPage === undefined || seen.includes(heldPage) ? seen : [...seen, heldPage]
  const answers = useQueries({
    queries: pages.map((page) => trpc.session.entries.queryOptions({ id, page }, { staleTime: 30_000 })),
  })
  const entries = new Map<number, EntryView>()
  for (const { data } of answers) for (const entry of data ?? []) entries.set(entry.seq, entry)
  const error = answers.find((answer) => answer.error !== null && answer.data === undefined)?.error ?? null
  return { entries, failure: error === null ? null : failureOf(error) }
}

/**
 * Goes to the entry that the address names, and says which it is: a command's output is shown with the command.
 * Undefined if it names none.
 */
const useStart = (
  startAt: number | undefined,
  list: EntryList,
  entries: ReadonlyMap<number, EntryView>,
): number | undefined => {
  const named = startAt === undefined ? undefined : entries.get(startAt)
  const target = named?.kind === 'hidden' ? (named.shownIn ?? startAt) : startAt
  useEffect(() => {
    if (target !== undefined) list.scrollToIndex(target, { align: 'start' })
    // Only where the address names another entry, not whenever the list is measured: `list` is left out on purpose.
  }, [target])
  return target
}

/** Calls `tell` for a log without entries, which has no turns either. */
const useEmpty = (isEmpty: boolean, tell: () => void): void => {
  useEffect(() => {
    if (isEmpty) tell()
  }, [isEmpty, tell])
}

/** An entry that is on its way: its number, and a grey line. */
const Waiting = ({ seq }: { readonly seq: number }) => (
  <div data-waiting="true" className="flex h-19 items-center gap-3 border-l-2 border-l-line px-4 text-xs text-muted">
    <span className="tabular-nums">#{seq}</span>
    <span className="h-3 flex-1 rounded bg-sunken" />
  </div>
)

interface RowsProps extends Pick<ConversationProps, 'id' | 'timeZone'> {
  readonly list: EntryList
  readonly entries: ReadonlyMap<number, EntryView>
  /** The entry that is marked. */
  readonly target: number | undefined
}

/**
 * The rows that are in view, each at its place in the whole height. One that has not come yet shows that it is waited
 * for.
 */
const Rows = ({ id, timeZone, list, entries, target }: RowsProps) => (
  <div className="relative w-full" style={{ height: list.getTotalSize() }}>
    {list.getVirtualItems().map(({ key, index, start }) => {
      const entry = entries.get(index)
      return (
        <div
          key={key}
          data-index={index}
          ref={list.measureElement}
          className={`absolute inset-x-0 top-0 ${index === target ? 'bg-accent/10' : ''}`}
          style={{ transform: `translateY(${start}px)` }}
        >
          {entry === undefined ? <Waiting seq={index} /> : <Entry id={id} entry={entry} timeZone={timeZone} />}
        </div>
      )
    })}
  </div>
)

/**
 * A search, and below it the scrolling list of entries, of which only those in sight are made; a notice for an empty
 * log.
 */
export const Conversation = (props: ConversationProps) => {
  const { id, count, timeZone, startAt, showEntry } = props
  const helpId = useId()
  const [openFolds] = useState(createOpenFolds)
  /** The entry that has the keyboard. */
  const [held, setHeld] = useState<number | undefined>(undefined)
  const [list, scroller] = useEntryList(count, held)
  const { entries, failure } = useEntries(props, list, held)
  const target = useStart(startAt, list, entries)
  useOpenEdit(target === undefined ? undefined : entries.get(target), openFolds)
  useEmpty(count === 0, props.onShown)
  const marked = useMatches(id, startAt, target, openFolds, scroller)

  // The browser's own way there is animated, and ends where entries above turn out taller than guessed.
  const jump = (event: KeyboardEvent<HTMLDivElement>): void => {
    // Out of thousands of entries at once.
    if (event.key === 'Escape' && event.target !== event.currentTarget) event.currentTarget.focus()
    if (event.target !== event.currentTarget || (event.key !== 'Home' && event.key !== 'End')) return
    event.preventDefault()
    if (event.key === 'Home') list.scrollToOffset(0)
    else list.scrollToIndex(count - 1, { align: 'end' })
  }

  // Another window may have the keyboard for a while; it comes back to the same entry.
  const leave = ({ currentTarget, relatedTarget }: FocusEvent<HTMLDivElement>): void => {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setHeld(undefined)
  }

  if (count === 0) return <Notice title="Nothing was said" text="The log of this session holds no entry." />
  const { range } = list
  return (
    <ConversationOutline
      id={id}
      timeZone={timeZone}
      firstSeen={range?.startIndex ?? 0}
      lastSeen={range?.endIndex ?? 0}
      showEntry={showEntry}
      isConversationShown={entries.size > 0 || failure !== null}
      onShown={props.onShown}
    >
      <FindInSession id={id} at={startAt} isMarked={(marked?.words.length ?? 0) > 0} />
      {failure !== null && <Notice isAlert {...failure} />}
      <p id={helpId} className="sr-only">
        Arrow keys, Page Up, Page Down, Home and End scroll; Tab goes to what can be opened in what is seen, and Escape
        comes back.
      </p>
      <div
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label="Conversation"
        aria-describedby={helpId}
        onKeyDown={jump}
        onFocus={(event) => setHeld(indexOf(event.target))}
        onBlur={leave}
        className="h-[80dvh] min-h-80 overflow-y-auto overscroll-contain outline-offset-[-2px] [overflow-anchor:none]"
      >
        <OpenFoldsProvider value={openFolds}>
          <MarkedWordsProvider value={marked}>
            <Rows id={id} timeZone={timeZone} list={list} entries={entries} target={target} />
          </MarkedWordsProvider>
        </OpenFoldsProvider>
      </div>
    </ConversationOutline>
  )
}
