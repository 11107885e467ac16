/** The foot of a table: what its rows add up to. */
import type { ReactNode } from 'react'

/** The row of totals; its cells are the children. `below` is a remark under its name. */
export const TotalFoot = ({
  below,
  children,
}: {
  /** What it is the total of, where that is not plain. */ readonly below?: string
  readonly children: ReactNode
}) => (
  <tfoot>
    <tr className="border-t-2 border-line font-medium">
      <th scope="row" className="py-2 pr-2 pl-4 text-left sm:pl-5">
        Total
        {below !== undefined && <span className="block text-xs font-normal text-muted">{below}</span>}
      </th>
      {children}
    </tr>
  </tfoot>
)
