'use client'
/**
 * The turns of a session with what each cost, subagents below the turn that they began in. One stop of the keyboard: arrow
 * keys go from turn to turn, Enter goes to the turn in the conversation. Only the rows in sight are in the page.
 */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import type { Virtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import { StoreText } from '../../components/store-text.tsx'
import { counted } from '../usage/figure.ts'
import type { OutlineRow, TimelineView } from './timeline-view.ts'

/** px where letters are of the usual size. */
const HEIGHTS = { turn: 58, subagent: 46 } as const
/** Rows before and behind those in sight that are in the page, too. */
const AHEAD = 12

/**
 * A bar at a row's edge, as long as the row is dear; `weight` is 0 to 1 of the dearest, and more than a third or two
 * thirds have colours of their own.
 */
const CostBar = ({ weight }: { readonly weight: number }) => (
  <svg
    aria-hidden="true"
    className="mt-1 h-1 w-full rounded-full bg-sunken"
    preserveAspectRatio="none"
    viewBox="0 0 100 1"
  >
    <rect
      width={Math.max(weight > 0 ? 1 : 0, weight * 100)}
      height="1"
      fill={weight > 0.66 ? 'var(--danger)' : weight > 0.33 ? 'var(--warning)' : 'var(--cost-computed)'}
    />
  </svg>
)

interface RowProps {
  readonly row: OutlineRow
  /** It is what the conversation shows. */
  readonly isCurrent: boolean
  /** The Tab key stops here. */
  readonly isStop: boolean
  /** It got the keyboard. */
  readonly focused: () => void
  readonly choose: () => void
}

/** A turn or subagent as a button; one without an entry leads nowhere. */
const Row = ({ row, isCurrent, isStop, focused, choose }: RowProps) => {
  return (
    <button
      type="button"
      tabIndex={isStop ? 0 : -1}
      aria-current={isCurrent ? 'location' : undefined}
      aria-disabled={row.seq === null ? true : undefined}
      title={row.about}
      onFocus={focused}
      onClick={choose}
      className={`block h-full w-full border-l-2 py-1.5 pr-3 text-left outline-offset-[-2px] hover:bg-sunken aria-[current=location]:border-l-accent aria-[current=location]:bg-accent/10 ${row.subagent === null ? 'border-l-transparent pl-3' : 'border-l-transparent pl-8'}`}
    >
      <span className="flex items-baseline gap-2 text-sm">
        <span className="shrink-0 text-xs text-muted tabular-nums">
          {row.subagent === null ? (
            <>
              <span className="sr-only">Turn </span>
              {row.turn}
              <span className="sr-only">: </span>
            </>
          ) : (
            <>
              <span aria-hidden="true">↳</span>
              <span className="sr-only">Subagent </span>
            </>
          )}
        </span>
        <span className={`min-w-0 flex-1 truncate ${row.subagent === null ? '' : 'text-xs text-muted'}`}>
          <StoreText text={row.text} />
        </span>
        <span
          className={`shrink-0 tabular-nums ${row.subagent === null ? 'font-medium' : 'text-xs'}`}
          data-measure="cost"
        >
          {row.cost}
        </span>
      </span>
      <span className="flex gap-2 text-xs text-muted tabular-nums">
        <span data-measure="tokens">
          {row.tokens}
          <span className={row.toolCalls > 0 ? 'sr-only' : ''}> tokens</span>
        </span>
        {row.took !== '' && <span>{row.took}</span>}
        {row.toolCalls > 0 && <span data-measure="calls">{counted(row.toolCalls, 'call')}</span>}
        {row.failed > 0 && (
          <span className="text-danger" data-measure="failed">
            {row.failed.toLocaleString('en-US')} failed
          </span>
        )}
        <span className="ml-auto" data-measure="share">
          {row.share}
        </span>
      </span>
      {row.subagent === null && <CostBar weight={row.weight} />}
    </button>
  )
}

interface OutlineListProps {
  readonly timeline: TimelineView
  /** The entry at the top of the conversation, by its number in the log. */
  readonly firstSeen: number
  /** Ordered by cost, the dearest turn first; else as in the log. */
  readonly isByCost: boolean
  readonly setByCost: (isByCost: boolean) => void
  /** Goes to an entry of the conversation, by its number in the log. */
  readonly showEntry: (entry: number) => void
}

/** Returns the rows in the chosen order; by cost the dearest turn is first, and each keeps its subagents. */
const orderedRows = ({ rows, byCost }: TimelineView, isByCost: boolean): readonly OutlineRow[] => {
  if (!isByCost) return rows
  return byCost.flatMap((first) => {
    let next = first + 1
    while (next < rows.length && rows[next]?.subagent !== null) next += 1
    return rows.slice(first, next)
  })
}

const CHOICE =
  'rounded-md px-2 py-1 text-xs text-muted hover:text-ink aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink'

/** The number of turns, and the choice of their order. */
const Head = ({
  turns,
  isByCost,
  setByCost,
}: Pick<OutlineListProps, 'isByCost' | 'setByCost'> & { readonly turns: number }) => (
  <div
    role="group"
    aria-label="Order of the turns"
    className="flex items-baseline gap-1 border-b border-line px-3 py-1.5"
  >
    <h2 className="mr-auto text-xs font-semibold">{counted(turns, 'turn')}</h2>
    <button type="button" aria-pressed={!isByCost} onClick={() => setByCost(false)} className={CHOICE}>
      In order
    </button>
    <button type="button" aria-pressed={isByCost} onClick={() => setByCost(true)} className={CHOICE}>
      Most expensive first
    </button>
  </div>
)

/** What all turns come to. */
const Total = ({ total }: Pick<TimelineView, 'total'>) => (
  <p className="flex justify-between gap-2 border-t border-line px-3 py-2 text-sm font-semibold tabular-nums">
    <span>Total</span>
    <span className="text-xs font-normal text-muted">{total.tokens} tokens</span>
    <span data-outline-total="">{total.cost}</span>
  </p>
)

/**
 * The rows that are in the page: those in sight, `AHEAD` around them, and the one that has the keyboard (`active`, an
 * index).
 */
const useRows = (
  rows: readonly OutlineRow[],
  scroller: RefObject<HTMLDivElement | null>,
  active: number,
): Virtualizer<HTMLDivElement, HTMLLIElement> => {
  const list = useVirtualizer<HTMLDivElement, HTMLLIElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => HEIGHTS[rows[index]?.subagent === null ? 'turn' : 'subagent'],
    overscan: AHEAD,
    // What has the keyboard stays in the page.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), active])].sort((left, right) => left - right),
  })
  useEffect(() => list.measure(), [rows, list])
  return list
}

