'use client'
/** How spending goes on: the month's forecast, the five hours under way, and days and sessions that stand out. */
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { Panel } from '../../components/panel.tsx'
import { StoreText } from '../../components/store-text.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { writeSelection } from '../selection/selection.ts'
import type { SelectionState } from '../selection/use-selection.ts'
import { useSelectionInput } from '../selection/use-selection-input.ts'
import { sessionHrefWithin } from '../sessions/list-address.ts'
import type { SpendingView, UnusualView } from './spending-view.ts'

/** What is lately spent, whatever days are selected; nothing where nothing is. */
export const Spending = ({ state }: { readonly state: SelectionState }) => {
  const trpc = useTRPC()
  const input = useSelectionInput(state)
  const { data } = useQuery(
    trpc.insights.spending.queryOptions(input ?? skipToken, { placeholderData: keepPreviousData }),
  )
  return (
    <>
      {data !== undefined && data.facts.length > 0 && <Facts facts={data.facts} />}
      {data !== undefined && data.unusual.length > 0 && <Unusual rows={data.unusual} state={state} />}
    </>
  )
}

/** Figures of the running month, whatever is selected. */
const Facts = ({ facts }: Pick<SpendingView, 'facts'>) => (
  <Panel title="This month" aside="whatever days are selected; an estimate">
    <dl className="flex flex-wrap gap-x-10 gap-y-3 px-4 py-3 sm:px-5">
      {facts.map(({ name, text, below }) => (
        <div key={name}>
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="text-xl font-semibold tabular-nums" data-spending={name}>
            {text}
          </dd>
          <dd className="text-xs text-muted" data-spending-below={name}>
            {below}
          </dd>
        </div>
      ))}
    </dl>
  </Panel>
)

const hrefOf = ({ sessionId, day }: UnusualView, { selection }: SelectionState): string =>
  sessionId === null
    ? `/${writeSelection({ ...selection, from: day ?? undefined, to: day ?? undefined })}`
    : sessionHrefWithin(sessionId, selection)

/** Unusual days and sessions, each a link to itself. */
const Unusual = ({ rows, state }: { readonly rows: readonly UnusualView[]; readonly state: SelectionState }) => (
  <Panel
    title="Unusual in the last 31 days"
    aside="whatever days are selected; days over three medians, sessions over five"
  >
    <ul className="grid gap-1 px-4 py-3 text-sm sm:px-5" data-table="unusual">
      {rows.map((row) => (
        <li key={row.sessionId ?? row.day} className="[overflow-wrap:anywhere]" data-key={row.sessionId ?? row.day}>
          <Link
            href={hrefOf(row, state)}
            prefetch={false}
            className="inline-block py-1 text-accent underline underline-offset-4"
          >
            <StoreText text={row.name} />
          </Link>{' '}
          <span className="text-muted tabular-nums" data-measure="cost">
            {row.text}
          </span>
        </li>
      ))}
    </ul>
  </Panel>
)
