/** Settings with their values and where each comes from. */
import { Panel } from '../../components/panel.tsx'
import { StoreText } from '../../components/store-text.tsx'
import type { SettingRow } from './settings-view.ts'

interface SettingTableProps {
  readonly title: string
  readonly aside: string
  readonly rows: readonly SettingRow[]
}

const HEAD = 'py-1.5 pr-3 pl-4 text-left font-normal sm:pl-5'
const CELL = 'px-3 py-2 align-top [overflow-wrap:anywhere] last:pr-4 sm:last:pr-5'

/** A setting with its value and where that comes from; what is the default is in a lighter tone. */
const Row = ({ row: { key, what, value, from, isDefault } }: { readonly row: SettingRow }) => (
  <tr id={key} className="scroll-mt-16 border-t border-line target:bg-sunken" data-setting={key}>
    <th scope="row" className={`${HEAD} w-1/2 align-top sm:w-2/5`}>
      <code className="font-mono text-xs [overflow-wrap:anywhere]">
        <StoreText text={key} />
      </code>
      <span className="block text-xs text-muted">
        <StoreText text={what} />
      </span>
    </th>
    <td className={`${CELL} ${isDefault ? 'text-muted' : 'font-medium'}`}>
      <StoreText text={value} />
      <span className="block text-xs font-normal text-muted sm:hidden">
        <StoreText text={from} />
      </span>
    </td>
    <td className={`${CELL} text-xs text-muted max-sm:hidden`}>
      <StoreText text={from} />
    </td>
  </tr>
)

/** A table of settings, in the order given; on a phone its texts wrap. */
export const SettingTable = ({ title, aside, rows }: SettingTableProps) => (
  <Panel title={title} aside={aside}>
    <table className="mt-2 mb-2 w-full table-fixed text-sm">
      <caption className="sr-only">{title}</caption>
      <thead className="text-xs text-muted">
        <tr>
          <th scope="col" className={`${HEAD} w-1/2 sm:w-2/5`}>
            Setting
          </th>
          <th scope="col" className="px-3 py-1.5 text-left font-normal">
            Value
          </th>
          <th scope="col" className="px-3 py-1.5 text-left font-normal last:pr-4 max-sm:hidden sm:last:pr-5">
            From
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.key} row={row} />
        ))}
      </tbody>
    </table>
  </Panel>
)
