'use client'
/** The overview's two charts over the same steps of time. Loaded after the page, because the chart library is most of its script. */
import { useState } from 'react'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { Panel } from '../../components/panel.tsx'
import type { PointView } from './overview-view.ts'
import { usedClasses } from './token-classes.ts'
import type { TokenClass } from './token-classes.ts'

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 })

/** As many digits as tell the ticks of one axis apart. */
const dollars = (usd: number): string => {
  const digits = usd !== 0 && Math.abs(usd) < 0.1 ? 4 : Number.isInteger(usd) ? 0 : 2
  const notation = Math.abs(usd) >= 10_000 ? 'compact' : 'standard'
  return usd.toLocaleString('en-US', { style: 'currency', currency: 'USD', notation, minimumFractionDigits: notation === 'compact' ? 0 : digits, maximumFractionDigits: digits })
}

interface Series {
  readonly field: TokenClass['field'] | 'computedUsd' | 'recordedUsd'
  readonly name: string
  readonly color: string
}

const COST_SERIES: readonly Series[] = [
  { field: 'computedUsd', name: 'Computed from the price list', color: 'var(--cost-computed)' },
  { field: 'recordedUsd', name: 'Recorded by the agent', color: 'var(--cost-recorded)' },
]

const Swatch = ({ color }: { readonly color: string }) => (
  <svg aria-hidden="true" className="size-2.5 shrink-0" viewBox="0 0 10 10">
    <rect width="10" height="10" rx="2" fill={color} />
  </svg>
)

interface HintProps {
  readonly point: PointView | undefined
  readonly series: readonly Series[]
  readonly textOf: (point: PointView, series: Series) => string
}

/** What a bar says under the pointer. */
const Hint = ({ point, series, textOf }: HintProps) =>
  point === undefined ? null : (
    <div className="rounded-lg border border-line bg-panel px-3 py-2 text-xs shadow-lg">
      <p className="font-semibold">{point.title}</p>
      <dl className="mt-1.5 grid grid-cols-[auto_1fr_auto] items-center gap-x-2 gap-y-1 tabular-nums">
        {series.toReversed().map((one) => (
          <div key={one.field} className="contents">
            <dt className="contents">
              <Swatch color={one.color} />
              <span className="text-muted">{one.name}</span>
            </dt>
            <dd className="text-right">{textOf(point, one)}</dd>
          </div>
        ))}
        <div className="contents">
          <dt className="col-span-2 border-t border-line pt-1 text-muted">{point.requests.text} requests</dt>
          <dd className="border-t border-line pt-1 text-right font-semibold">{point.cost.text}</dd>
        </div>
      </dl>
    </div>
  )

interface StackProps {
  readonly label: string
  readonly points: readonly PointView[]
  readonly series: readonly Series[]
  readonly axisText: (value: number) => string
  readonly textOf: HintProps['textOf']
}

const Stack = ({ label, points, series, axisText, textOf }: StackProps) => (
  <div className="h-60 px-1 pb-2 text-xs sm:px-3" role="group" aria-label={`${label}; the same numbers stand in the table below the charts`}>
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={[...points]} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} barCategoryGap="14%">
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="label" tickLine={false} axisLine={{ stroke: 'var(--line)' }} tick={{ fill: 'var(--muted)' }} minTickGap={28} />
        <YAxis width={52} tickLine={false} axisLine={false} tick={{ fill: 'var(--muted)' }} tickFormatter={axisText} />
        <Tooltip
          cursor={{ fill: 'var(--sunken)' }}
          isAnimationActive={false}
          content={({ active, payload }) => (active ? <Hint point={payload[0]?.payload as PointView | undefined} series={series} textOf={textOf} /> : null)}
        />
        {series.map((one) => (
          <Bar key={one.field} dataKey={one.field} name={one.name} stackId="all" fill={one.color} isAnimationActive={false} maxBarSize={40} />
        ))}
      </BarChart>
    </ResponsiveContainer>
  </div>
)

const CostLegend = ({ series }: { readonly series: readonly Series[] }) => (
  <ul className="flex flex-wrap gap-x-4 gap-y-1 px-4 pt-3 text-xs text-muted sm:px-5">
    {series.map(({ field, name, color }) => (
      <li key={field} className="flex items-center gap-1.5 py-1">
        <Swatch color={color} />
        {name}
      </li>
    ))}
  </ul>
)

interface ClassToggleProps {
  readonly classes: readonly TokenClass[]
  readonly hidden: ReadonlySet<string>
  readonly toggle: (field: string) => void
}

/** The legend of the token chart. A class can be left out, because cache reads dwarf all others. */
const ClassToggle = ({ classes, hidden, toggle }: ClassToggleProps) => (
  <div role="group" aria-label="Classes of tokens shown" className="flex flex-wrap gap-x-1 gap-y-1 px-2.5 pt-3 text-xs sm:px-3.5">
    {classes.map(({ field, name, color }) => (
      <button
        key={field}
        type="button"
        aria-pressed={!hidden.has(field)}
        onClick={() => toggle(field)}
        className={`flex items-center gap-1.5 rounded-md px-1.5 py-1 hover:bg-sunken ${hidden.has(field) ? 'text-muted line-through opacity-60' : 'text-muted'}`}
      >
        <Swatch color={color} />
        {name}
      </button>
    ))}
  </div>
)

export const Charts = ({ points, stepName }: { readonly points: readonly PointView[]; readonly stepName: string }) => {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const classes = usedClasses(points)
  const shown = classes.filter(({ field }) => !hidden.has(field))
  const toggle = (field: string): void => {
    const next = new Set(hidden)
    if (!next.delete(field)) next.add(field)
    setHidden(next)
  }
  const costSeries = COST_SERIES.filter(({ field }) => points.some((point) => point[field as 'computedUsd' | 'recordedUsd'] > 0))
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Panel title="Cost" aside={stepName}>
        <CostLegend series={costSeries} />
        <Stack label="Cost over time" points={points} series={costSeries} axisText={(value) => dollars(value)} textOf={(point, { field }) => dollars(point[field])} />
      </Panel>
      <Panel title="Tokens" aside={stepName}>
        <ClassToggle classes={classes} hidden={hidden} toggle={toggle} />
        <Stack label="Tokens over time, by class" points={points} series={shown} axisText={(value) => compact.format(value)} textOf={(point, { field }) => compact.format(point[field])} />
      </Panel>
    </div>
  )
}
