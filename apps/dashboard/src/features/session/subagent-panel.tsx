'use client'
/** What the session's subagents cost beside its main conversation; each leads to where it begins in the log. */
import { useQuery } from '@tanstack/react-query'
import { Panel } from '../../components/panel.tsx'
import { SortHead } from '../../components/sort-head.tsx'
import { StoreText, visibleText } from '../../components/store-text.tsx'
import { TotalFoot } from '../../components/total-foot.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { counted } from '../usage/figure.ts'
import { FigureText } from '../usage/figure-text.tsx'
import type { PartView } from './subagents-view.ts'

const CELL = 'px-2 py-2 text-right tabular-nums whitespace-nowrap'
const NAME = 'py-2 pr-2 pl-4 text-left font-normal sm:pl-5'

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })

/** The cells of requests, tokens, cost and share of a part. */
const Cells = ({ part, isTotal = false }: { readonly part: PartView; readonly isTotal?: boolean }) => (
  <>
    <td className={CELL} data-measure="requests">
      <FigureText figure={part.requests} isTotal={isTotal} />
    </td>
    <td className={`${CELL} hidden sm:table-cell`} data-measure="tokens">
      <FigureText figure={part.tokens} isTotal={isTotal} />
    </td>
    <td className={CELL} data-measure="cost">
      <FigureText figure={part.cost} isTotal={isTotal} />
    </td>
    <td className={`${CELL} pr-4 text-muted sm:pr-5`} data-measure="share">
      {percent.format(part.costShare)}
    </td>
  </>
)

interface SubagentPanelProps {
  readonly id: string
  readonly showEntry: (entry: number) => void
}

interface SubagentRowProps {
  readonly row: PartView & { readonly name: string }
  /** The entry where it begins; undefined until that is known. */
  readonly seq: number | undefined
  readonly showEntry: (entry: number) => void
}

/** A subagent as a row; where its entry is known, with a button that shows it. */
const SubagentRow = ({ row, seq, showEntry }: SubagentRowProps) => (
  <tr className="border-t border-line" data-key={row.name}>
    <th scope="row" className={`${NAME} max-w-0 min-w-32`}>
      <span className="block truncate">
        Subagent <StoreText text={row.name} />
      </span>
      {seq !== undefined && (
        <button
          type="button"
          onClick={() => showEntry(seq)}
          aria-label={`from #${seq}, the entry where the subagent ${visibleText(row.name)} begins`}
          className="text-xs text-accent tabular-nums underline underline-offset-4"
        >
          from #{seq}
        </button>
      )}
    </th>
    <Cells part={row} />
  </tr>
)

/** A table of the main conversation and each subagent, with the total; nothing where there is no subagent. */
export const SubagentPanel = ({ id, showEntry }: SubagentPanelProps) => {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.session.context.queryOptions({ id }))
  const outline = useQuery(trpc.session.outline.queryOptions({ id }, { staleTime: 10_000 }))
  const subagents = data?.subagents ?? null
  if (subagents === null) return null
  const beginnings = new Map(outline.data?.subagents.map(({ name, seq }) => [name, seq]))
  return (
    <Panel
      title="Cost with subagents"
      aside={
        <>
          <FigureText figure={subagents.all.cost} /> of <FigureText figure={subagents.total.cost} /> by{' '}
          {counted(subagents.count, 'subagent')}
        </>
      }
    >
      <div className="sideways mt-2 max-h-96 overflow-auto" tabIndex={0} role="region" aria-label="Table of subagents">
        <table className="w-full text-sm" data-table="subagents">
          <caption className="sr-only">What the main conversation and each subagent used</caption>
          <thead className="text-xs text-muted">
            <tr>
              <SortHead name="Conversation" align="left" />
              <SortHead name="Requests" align="right" />
              <SortHead name="Tokens" align="right" className="hidden sm:table-cell" />
              <SortHead name="Cost" align="right" />
              <SortHead name="Share" align="right" />
            </tr>
          </thead>
          <tbody>
            <tr className="border-t border-line" data-key="">
              <th scope="row" className={`${NAME} font-medium`}>
                Main conversation
              </th>
              <Cells part={subagents.own} />
            </tr>
            {subagents.rows.map((row) => (
              <SubagentRow key={row.name} row={row} seq={beginnings.get(row.name)} showEntry={showEntry} />
            ))}
            {subagents.others !== null && (
              <tr className="border-t border-line">
                <th scope="row" className={`${NAME} text-muted`}>
                  {counted(subagents.others.count, 'other subagent')}
                </th>
                <Cells part={subagents.others} />
              </tr>
            )}
          </tbody>
          <TotalFoot>
            <Cells part={subagents.total} isTotal />
          </TotalFoot>
        </table>
      </div>
    </Panel>
  )
}
