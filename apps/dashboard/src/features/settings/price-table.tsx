/** The prices in force of the models that the store knows. */
import { Panel } from '../../components/panel.tsx'
import { StoreText } from '../../components/store-text.tsx'
import { FigureText } from '../usage/figure-text.tsx'
import { counted } from '../usage/figure.ts'
import type { PriceRow } from './settings-view.ts'

interface PriceTableProps {
  readonly prices: readonly PriceRow[]
  /** Models that have no row. */
  readonly otherModels: number
}

const COLUMNS = [
  { name: 'Input', of: 'input' },
  { name: 'Cache read', of: 'cacheRead' },
  { name: 'Cache write', of: 'cacheWrite' },
  { name: 'Cache write, 1 h', of: 'cacheWrite1h' },
  { name: 'Output', of: 'output' },
] as const

const HEAD = 'py-1.5 pr-2 pl-4 text-left font-normal sm:pl-5'
const CELL = 'px-2 py-1.5 text-right tabular-nums whitespace-nowrap last:pr-4 sm:last:pr-5'

/** A table of the prices given, in their order; a sentence where the store has no request. */
export const PriceTable = ({ prices, otherModels }: PriceTableProps) => (
  <Panel title="Prices in force" aside="USD per million tokens, as of now; of the models in the store">
    {prices.length === 0 ? (
      <p className="px-4 py-3 text-sm text-muted sm:px-5">No request to a model is in the store yet.</p>
    ) : (
      <div
        className="sideways mt-2 overflow-x-auto pb-2 outline-offset-[-2px]"
        tabIndex={0}
        role="region"
        aria-label="Table of prices"
      >
        <table className="w-full text-sm">
          <caption className="sr-only">Prices in force</caption>
          <thead className="text-xs text-muted">
            <tr>
              <th scope="col" className={HEAD}>
                Model
              </th>
              {COLUMNS.map(({ name }) => (
                <th key={name} scope="col" className={`${CELL} font-normal`}>
                  {name}
                </th>
              ))}
              <th scope="col" className="px-2 py-1.5 text-left font-normal">
                From
              </th>
              <th scope="col" className={`${CELL} font-normal`}>
                Cost so far
              </th>
            </tr>
          </thead>
          <tbody>
            {prices.map((price) => (
              <tr key={price.model} className="border-t border-line" data-price={price.model}>
                <th scope="row" className={`${HEAD} whitespace-nowrap`}>
                  <StoreText text={price.model} />
                </th>
                {COLUMNS.map(({ name, of }) => (
                  <td key={name} className={CELL}>
                    {price[of]}
                  </td>
                ))}
                <td className="px-2 py-1.5 whitespace-nowrap text-muted">{price.from}</td>
                <td className={CELL}>
                  <FigureText figure={price.cost} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {otherModels > 0 && (
          <p className="px-4 pt-2 text-xs text-muted sm:px-5">{counted(otherModels, 'other model')}</p>
        )}
      </div>
    )}
  </Panel>
)
