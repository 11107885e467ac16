'use client'
/** How large the context was, request by request, above the conversation: it shows what part of it is seen, and leads to any other. */
import { memo } from 'react'
import type { BarMark } from '../../components/chart/stacked-bars.tsx'
import { StackedBars } from '../../components/chart/stacked-bars.tsx'
import { Swatch } from '../../components/chart/swatch.tsx'
import { visibleText } from '../../components/store-text.tsx'
import { timeText } from '../../components/time-text.tsx'
import { compactCount, counted } from '../usage/figure.ts'
import type { ContextPoint, MarkView, TimelineView } from './timeline-view.ts'

const SERIES = [
  { field: 'cacheReadTokens', name: 'Cache read', color: 'var(--class-cache-read)' },
  { field: 'cacheWriteTokens', name: 'Cache write', color: 'var(--class-cache-write-5m)' },
  { field: 'inputTokens', name: 'Uncached input', color: 'var(--class-input)' },
] as const

const KINDS: Readonly<
  Record<MarkView['kind'], { readonly name: string; readonly plural: string; readonly color: string }>
> = {
  compaction: { name: 'compaction', plural: 'compactions', color: 'var(--danger)' },
  'cleared-results': {
    name: 'clearing of old results',
    plural: 'clearings of old results',
    color: 'var(--warning)',
  },
  rewrite: { name: 'rewrite', plural: 'rewrites', color: 'var(--danger)' },
  truncation: { name: 'truncation', plural: 'truncations', color: 'var(--danger)' },
  pause: { name: 'pause that lost the cache', plural: 'pauses that lost the cache', color: 'var(--warning)' },
  'cache-break': { name: 'other loss of the cache', plural: 'other losses of the cache', color: 'var(--warning)' },
  model: { name: 'change of model', plural: 'changes of model', color: 'var(--accent)' },
}

/** What is drawn over other marks at the same bar, the topmost last. */
const ON_TOP: readonly MarkView['kind'][] = ['truncation', 'rewrite', 'compaction']

const numberText = (value: number): string => value.toLocaleString('en-US')

/**
 * Returns what a point's hint is headed with: `Request 12`, or of several requests the drawn one and which they are
 * (`Request 12, the largest of 10 to 14`, `Request 12, after a loss of the cache, one of 10 to 14`).
 */
const titleOf = ({ first, last, drawn, isLoss }: ContextPoint): string => {
  const title = `Request ${numberText(drawn)}`
  if (first === last) return title
  return `${title}, ${isLoss ? 'after a loss of the cache, one' : 'the largest'} of ${numberText(first)} to ${numberText(last)}`
}

const sizeOf = (point: ContextPoint): number => SERIES.reduce((sum, { field }) => sum + point[field], 0)

interface ContextStripProps {
  readonly timeline: TimelineView
  readonly timeZone: string | undefined
  /** First and last entry in sight. */
  readonly firstSeen: number
  readonly lastSeen: number
  readonly showEntry: (entry: number) => void
}

/** What the chart's marks and colours stand for. */
const Legend = ({ timeline: { marks, peak, subagentRequests } }: Pick<ContextStripProps, 'timeline'>) => (
  <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-3 pt-2 text-xs text-muted sm:px-4">
    <h2 className="font-semibold text-ink">Size of the context</h2>
    <span>
      largest: {compactCount(peak)} tokens
      {subagentRequests > 0 &&
        ` · the main conversation’s, without ${counted(subagentRequests, 'request')} of subagents`}
    </span>
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      {SERIES.map(({ field, name, color }) => (
        <li key={field} className="flex items-center gap-1.5">
          <Swatch color={color} />
          {name}
        </li>
      ))}
      {Object.entries(KINDS).map(([kind, { name, plural, color }]) => {
        const count = marks.filter((mark) => mark.kind === kind).length
        return count === 0 ? null : (
          <li key={kind} className="flex items-center gap-1.5">
            <svg aria-hidden="true" className="size-2.5" viewBox="0 0 10 10">
              <path d="M1 1h8l-4 7z" fill={color} />
            </svg>
            {counted(count, name, plural)}
          </li>
        )
      })}
    </ul>
  </div>
)

/**
 * The first and last position of the points that are open between two entries: at an entry it is the last point that
 * began there or before. The last is −1, so that none is in sight, where none has begun.
 */
const seenPoints = (points: readonly ContextPoint[], first: number, last: number): readonly [number, number] => {
  // The point that is open at an entry is the last one that began before it.
  const openAt = (entry: number): number => points.findLastIndex(({ seq }) => seq !== null && seq <= entry)
  return [Math.max(0, openAt(first)), openAt(last)]
}

/**
 * The chart: a click, or Enter, goes to the entry of the chosen request. Nothing without requests. A click on one
 * without an entry does nothing.
 */
const Strip = ({ timeline, timeZone, firstSeen, lastSeen, showEntry }: ContextStripProps) => {
  const { points } = timeline
  if (points.length === 0) return null
  const marks = timeline.marks
    .toSorted((left, right) => ON_TOP.indexOf(left.kind) - ON_TOP.indexOf(right.kind))
    .map(({ index, kind, title }): BarMark => ({ index, title: visibleText(title), color: KINDS[kind].color }))
  return (
    <div className="border-b border-line">
      <Legend timeline={timeline} />
      <StackedBars
        label="Size of the context at each request, in tokens"
        isSmall
        points={points}
        series={SERIES}
        marks={marks}
        seen={seenPoints(points, firstSeen, lastSeen)}
        axisText={compactCount}
        choose={({ seq }) => {
          if (seq !== null) showEntry(seq)
        }}
        hintOf={(point) => ({
          title: `${titleOf(point)}, ${timeText(point.at, timeZone)}`,
          lines: SERIES.map(({ field, name, color }) => ({ name, color, text: compactCount(point[field]) })),
          foot: { name: visibleText(point.model), text: compactCount(sizeOf(point)) },
        })}
      />
    </div>
  )
}

/** Drawn again only when another part is seen, not at every step of scrolling. */
export const ContextStrip = memo(Strip)
