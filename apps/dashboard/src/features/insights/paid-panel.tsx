'use client'
/** What is paid, beside what the same requests cost at API prices. */
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { Panel } from '../../components/panel.tsx'
import { StoreText } from '../../components/store-text.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import type { SelectionState } from '../selection/use-selection.ts'
import { useSelectionInput } from '../selection/use-selection-input.ts'
import type { PaidFigures, PaidLine } from './paid-view.ts'

const NAME = 'py-2 pr-2 pl-4 text-left align-top font-normal sm:pl-5'
const CELL = 'px-2 py-2 text-right align-top tabular-nums whitespace-nowrap last:pr-4 sm:last:pr-5'

const FIGURES = [
  { of: 'requests', title: 'Requests', look: 'hidden sm:table-cell' },
  { of: 'equivalent', title: 'API-equivalent', look: '' },
  { of: 'paid', title: 'Paid', look: '' },
  { of: 'saved', title: 'Saved', look: '' },
] as const

/** A cell for each figure of a row, in the order of the columns. */
const Cells = ({ figures }: { readonly figures: PaidFigures }) =>
  FIGURES.map(({ of, look }) => (
    <td key={of} className={`${CELL} ${look}`} data-measure={of}>
      {figures[of]}
    </td>
  ))

/** One way a provider was paid; only the first of a provider's shows its name. */
const Line = ({ line }: { readonly line: PaidLine }) => (
  <tr className={line.isFirst ? 'border-t border-line' : ''} data-paid={line.provider}>
    <th scope="row" className={`${NAME} w-full`}>
      {line.isFirst && (
        <span className="mb-1 block font-medium">
          <StoreText text={line.provider} />
        </span>
      )}
      <span className="[overflow-wrap:anywhere]" data-measure="by">
        <StoreText text={line.by} />
      </span>
      {line.terms !== '' && (
        <span className="block text-xs [overflow-wrap:anywhere] text-muted">
          <StoreText text={line.terms} />
        </span>
      )}
    </th>
    <Cells figures={line} />
  </tr>
)

/** A table of what is paid by provider and plan; nothing where no subscription or discount is set. */
export const PaidPanel = ({ state }: { readonly state: SelectionState }) => {
  const trpc = useTRPC()
  const input = useSelectionInput(state)
  const { data: answer } = useQuery(
    trpc.insights.paid.queryOptions(input ?? skipToken, {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => state.data?.againInMs ?? false,
    }),
  )
  const data = answer?.view ?? null
  if (data === null) return null
  return (
    <Panel title="Paid" aside="beside the API-equivalent cost: the same requests at API prices">
      <div className="sideways mt-2 overflow-x-auto pb-1" tabIndex={0} role="region" aria-label="Table of what is paid">
        <table className="w-full text-sm" data-table="paid">
          <caption className="sr-only">What is paid, by provider and plan</caption>
          <thead className="text-xs text-muted">
            <tr>
              <th scope="col" className="py-1.5 pr-2 pl-4 text-left font-normal sm:pl-5">
                Provider, and what is paid by
              </th>
              {FIGURES.map(({ of, title, look }) => (
                <th key={of} scope="col" className={`${CELL} font-normal ${look}`}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.lines.map((line, index) => (
              // Lines have no name of their own, and their order is that of the settings.
              <Line key={index} line={line} />
            ))}
          </tbody>
          <tfoot>
            <tr className="border-t-2 border-line font-medium" data-paid="total">
              <th scope="row" className={NAME}>
                Total
              </th>
              <Cells figures={data.total} />
            </tr>
          </tfoot>
        </table>
      </div>
      {data.isPart && (
        <p className="px-4 pb-3 text-xs text-muted sm:px-5">
          –: a subscription covers these requests, and is paid for others as well.
        </p>
      )}
    </Panel>
  )
}
