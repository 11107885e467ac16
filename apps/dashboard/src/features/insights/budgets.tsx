'use client'
/** This month's budgets: a badge in the head of every page, and a panel with all of them. */
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { CommandLine } from '../../components/command-line.tsx'
import { Panel } from '../../components/panel.tsx'
import { visibleText } from '../../components/store-text.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { isShutOut } from '../../trpc/failure.ts'
import { writeSelection } from '../selection/selection.ts'
import { useSelection } from '../selection/use-selection.ts'
import type { SelectionState } from '../selection/use-selection.ts'
import { stayAtHash } from '../../components/stay-at-hash.ts'
import { useAllowed } from '../shell/role.tsx'
import { headBudgets, selectedBudgets } from './budget-view.ts'
import type { BudgetView } from './budget-view.ts'

/** A setting, or midnight, may change a budget when nothing is written to the store; ms. */
const REFRESH_MS = 60_000

/**
 * All budgets, asked for once by the parts of a page together: by each only once it runs in the browser, as what another
 * part was answered before would differ from the server's page.
 */
const useAllBudgets = ({ selection, browserZone }: SelectionState) => {
  const trpc = useTRPC()
  const timeZone = browserZone === undefined ? undefined : (selection.zone ?? browserZone)
  return useQuery(
    trpc.insights.budgets.queryOptions(timeZone === undefined ? skipToken : { timeZone }, {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.error !== null && isShutOut(state.error) ? false : REFRESH_MS),
    }),
  )
}

/** Returns whether it is known which budgets there are, or that this can't be known. */
export const useAreBudgetsKnown = (state: SelectionState): boolean => !useAllBudgets(state).isPending

const COLOUR: Readonly<Record<BudgetView['state'], string>> = {
  ok: 'var(--accent)',
  warning: 'var(--warning)',
  exceeded: 'var(--danger)',
}

/** Returns a budget's project, safe to show. */
const nameOf = ({ project }: BudgetView): string => (project === null ? 'All projects' : visibleText(project))

/** In which windows the head has room for the amount that was spent; in the others only its share is there. */
const WHOLE = 'hidden max-sm:inline min-[90rem]:inline min-[110rem]:hidden min-[120rem]:inline'
const SHORT = 'max-sm:hidden min-[90rem]:hidden min-[110rem]:inline min-[120rem]:hidden'

/**
 * The state of the budget that needs attention most; nothing where none is set. A link to the budgets; it counts those
 * in the same state.
 */
export const BudgetBadge = () => {
  const state = useSelection()
  const budgets = headBudgets(useAllBudgets(state).data ?? [], state.selection.filter.project)
  const { open } = useAllowed()
  const [worst] = budgets
  if (worst === undefined) return null
  const alike = budgets.filter((budget) => budget.state === worst.state).length
  const { project: _project, ...others } = state.selection.filter
  const selection = worst.project === null ? { ...state.selection, filter: others } : state.selection
  return (
    <Link
      href={open('/insights') ? `/insights${writeSelection(selection)}#budgets` : '/'}
      prefetch={false}
      data-budget={worst.state}
      title={`${nameOf(worst)}, ${worst.month}: ${worst.spent} of ${worst.limit} (${worst.percent}), ${worst.forecast}`}
      className="flex items-center gap-1.5 rounded-md border border-line px-2 py-1 text-xs whitespace-nowrap hover:bg-sunken"
    >
      <svg aria-hidden="true" className="size-2" viewBox="0 0 2 2">
        <circle cx="1" cy="1" r="1" fill={COLOUR[worst.state]} />
      </svg>
      <span className="font-medium">{alike > 1 ? `${worst.word} (${alike})` : worst.word}</span>
      <span className={`text-muted tabular-nums ${SHORT}`}>
        {worst.percent} of {worst.limit}
      </span>
      <span className={`text-muted tabular-nums ${WHOLE}`}>
        {worst.spent} of {worst.limit} ({worst.percent})
      </span>
    </Link>
  )
}

/**
 * What is spent as a bar, and behind it what the month will have cost. At most the full width, also above the limit.
 */
const Meter = ({ state, spentShare, forecastShare }: BudgetView) => (
  <svg aria-hidden="true" className="h-1.5 w-full" viewBox="0 0 100 1" preserveAspectRatio="none">
    <rect width="100" height="1" fill="var(--sunken)" />
    {forecastShare !== null && <rect width={forecastShare * 100} height="1" fill={COLOUR[state]} opacity="0.35" />}
    <rect width={spentShare * 100} height="1" fill={COLOUR[state]} />
  </svg>
)

/** That no budget is set for what is selected, and how one is; nothing where there is one. */
export const NoBudget = ({ state }: { readonly state: SelectionState }) => {
  const { open } = useAllowed()
  const { data } = useAllBudgets(state)
  const { project } = state.selection.filter
  if (data === undefined || selectedBudgets(data, project).length > 0) return null
  return (
    <div id="budgets" ref={stayAtHash} className="scroll-mt-4">
      <Panel title="Budgets">
        <div className="px-4 py-3 text-sm sm:px-5" data-no-budget="">
          <p>
            {project === undefined ? 'No monthly budget is set.' : 'This project has no monthly budget.'} This sets one
            {project === undefined ? ' for all projects together' : ', in the project’s folder'}:
          </p>
          <CommandLine command={`cairn config set budget.month 200${project === undefined ? '' : ' --workspace'}`} />
          {open('/settings') && (
            <Link
              href="/settings#budget.month"
              prefetch={false}
              className="inline-block text-accent underline underline-offset-4"
            >
              Budgets in the settings
            </Link>
          )}
        </div>
      </Panel>
    </div>
  )
}

/** Every budget of what is selected; nothing where none is set. */
export const Budgets = ({ state }: { readonly state: SelectionState }) => {
  const { data } = useAllBudgets(state)
  const { project } = state.selection.filter
  const budgets = selectedBudgets(data ?? [], project)
  const [first] = budgets
  if (first === undefined) return null
  return (
    <div id="budgets" ref={stayAtHash} className="scroll-mt-4">
      <Panel title={`Budgets of ${first.month}`} aside="whatever days are selected; the forecast is an estimate">
        <ul data-table="budgets" className="grid gap-x-10 gap-y-3 px-4 py-3 sm:grid-cols-2 sm:px-5 xl:grid-cols-3">
          {budgets.map((budget) => (
            <li
              key={budget.project}
              data-budget-of={budget.project ?? ''}
              data-key={budget.project ?? ''}
              data-state={budget.state}
            >
              <p className="flex flex-wrap justify-between gap-x-3 text-sm">
                <bdi className="[overflow-wrap:anywhere]">{nameOf(budget)}</bdi>
                <span className="font-medium" data-measure="state">
                  {budget.word}
                </span>
              </p>
              <Meter {...budget} />
              <p className="mt-1 text-xs text-muted tabular-nums" data-measure="spent">
                {budget.spent} of {budget.limit}; {budget.forecast}
              </p>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}
