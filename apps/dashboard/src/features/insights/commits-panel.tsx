'use client'
/** What each commit of the selected branch cost. */
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { Panel } from '../../components/panel.tsx'
import { visibleText } from '../../components/store-text.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { TotalFoot } from '../../components/total-foot.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import type { SelectionState } from '../selection/use-selection.ts'
import { useSelectionInput } from '../selection/use-selection-input.ts'
import { FigureText } from '../usage/figure-text.tsx'
import type { CommitView } from './commits-query.ts'

const SHORT_HASH = 8
const CELL = 'px-2 py-2 text-right align-top tabular-nums whitespace-nowrap last:pr-4 last:font-medium sm:last:pr-5'
const HEAD = 'px-2 py-2 font-normal last:pr-4 sm:last:pr-5'

/** A commit with its figures; without a hash it stands for requests that belong to none. Its hash is shortened. */
const Row = ({ row, timeZone }: { readonly row: CommitView; readonly timeZone: string | undefined }) => (
  <tr className="border-t border-line" data-commit={row.key} data-key={row.key}>
    <th scope="row" className="w-full max-w-0 py-2 pr-2 pl-4 text-left align-top font-normal sm:pl-5">
      <span className="block truncate" title={visibleText(row.subject)}>
        <bdi>{visibleText(row.subject)}</bdi>
      </span>
      {row.hash !== null && (
        <span className="block truncate text-xs text-muted">
          <span className="font-mono">{row.hash.slice(0, SHORT_HASH)}</span>{' '}
          <TimeText at={row.at} timeZone={timeZone} />
        </span>
      )}
    </th>
    <td className={CELL} data-measure="requests">
      <FigureText figure={row.requests} />
    </td>
    <td className={CELL} data-measure="cost">
      <FigureText figure={row.cost} />
    </td>
  </tr>
)

/**
 * What the commits of the selected branch cost, or why that can't be told; nothing unless a project and a branch are
 * selected. Nothing either without a commit.
 */
export const CommitsPanel = ({ state }: { readonly state: SelectionState }) => {
  const trpc = useTRPC()
  const input = useSelectionInput(state)
  const { project, branch } = state.selection.filter
  const isAsked = project !== undefined && branch !== undefined
  const { data } = useQuery(
    trpc.insights.commits.queryOptions(isAsked && input !== undefined ? input : skipToken, {
      placeholderData: keepPreviousData,
    }),
  )
  if (!isAsked || data === undefined || data === null) return null
  if ('refused' in data)
    return (
      <Panel title="By commit">
        <p className="px-4 py-3 text-sm text-muted [overflow-wrap:anywhere] sm:px-5">{visibleText(data.refused)}</p>
      </Panel>
    )
  if (data.rows.length === 0) return null
  return (
    <Panel title="By commit" aside="the requests since the commit before it on this branch">
      <div className="sideways overflow-x-auto pt-2">
        <table className="w-full text-sm" data-table="commits">
          <caption className="sr-only">Commits of the branch, the newest first</caption>
          <thead className="text-xs text-muted">
            <tr>
              <th scope="col" className="py-2 pr-2 pl-4 text-left font-normal sm:pl-5">
                Commit
              </th>
              <th scope="col" className={`${HEAD} text-right`}>
                Requests
              </th>
              <th scope="col" className={`${HEAD} text-right`}>
                Cost
              </th>
            </tr>
          </thead>
          <tbody>
            {data.rows.map((row) => (
              <Row key={row.key} row={row} timeZone={state.selection.zone ?? state.browserZone} />
            ))}
          </tbody>
          <TotalFoot>
            <td className={CELL} data-measure="requests">
              <FigureText figure={data.requests} isTotal />
            </td>
            <td className={CELL} data-measure="cost">
              <FigureText figure={data.cost} isTotal />
            </td>
          </TotalFoot>
        </table>
      </div>
      {data.older !== null && (
        <p className="px-4 pb-3 text-xs text-muted sm:px-5" data-total="Older commits">
          {data.older}
        </p>
      )}
    </Panel>
  )
}
