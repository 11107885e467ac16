'use client'
/** The context at each request, as its agent sent it and under the policy, with every rewrite marked. All sizes are estimates. */
import { LineChart } from '../../components/chart/line-chart.tsx'
import type { BarMark } from '../../components/chart/stacked-bars.tsx'
import { timeText } from '../../components/time-text.tsx'
import type { ReplayPoint, ReplayView, RewriteView } from './replay-view.ts'

const SENT = { field: 'sent', name: 'As its agent sent (recorded, sizes estimated)', color: 'var(--muted)' } as const
const CHOSEN = { field: 'chosen', color: 'var(--accent)' } as const

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 })
/** Returns a count with separators. */
const whole = (count: number): string => count.toLocaleString('en-US')

/**
 * Returns a mark for each point with rewrites, with the numbers of their requests (from 1), each once; a point may be
 * the largest of several requests.
 */
export const rewriteMarks = (
  points: readonly ReplayPoint[],
  rewrites: readonly RewriteView[],
): readonly (BarMark & { readonly requests: readonly number[] })[] => {
  const each = points[0] === undefined ? 1 : points[0].last - points[0].first + 1
  const byPoint = Map.groupBy(rewrites, ({ request }) => Math.floor((request - 1) / each))
  return [...byPoint].map(([index, all]) => {
    const blocks = all.reduce((sum, one) => sum + one.blocks, 0)
    const what = all.length === 1 ? 'Rewrite' : `${whole(all.length)} rewrites`
    return {
      index,
      title: `${what}: ${whole(blocks)} ${blocks === 1 ? 'block' : 'blocks'} cut or taken out`,
      requests: [...new Set(all.map(({ request }) => request))],
    }
  })
}

/** Returns a policy's name for the legend. */
const nameOf = (policy: ReplayView['policy']): string => (policy === 'none' ? 'none: append only' : policy)

interface ReplayChartProps {
  readonly view: ReplayView
  readonly timeZone: string | undefined
  /** A request, from 1. */
  readonly chosen: number | undefined
  readonly choose: (request: number) => void
}

/** A piece of line, as a series has it in the chart. Solid without `dash`. */
const Line = ({
  color,
  dash,
  width = 2,
}: {
  readonly color: string
  readonly dash?: string
  readonly width?: number
}) => (
  <svg aria-hidden="true" className="h-2.5 w-4 shrink-0" viewBox="0 0 16 10">
    <line x1="0" x2="16" y1="5" y2="5" stroke={color} strokeWidth={width} strokeDasharray={dash} />
  </svg>
)

const LEGEND = 'flex items-center gap-1.5 py-1'

/**
 * The chart of a replay: the input of each request as sent and as replayed, the window as a limit, and a legend; a mark
 * leads to what left before its request, the next one of several at each choice. A replay of what its agent did is one
 * line.
 */
export const ReplayChart = ({
  view: { policy, points, rewrites, window },
  timeZone,
  chosen,
  choose,
}: ReplayChartProps) => {
  const marks = rewriteMarks(points, rewrites)
  const series =
    policy === 'recorded' ? [{ ...SENT, color: CHOSEN.color }] : [SENT, { ...CHOSEN, name: nameOf(policy) }]
  const titleOf = ({ first, last, at }: ReplayPoint): string =>
    `${first === last ? `Request ${whole(first)}` : `Largest of requests ${whole(first)} to ${whole(last)}`}, ${timeText(at, timeZone)}`
  return (
    <>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 px-4 pt-3 text-xs text-muted sm:px-5">
        {series.map(({ field, name, color }) => (
          <li key={field} className={LEGEND}>
            <Line color={color} />
            {name}
          </li>
        ))}
        <li className={LEGEND}>
          <Line color="var(--danger)" dash="4 2" width={1.5} />
          Window, {compact.format(window)}
        </li>
        {marks.length > 0 && (
          <li className={LEGEND}>
            <svg aria-hidden="true" className="size-2.5" viewBox="0 0 10 10">
              <path d="M5 1l5 8h-10z" fill="var(--warning)" />
            </svg>
            Rewrite: choose it to see what left
          </li>
        )}
      </ul>
      <LineChart
        label={`Input of each request in tokens, as its agent sent it${policy === 'recorded' ? '' : ` and under ${policy}`}`}
        points={points.map((point) => ({ ...point, label: whole(point.first) }))}
        series={series}
        limit={window}
        marks={marks}
        markAction="Enter or a click shows what left"
        chosen={chosen === undefined ? undefined : indexOf(points, chosen)}
        axisText={(value) => compact.format(value)}
        hintOf={(point) => ({
          title: titleOf(point),
          lines: series
            .slice(0, -1)
            .map(({ field, name, color }) => ({ name, color, text: compact.format(point[field]) })),
          foot: { name: policy === 'recorded' ? SENT.name : nameOf(policy), text: compact.format(point.chosen) },
        })}
        choose={(index) => {
          const requests = marks.find((mark) => mark.index === index)?.requests ?? []
          // Of several behind one mark, the next at each choice.
          const next = requests.find((request) => request > (chosen ?? 0)) ?? requests[0]
          if (next !== undefined) choose(next)
        }}
      />
    </>
  )
}

/** Returns the index of the point that contains a request; undefined if there is none. */
const indexOf = (points: readonly ReplayPoint[], request: number): number | undefined => {
  const index = points.findIndex(({ first, last }) => first <= request && request <= last)
  return index === -1 ? undefined : index
}
