/** The charts' numbers as a table, folded away: for screen readers, and for copying. */
import { ExportLinks } from '../export/export-links.tsx'
import { COST_CLASSES } from './cost-classes.ts'
import { dollars } from './dollars.ts'
import { FigureText } from './figure-text.tsx'
import type { PointView } from './overview-view.ts'
import { TOKEN_CLASSES } from './token-classes.ts'

const whole = new Intl.NumberFormat('en-US')

export const StepTable = ({ points, stepName, exportQuery }: { readonly points: readonly PointView[]; readonly stepName: string; readonly exportQuery: string }) => (
  <details className="rounded-xl border border-line bg-panel text-sm">
    <summary className="cursor-pointer rounded-xl px-4 py-3 text-muted hover:text-ink sm:px-5">The charts as a table</summary>
    <p className="px-4 pb-2 text-right sm:px-5">
      By day: <ExportLinks table="day" query={exportQuery} />
    </p>
    <div className="max-h-96 overflow-auto border-t border-line" tabIndex={0} role="region" aria-label="The charts as a table">
      <table className="w-full text-right tabular-nums">
        <caption className="sr-only">Cost and tokens {stepName}</caption>
        <thead className="sticky top-0 bg-panel text-xs text-muted">
          <tr>
            <th scope="col" className="px-4 py-2 text-left font-medium sm:px-5">
              From
            </th>
            <th scope="col" className="px-3 py-2 font-medium">
              Cost
            </th>
            <th scope="col" className="px-3 py-2 font-medium">
              Requests
            </th>
            {COST_CLASSES.map(({ field, name }) => (
              <th key={field} scope="col" className="px-3 py-2 font-medium whitespace-nowrap">
                {name}, $
              </th>
            ))}
            {TOKEN_CLASSES.map(({ field, name }) => (
              <th key={field} scope="col" className="px-3 py-2 font-medium whitespace-nowrap">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map((point) => (
            <tr key={point.key} className="border-t border-line">
              <th scope="row" className="px-4 py-1.5 text-left font-normal whitespace-nowrap sm:px-5">
                {point.title}
              </th>
              <td className="px-3 py-1.5">
                <FigureText figure={point.cost} />
              </td>
              <td className="px-3 py-1.5">{point.requests.text}</td>
              {COST_CLASSES.map(({ field }) => (
                <td key={field} className="px-3 py-1.5">
                  {dollars(point[field])}
                </td>
              ))}
              {TOKEN_CLASSES.map(({ field }) => (
                <td key={field} className="px-3 py-1.5">
                  {whole.format(point[field])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
)
