'use client'
/** Leaks on other pages: the most expensive on the overview, and those of a session on its own. */
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { Panel } from '../../components/panel.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { writeSelection } from '../selection/selection.ts'
import type { SelectionState } from '../selection/use-selection.ts'
import { useSelectionInput } from '../selection/use-selection-input.ts'
import { leakCase } from './leak-case.ts'
import { LeakFoot, LeakTable, linksWithin } from './leak-table.tsx'

/** Of each kind, on the overview. */
const MOST_ON_OVERVIEW = 3

/**
 * The most expensive leaks of what the overview shows; nothing while it is narrowed down to models, agents or branches.
 * At most `MOST_ON_OVERVIEW` leaks, causes and cases each; nothing either where nothing leaked.
 */
export const OverviewLeaks = ({ state }: { readonly state: SelectionState }) => {
  const trpc = useTRPC()
  const input = useSelectionInput(state)
  const { project: _project, ...others } = state.selection.filter
  const isTold = Object.keys(others).length === 0
  const { data } = useQuery(
    trpc.insights.leaks.queryOptions(isTold && input !== undefined ? input : skipToken, {
      placeholderData: keepPreviousData,
    }),
  )
  if (!isTold || data === undefined || data.isEmpty || data.leaks.length === 0) return null
  return (
    <Panel
      title="Where money is wasted"
      aside={
        <span data-total="Leaks">
          {data.leaked} together, {data.leakedShare} of the cost
        </span>
      }
    >
      <LeakTable
        caption="The most expensive leaks"
        leaks={data.leaks.slice(0, MOST_ON_OVERVIEW).map((leak) => ({
          ...leak,
          examples: leak.examples.slice(0, MOST_ON_OVERVIEW),
          causes: leak.causes
            .slice(0, MOST_ON_OVERVIEW)
            .map((part) => ({ ...part, examples: part.examples.slice(0, MOST_ON_OVERVIEW) })),
        }))}
        timeZone={state.selection.zone ?? state.browserZone}
        exampleOf={linksWithin(state.selection)}
      />
      <p className="px-4 pt-1 pb-3 sm:px-5">
        <Link
          href={`/insights${writeSelection(state.selection)}`}
          prefetch={false}
          className="text-sm text-accent hover:underline"
        >
          All leaks
        </Link>
      </p>
    </Panel>
  )
}

interface SessionLeaksProps {
  readonly id: string
  readonly timeZone: string | undefined
  /** Shows an entry of the log, and the case of a leak (`leakCase`) that leads there. */
  readonly showEntry: (entry: number, leak: string) => void
}

/**
 * A table of what leaked in a session; each case calls `showEntry` with its entry. Nothing where nothing leaked. A case
 * without an entry is no button. It is asked for again when the server says so.
 */
export const SessionLeaks = ({ id, timeZone, showEntry }: SessionLeaksProps) => {
  const trpc = useTRPC()
  const { data } = useQuery(
    trpc.insights.session.queryOptions({ id }, { refetchInterval: ({ state }) => state.data?.againInMs ?? false }),
  )
  if (data === undefined || data.leaks.length === 0) return null
  return (
    <Panel title="Where money is wasted" aside={`${data.leakedShare} of the session’s cost`}>
      <LeakTable
        caption="Leaks of this session that add up, most expensive first"
        leaks={data.leaks}
        timeZone={timeZone}
        exampleOf={({ seq, request, cost }, label, kind) =>
          seq === null ? (
            cost
          ) : (
            <button
              type="button"
              onClick={() => showEntry(seq, leakCase(kind, request))}
              aria-label={`${label}: show entry ${seq}`}
              className="py-1 text-accent underline underline-offset-4"
            >
              {cost}
            </button>
          )
        }
        foot={<LeakFoot leaked={data.leaked} share={data.leakedShare} />}
      />
    </Panel>
  )
}
