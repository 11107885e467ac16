'use client'
/** Chooses the span of time and the zone in which its days begin. */
import { useMemo } from 'react'
import { PERIODS } from './selection.ts'
import type { Period } from './selection.ts'
import type { SelectionState } from './use-selection.ts'

const PERIOD_NAMES: Readonly<Record<Period, { readonly short: string; readonly long: string }>> = {
  '7d': { short: '7 days', long: 'Last 7 days' },
  '30d': { short: '30 days', long: 'Last 30 days' },
  '90d': { short: '90 days', long: 'Last 90 days' },
  all: { short: 'All', long: 'All time' },
}

const PeriodPicker = ({ selection, select }: SelectionState) => (
  <fieldset className="flex rounded-lg border border-line bg-panel p-0.5">
    <legend className="sr-only">Period</legend>
    {PERIODS.map((period) => (
      <label
        key={period}
        className="cursor-pointer rounded-md px-2.5 py-1 text-sm whitespace-nowrap text-muted hover:text-ink has-checked:bg-sunken has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
      >
        <input
          type="radio"
          name="period"
          value={period}
          checked={selection.period === period}
          onChange={() => select({ period })}
          className="sr-only"
          aria-label={PERIOD_NAMES[period].long}
        />
        {PERIOD_NAMES[period].short}
      </label>
    ))}
  </fieldset>
)

const BROWSER = ''

const ZonePicker = ({ selection, browserZone, select }: SelectionState) => {
  const zones = useMemo(() => (browserZone === undefined ? [] : ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]), [browserZone])
  const { zone } = selection
  return (
    <label className="flex min-w-0 items-center gap-2 text-sm">
      <span className="sr-only">Time zone</span>
      <select
        value={zone ?? BROWSER}
        onChange={(event) => select({ zone: event.target.value === BROWSER ? undefined : event.target.value })}
        className="w-full max-w-56 min-w-0 rounded-lg border border-line bg-panel px-2.5 py-1.5 text-ink"
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
    </label>
  )
}

export const Controls = (state: SelectionState) => (
  <div className="flex flex-wrap items-center gap-2">
    <PeriodPicker {...state} />
    <ZonePicker {...state} />
  </div>
)
