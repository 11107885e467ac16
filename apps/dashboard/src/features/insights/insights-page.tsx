'use client'
/** Where money is wasted: what was paid and need not have been, and what to do about it. */
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { Notice } from '../../components/notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Panel } from '../../components/panel.tsx'
import { TableLoading } from '../../components/table-loading.tsx'
import { Tile, Tiles } from '../../components/tile.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { NothingHere } from '../overview/overview.tsx'
import { Controls } from '../selection/controls.tsx'
import type { Selection } from '../selection/selection.ts'
import { UrlProblemsNotice } from '../selection/url-problems-notice.tsx'
import { useSelection } from '../selection/use-selection.ts'
import type { SelectionState } from '../selection/use-selection.ts'
import { useSelectionInput } from '../selection/use-selection-input.ts'
import { FigureText } from '../usage/figure-text.tsx'
import { LandingNote } from '../usage/other-period.tsx'
import type { ActiveDaysView } from './active-days-view.ts'
import { Budgets, NoBudget } from './budgets.tsx'
import { LeakFoot, LeakTable, linksWithin } from './leak-table.tsx'
import type { LeaksView } from './leak-view.ts'
import { PaidPanel } from './paid-panel.tsx'
import { Spending } from './spending-panel.tsx'

/** Leaks are told apart by nothing else. */
const OWN_FILTERS = ['project'] as const

/** What the cost lacks, in words: what is estimated, and requests that have none. */
const missingText = ({ missing, missingRequests, unpriced }: LeaksView): string => {
  if (missing === null)
    return unpriced === null
      ? 'nothing is missing in the cost'
      : `${unpriced}, so that the true cost is higher; there is no estimate of it`
  const estimated = `estimated, not in the cost: ${missingRequests} with more text than recorded tokens`
  return unpriced === null ? estimated : `${estimated}; besides, ${unpriced}`
}

/** The figures above the leaks; days are left out if they are null. */
const Totals = ({ view, days }: { readonly view: LeaksView; readonly days: ActiveDaysView | null }) => (
  <Tiles>
    <Tile name="Cost" below={view.requests}>
      <FigureText figure={view.total} />
    </Tile>
    <Tile name="Leaks" below={`${view.leakedShare} of the cost`}>
      {view.leaked}
    </Tile>
    <Tile name="Estimated missing" below={missingText(view)}>
      {view.missing ?? '–'}
    </Tile>
    {days !== null && (
      <Tile name="An active day" below={days.below}>
        {days.mean}
      </Tile>
    )}
  </Tiles>
)

/** The figures of the selection, or why there are none. Old figures stay while new ones load. */
const Shown = ({ state }: { readonly state: SelectionState }) => {
  const trpc = useTRPC()
  const input = useSelectionInput(state)
  const timeZone = state.selection.zone ?? state.browserZone
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.insights.leaks.queryOptions(input ?? skipToken, { placeholderData: keepPreviousData }),
  )
  const { data: days = null } = useQuery(
    trpc.insights.activeDays.queryOptions(input ?? skipToken, { placeholderData: keepPreviousData }),
  )
  if (error !== null)
    return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
  if (data === undefined) return <TableLoading rows={8} />
  if (data.isEmpty) return <NothingHere state={state} filters={OWN_FILTERS} />
  return (
    <div
      aria-busy={isPlaceholderData}
      className={`grid grid-cols-[minmax(0,1fr)] gap-4 ${isPlaceholderData ? 'opacity-60' : ''}`}
    >
      <Totals view={data} days={days} />
      <Panel title="Leaks" aside="of different dollars: they add up">
        {data.leaks.length === 0 ? (
          <p className="px-4 py-3 text-sm text-muted sm:px-5">None was found in this period.</p>
        ) : (
          <LeakTable
            caption="Leaks that add up, most expensive first"
            leaks={data.leaks}
            timeZone={timeZone}
            exampleOf={linksWithin(state.selection)}
            foot={<LeakFoot leaked={data.leaked} share={data.leakedShare} />}
          />
        )}
      </Panel>
      {data.views.length > 0 && (
        <Panel title="Other views of the same money" aside="not part of any sum">
          <LeakTable
            caption="Other views of the cost, not to be added up"
            leaks={data.views}
            timeZone={timeZone}
            exampleOf={linksWithin(state.selection)}
          />
        </Panel>
      )}
      {data.beside !== null && (
        <Panel title="Estimated missing" aside="on top of the cost, in none of the above">
          <LeakTable
            caption="What is estimated to be missing in the cost"
            leaks={[data.beside]}
            timeZone={timeZone}
            exampleOf={linksWithin(state.selection)}
          />
        </Panel>
      )}
    </div>
  )
}

/** Leaks are told apart by nothing else, and what stands beside them is of the same requests. */
const onlyProject = ({ filter: { project }, ...selection }: Selection): Selection => ({
  ...selection,
  filter: project === undefined ? {} : { project },
})

/** The page `/insights`: reads days and project from the address. */
export const InsightsPage = () => {
  const state = useSelection()
  return (
    <>
      <UrlProblemsNotice />
      <LandingNote state={state} />
      <PageHead title="Where money is wasted">
        <Controls state={state} filters={OWN_FILTERS} />
      </PageHead>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Budgets state={state} />
        <Shown state={state} />
        <NoBudget state={state} />
        <PaidPanel state={{ ...state, selection: onlyProject(state.selection) }} />
        <Spending state={state} />
      </div>
    </>
  )
}
