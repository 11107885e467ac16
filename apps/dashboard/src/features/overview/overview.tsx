'use client'
/** The overview: where tokens and money went in a period. */
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { FaultBoundary } from '../../components/fault-boundary.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf, isShutOut } from '../../trpc/failure.ts'
import { Charts } from './charts.tsx'
import { UrlProblemsNotice } from '../selection/url-problems-notice.tsx'
import { Controls } from '../selection/controls.tsx'
import { DIMENSIONS, DIMENSION_NAMES } from '../usage/dimension.ts'
import type { Dimension } from '../usage/dimension.ts'
import { Budgets, useAreBudgetsKnown } from '../insights/budgets.tsx'
import { ChangePanel } from '../insights/change-panel.tsx'
import type { ChangeView } from '../insights/change-view.ts'
import { CommitsPanel } from '../insights/commits-panel.tsx'
import { OverviewLeaks } from '../insights/leak-panels.tsx'
import { PaidPanel } from '../insights/paid-panel.tsx'
import { OverviewLoading } from './loading.tsx'
import type { OverviewView, Step } from './overview-view.ts'
import { LandingNote, OtherPeriod } from '../usage/other-period.tsx'
import { Remarks } from './remarks.tsx'
import { NothingFiltered, setFilters } from '../selection/nothing-filtered.tsx'
import { FILTERS, writeSelection } from '../selection/selection.ts'
import type { FilterName, Selection } from '../selection/selection.ts'
import { StepTable } from './step-table.tsx'
import { zoneName } from '../selection/time-zones.ts'
import { TotalTiles } from './total-tiles.tsx'
import { UsageTable } from '../usage/usage-table.tsx'
import { useSelection } from '../selection/use-selection.ts'
import type { SelectionState } from '../selection/use-selection.ts'
import { useSelectionInput } from '../selection/use-selection-input.ts'

/** Midnight moves the period, also when nothing was written; ms. */
const REFRESH_MS = 60_000

const STEP_NAMES: Readonly<Record<Step, string>> = {
  hour: 'by hour',
  day: 'by day',
  week: 'by week',
  month: 'by month',
}

/** The page: its controls, what is wrong with its address, and the numbers of what they select. */
export const Overview = () => {
  const state = useSelection()
  return (
    <>
      <UrlProblemsNotice />
      <LandingNote state={state} />
      <PageHead title="Overview">
        <Controls state={state} filters={FILTERS} />
      </PageHead>
      <Numbers {...state} />
    </>
  )
}

/** Asks for the numbers of the selection, and shows them, or why there are none. */
const Numbers = (state: SelectionState) => {
  const trpc = useTRPC()
  const input = useSelectionInput(state)
  const areBudgetsKnown = useAreBudgetsKnown(state)
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.usage.overview.queryOptions(input ?? skipToken, {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.error !== null && isShutOut(state.error) ? false : REFRESH_MS),
    }),
  )
  if (error !== null) {
    // Numbers that were shown may be wrong by now.
    return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
  }
  // What stands above the charts comes with them.
  if (data === undefined || !areBudgetsKnown) return <OverviewLoading />
  if (data.isEmpty) return <NothingHere state={state} />
  return <Shown view={data} isStale={isPlaceholderData} state={state} />
}

interface NothingHereProps {
  readonly state: SelectionState
  /** The filters that the page goes by. */
  readonly filters?: readonly FilterName[]
}

/** Says why there may be nothing, and the way to something: without the filters, another period, or an import. */
export const NothingHere = ({ state, filters = FILTERS }: NothingHereProps) => {
  if (setFilters(state.selection, filters).length > 0)
    return (
      <NothingFiltered state={state} filters={filters} text="No request to a model in this period passes." isOfPeriod />
    )
  return (
    <OtherPeriod
      state={state}
      title="Nothing in this period"
      text="No request to a model falls in it."
      nothing={
        <Notice
          title="Nothing has been recorded yet"
          text="Import what your coding agents did; this page shows it as soon as it is there."
          command="cairn import"
        />
      }
    />
  )
}

interface ShownProps {
  readonly view: OverviewView & { readonly change: ChangeView | null }
  readonly isStale: boolean
  readonly state: SelectionState
}

/** The days that are summed, and the zone in which they begin. Nothing if no days are. */
const DaysLine = ({ view, zone }: { readonly view: OverviewView; readonly zone: string }) =>
  view.days !== null && (
    <p className="-mb-2 text-sm text-muted">
      {view.days}
      <span className="text-xs">
        {' '}
        · {view.step === 'hour' ? 'the whole day' : 'whole days'} in {zoneName(zone)}
      </span>
    </p>
  )

/** What is missing in the sums, and what carries a time in the future. Nothing where there is neither. */
const ViewRemarks = ({
  view: { remarks, future },
  selection,
}: {
  readonly view: OverviewView
  readonly selection: Selection
}) =>
  (remarks.length > 0 || future !== null) && (
    <Remarks remarks={remarks}>
      {future !== null && (
        <li data-remark={future.text}>
          {future.text}{' '}
          <Link
            href={`/${writeSelection({ ...selection, from: future.from, to: undefined })}`}
            prefetch={false}
            className="text-accent underline underline-offset-4"
          >
            Look at what is in the future
          </Link>
        </li>
      )}
    </Remarks>
  )

/** Everything below the controls: tiles, charts and tables. Steps of hours lead nowhere. */
const Shown = ({ view, isStale, state }: ShownProps) => {
  const { selection, browserZone, select } = state
  const query = writeSelection(selection)
  const exportQuery = writeSelection({ ...selection, zone: selection.zone ?? browserZone })
  const hrefOf = (dimension: Dimension, key: string): string =>
    `/${writeSelection({ ...selection, filter: { ...selection.filter, [dimension]: key } })}`
  const stepName = STEP_NAMES[view.step]
  const canLook = view.step !== 'hour'
  return (
    <div
      aria-busy={isStale}
      className={`grid grid-cols-[minmax(0,1fr)] gap-4 transition-opacity ${isStale ? 'opacity-60' : ''}`}
    >
      <DaysLine view={view} zone={selection.zone ?? browserZone ?? 'UTC'} />
      <TotalTiles total={view.total} comparison={view.comparison} />
      <Budgets state={state} />
      <PaidPanel state={state} />
      <ChangePanel change={view.change} selection={selection} />
      <ViewRemarks view={view} selection={selection} />
      <FaultBoundary
        fallback={
          <Notice
            title="The charts can’t be drawn"
            text="All of their numbers stand in the table below. Load the page again to try once more."
          />
        }
      >
        <Charts points={view.points} stepName={stepName} lookAt={canLook ? select : undefined} />
      </FaultBoundary>
      <StepTable
        points={view.points}
        stepName={stepName}
        exportQuery={exportQuery}
        hrefOf={canLook ? (path, days) => `${path}${writeSelection({ ...selection, ...days })}` : undefined}
      />
      <CommitsPanel state={state} />
      <OverviewLeaks state={state} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {DIMENSIONS.map((dimension) => (
          <UsageTable
            key={dimension}
            table={view.tables[dimension]}
            hrefOf={hrefOf}
            allHref={`${DIMENSION_NAMES[dimension].path}${query}`}
            exportQuery={exportQuery}
          />
        ))}
      </div>
    </div>
  )
}