/**
 * Returns what the arrow keys, Home and End do: `go` is called with the row to go to, which has the keyboard once it is
 * in the page. Others do nothing.
 */
const useMoves = (
  scroller: RefObject<HTMLDivElement | null>,
  last: number,
  active: number,
  go: (row: number) => void,
): ((event: KeyboardEvent) => void) => {
  const wanted = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (wanted.current === undefined) return
    scroller.current
      ?.querySelector<HTMLElement>(`[data-row="${wanted.current}"] button`)
      ?.focus({ preventScroll: true })
    wanted.current = undefined
  })
  return (event: KeyboardEvent): void => {
    const next = { ArrowDown: Math.min(last, active + 1), ArrowUp: Math.max(0, active - 1), Home: 0, End: last }[
      event.key
    ]
    if (next === undefined) return
    event.preventDefault()
    wanted.current = next
    go(next)
  }
}

/**
 * Whether the row of an index is wholly seen: within the list's frame and within the window, which the frame may go
 * beyond. False for a row that is not in the page. Measures the layout.
 */
const isInSight = (frame: HTMLElement, row: number): boolean => {
  const box = frame.querySelector(`[data-row="${row}"]`)?.getBoundingClientRect()
  const { top, bottom } = frame.getBoundingClientRect()
  return box !== undefined && box.top >= Math.max(0, top) && box.bottom <= Math.min(window.innerHeight, bottom)
}

/**
 * Scrolls to the `current` row (an index; -1: none) when it changes and is out of sight, unless the keyboard is in the
 * list; to the top when the list is put in order of cost.
 */
const useFollowing = (
  list: Virtualizer<HTMLDivElement, HTMLLIElement>,
  scroller: RefObject<HTMLDivElement | null>,
  current: number,
  isByCost: boolean,
): void => {
  const wasByCost = useRef(false)
  useEffect(() => {
    const frame = scroller.current
    const isAsked = isByCost && !wasByCost.current
    wasByCost.current = isByCost
    if (isAsked) list.scrollToOffset(0)
    else if (current >= 0 && frame?.contains(document.activeElement) === false && !isInSight(frame, current))
      list.scrollToIndex(current, { align: 'center' })
  }, [current, isByCost, list, scroller])
}

/**
 * The outline's rows, of which only those in view are drawn. It follows the conversation unless the keyboard is in it.
 */
const List = ({ timeline, firstSeen, isByCost, setByCost, showEntry }: OutlineListProps) => {
  const rows = useMemo(() => orderedRows(timeline, isByCost), [timeline, isByCost])
  const scroller = useRef<HTMLDivElement>(null)
  const [stop, setStop] = useState(0)
  const current = timeline.rows.findLast(({ subagent, seq }) => subagent === null && seq !== null && seq <= firstSeen)
  const currentIndex = current === undefined ? -1 : rows.indexOf(current)
  const active = Math.min(stop, rows.length - 1)
  const list = useRows(rows, scroller, active)
  useFollowing(list, scroller, currentIndex, isByCost)
  const move = useMoves(scroller, rows.length - 1, active, (next) => {
    setStop(next)
    list.scrollToIndex(next, { align: 'auto' })
  })
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Head turns={timeline.total.turns} isByCost={isByCost} setByCost={setByCost} />
      <div
        ref={scroller}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none]"
        onKeyDown={move}
      >
        <ol
          aria-label="Turns of the session"
          data-table="outline"
          className="relative"
          style={{ height: list.getTotalSize() }}
        >
          {list.getVirtualItems().map(({ index, start, size }) => {
            const row = rows[index]
            return row === undefined ? null : (
              <li
                key={index}
                data-row={index}
                data-key={`${row.turn} ${row.subagent ?? ''}`.trim()}
                data-cost={row.subagent === null ? row.cost : undefined}
                className="absolute inset-x-0 top-0 border-b border-line/60"
                style={{ transform: `translateY(${start}px)`, height: size }}
              >
                <Row
                  row={row}
                  isCurrent={index === currentIndex}
                  isStop={index === active}
                  focused={() => setStop(index)}
                  choose={() => {
                    if (row.seq !== null) showEntry(row.seq)
                  }}
                />
              </li>
            )
          })}
        </ol>
      </div>
      <Total total={timeline.total} />
    </div>
  )
}

/** Drawn again only when another turn is seen or chosen. */
export const OutlineList = memo(List)
