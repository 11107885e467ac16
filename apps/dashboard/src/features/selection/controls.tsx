'use client'
/** Chooses the span of time, the zone in which its days begin, and what of it is looked at. */
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { DayField } from './day-field.tsx'
import { FilterPickers } from './filter-pickers.tsx'
import { OutsideNote } from './outside-note.tsx'
import { PERIOD_NAMES } from './period-names.ts'
import { PERIODS, daysWith } from './selection.ts'
import type { FilterName } from './selection.ts'
import type { SelectionState } from './use-selection.ts'
import { ZonePicker } from './zone-picker.tsx'

const FIELD = 'min-w-0 rounded-lg border border-line bg-panel px-2.5 py-1.5 text-sm text-ink'

/** A choice of periods; none is chosen where days are given. Choosing one takes the days off. */
const PeriodPicker = ({ selection, select }: SelectionState) => {
  const isCustom = selection.from !== undefined || selection.to !== undefined
  return (
    <fieldset className="flex min-w-0 flex-wrap rounded-lg border border-line bg-panel p-0.5">
      <legend className="sr-only">Period</legend>
      {PERIODS.map((period) => (
        <label
          key={period}
          title={PERIOD_NAMES[period].meaning}
          className="cursor-pointer rounded-md px-2 py-1 text-sm whitespace-nowrap text-muted hover:text-ink has-checked:bg-sunken has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
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

/**
 * Two fields for the first and the last day; an empty one is no limit. A first day behind the last moves the other one.
 */
const DayPicker = ({ selection, select }: SelectionState) => (
  <div role="group" aria-label="Days" className="flex min-w-0 items-center gap-1.5 text-sm text-muted">
    <DayField
      label="From"
      className={FIELD}
      value={selection.from}
      choose={(from) => select((now) => daysWith(now, { from }))}
    />
    <span aria-hidden="true">–</span>
    <DayField
      label="To"
      className={FIELD}
      value={selection.to}
      choose={(to) => select((now) => daysWith(now, { to }))}
    />
  </div>
)

interface ControlsProps {
  readonly state: SelectionState
  readonly filters: readonly FilterName[]
  /** The filters that the page goes by, where these are more than it offers. */
  readonly outsideFilters?: readonly FilterName[]
  /** What else narrows the page down: a search. */
  readonly children?: ReactNode
}

/** How many of the choices that a phone folds away are made. */
const chosenOf = ({ selection: { from, to, zone, filter } }: SelectionState, filters: readonly FilterName[]): number =>
  [from, to, zone, ...filters.map((name) => filter[name])].filter((value) => value !== undefined).length

/** Period, days, time zone and `filters`; children stand before the filters. A phone folds all but the period and children. */
export const Controls = ({ state, filters, outsideFilters = filters, children }: ControlsProps) => {
  const [isOpen, setOpen] = useState(false)
  const [daysId, filtersId] = [useId(), useId()]
  const folded = isOpen ? '' : 'max-sm:hidden'
  const chosen = chosenOf(state, filters)
  return (
    <div className="grid min-w-0 gap-2">
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <PeriodPicker {...state} />
        <div id={daysId} className={`flex min-w-0 flex-wrap items-center gap-2 ${folded}`}>
          <DayPicker {...state} />
          <ZonePicker {...state} />
        </div>
      </div>
      <div className={`flex min-w-0 flex-wrap items-center gap-2 ${children === undefined ? folded : ''}`}>
        {children !== undefined && <div className="w-full min-w-0 sm:w-72">{children}</div>}
        <div
          id={filtersId}
          className={`grid min-w-0 grid-cols-2 gap-2 max-sm:w-full sm:flex sm:flex-wrap sm:items-center ${folded}`}
        >
          <FilterPickers state={state} filters={filters} />
        </div>
      </div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={`${daysId} ${filtersId}`}
        onClick={() => setOpen(!isOpen)}
        className="rounded-lg border border-line bg-panel px-2.5 py-1.5 text-left text-sm text-accent sm:hidden"
      >
        {isOpen ? 'Fewer filters' : `Days, time zone and filters${chosen === 0 ? '' : ` (${chosen} set)`}`}
      </button>
      <OutsideNote state={state} filters={outsideFilters} />
    </div>
  )
}
