'use client'
/** Chooses the span of time, the zone in which its days begin, and what of it is looked at. */
import { useMemo } from 'react'
import { FilterPickers } from './filter-pickers.tsx'
import { PERIODS } from './selection.ts'
import type { FilterName, Period } from './selection.ts'
import type { SelectionState } from './use-selection.ts'

const PERIOD_NAMES: Readonly<Record<Period, { readonly short: string; readonly long: string }>> = {
  '7d': { short: '7 days', long: 'Last 7 days' },
  '30d': { short: '30 days', long: 'Last 30 days' },
  '90d': { short: '90 days', long: 'Last 90 days' },
  '1y': { short: '1 year', long: 'Last year' },
  all: { short: 'All', long: 'All time' },
}

export const FIELD = 'min-w-0 rounded-lg border border-line bg-panel px-2.5 py-1.5 text-sm text-ink'

const PeriodPicker = ({ selection, select }: SelectionState) => {
  const isCustom = selection.from !== undefined || selection.to !== undefined
  return (
    <fieldset className="flex rounded-lg border border-line bg-panel p-0.5">
      <legend className="sr-only">Period</legend>
      {PERIODS.map((period) => (
        <label
          key={period}
          className="cursor-pointer rounded-md px-2 py-1 text-sm whitespace-nowrap text-muted hover:text-ink has-checked:bg-sunken has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent sm:px-2.5"
        >
          <input
            type="radio"
            name="period"
            value={period}
            checked={!isCustom && selection.period === period}
            onChange={() => select({ period, from: undefined, to: undefined })}
            className="sr-only"
            aria-label={PERIOD_NAMES[period].long}
          />
          {PERIOD_NAMES[period].short}
        </label>
      ))}
    </fieldset>
  )
}

const DayPicker = ({ selection, select }: SelectionState) => (
  <div role="group" aria-label="Days" className="flex min-w-0 items-center gap-1.5 text-sm text-muted">
    <input type="date" aria-label="From" className={FIELD} value={selection.from ?? ''} max={selection.to} onChange={(event) => select({ from: event.target.value === '' ? undefined : event.target.value })} />
    <span aria-hidden="true">–</span>
    <input type="date" aria-label="To" className={FIELD} value={selection.to ?? ''} min={selection.from} onChange={(event) => select({ to: event.target.value === '' ? undefined : event.target.value })} />
  </div>
)

const BROWSER = ''

const ZonePicker = ({ selection, browserZone, select }: SelectionState) => {
  const zones = useMemo(() => (browserZone === undefined ? [] : ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]), [browserZone])
  const { zone } = selection
  return (
    <select
      aria-label="Time zone"
      value={zone ?? BROWSER}
      onChange={(event) => select({ zone: event.target.value === BROWSER ? undefined : event.target.value })}
      className={`${FIELD} w-36`}
    >
      <option value={BROWSER}>{browserZone === undefined ? 'Local time' : `Local: ${browserZone}`}</option>
      {/* A link may name a zone by another of its names. */}
      {zone !== undefined && !zones.includes(zone) && <option value={zone}>{zone}</option>}
      {zones.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}

interface ControlsProps {
  readonly state: SelectionState
  readonly filters: readonly FilterName[]
}

export const Controls = ({ state, filters }: ControlsProps) => (
  <div className="flex min-w-0 flex-wrap items-center gap-2">
    <PeriodPicker {...state} />
    <DayPicker {...state} />
    <ZonePicker {...state} />
    <FilterPickers state={state} filters={filters} />
  </div>
)
