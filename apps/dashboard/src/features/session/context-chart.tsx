'use client'
/** How large the context was at each request of the main conversation, with the compactions marked. */
import { useQuery } from '@tanstack/react-query'
import type { BarMark } from '../../components/chart/stacked-bars.tsx'
import { StackedBars } from '../../components/chart/stacked-bars.tsx'
import { Swatch } from '../../components/chart/swatch.tsx'
import { Notice } from '../../components/notice.tsx'
import { Panel } from '../../components/panel.tsx'
import { visibleText } from '../../components/store-text.tsx'
import { timeText } from '../../components/time-text.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { counted } from '../usage/figure.ts'
import type { ContextPoint } from './context-view.ts'
import type { CompactionMark } from './outline.ts'

const SERIES = [
  { field: 'cacheReadTokens', name: 'Cache read', color: 'var(--class-cache-read)' },
  { field: 'cacheWriteTokens', name: 'Cache write', color: 'var(--class-cache-write-5m)' },
  { field: 'inputTokens', name: 'Uncached input', color: 'var(--class-input)' },
] as const

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 })

/** A compaction stands before the first request after it. */
const marksOf = (points: readonly ContextPoint[], compactions: readonly CompactionMark[]): readonly BarMark[] =>
  compactions.flatMap(({ at, trigger, seq }) => {
    if (at === null) return []
    const index = points.findIndex((point) => point.at !== null && point.at >= at)
    return [{ index: index === -1 ? points.length : index, title: `Compaction (${trigger}), entry #${seq}` }]
  })

const titleOf = ({ first, last }: ContextPoint): string =>
  first === last
    ? `Request ${first.toLocaleString('en-US')}`
    : `Largest of requests ${first.toLocaleString('en-US')} to ${last.toLocaleString('en-US')}`

/**
 * The size of the context as a bar for each request, or for the largest of several, with compactions marked; nothing
 * without requests.
 */
export const ContextChart = ({ id, timeZone }: { readonly id: string; readonly timeZone: string | undefined }) => {
  const trpc = useTRPC()
  const { data, error } = useQuery(trpc.session.context.queryOptions({ id }))
  const outline = useQuery(trpc.session.outline.queryOptions({ id }, { staleTime: 10_000 }))
  if (error !== null) return <Notice isAlert {...failureOf(error)} />
  if (data === undefined)
    return (
      <div
        role="status"
        aria-label="Loading the context’s size"
        className="h-81 animate-pulse rounded-xl border border-line bg-sunken"
      />
    )
  if (data.points.length === 0) return null
  const compactions = outline.data?.compactions ?? []
  const marks = marksOf(data.points, compactions)
  const peak = data.points.reduce(
    (most, point) => Math.max(most, point.inputTokens + point.cacheReadTokens + point.cacheWriteTokens),
    0,
  )
  return (
    <Panel
      title="Size of the context, request by request"
      aside={`${data.subagents === null ? 'in order of time' : `the main conversation’s, without ${counted(data.subagents.requestCount, 'request')} of subagents`} · largest: ${compact.format(peak)} tokens`}
    >
      <ul className="flex flex-wrap gap-x-4 gap-y-1 px-4 pt-3 text-xs text-muted sm:px-5">
        {SERIES.map(({ field, name, color }) => (
          <li key={field} className="flex items-center gap-1.5 py-1">
            <Swatch color={color} />
            {name}
          </li>
        ))}
        {compactions.length > 0 && (
          <li className="flex items-center gap-1.5 py-1">
            <svg aria-hidden="true" className="h-2.5 w-2.5" viewBox="0 0 10 10">
              <line x1="5" x2="5" y1="0" y2="10" stroke="var(--danger)" strokeWidth="2" strokeDasharray="3 2" />
            </svg>
            {compactions.length === 1 ? '1 compaction' : `${compactions.length.toLocaleString('en-US')} compactions`}
          </li>
        )}
      </ul>
      <StackedBars
        label="Size of the context at each request, in tokens"
        points={data.points}
        series={SERIES}
        marks={marks}
        axisText={(value) => compact.format(value)}
        hintOf={(point) => ({
          title: `${titleOf(point)}, ${timeText(point.at, timeZone)}`,
          lines: SERIES.map(({ field, name, color }) => ({ name, color, text: compact.format(point[field]) })),
          foot: {
            name: visibleText(point.model),
            text: compact.format(point.inputTokens + point.cacheReadTokens + point.cacheWriteTokens),
          },
        })}
      />
    </Panel>
  )
}
