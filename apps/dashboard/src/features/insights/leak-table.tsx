/** Leaks as a table: what each cost, what to do about it, and links to its dearest cases. */
import Link from 'next/link'
import type { ReactNode } from 'react'
import { StoreText, visibleText } from '../../components/store-text.tsx'
import { TimeText, timeText } from '../../components/time-text.tsx'
import type { Selection } from '../selection/selection.ts'
import { sessionHrefWithin } from '../sessions/list-address.ts'
import { leakCase } from './leak-case.ts'
import type { LeakCauseView, LeakExampleView, LeakView } from './leak-view.ts'

const CELL = 'px-2 py-2.5 text-right align-top tabular-nums whitespace-nowrap last:pr-4 sm:last:pr-5'
const NAME = 'py-2.5 pr-2 pl-4 text-left align-top font-normal sm:pl-5'

interface LeakTableProps {
  readonly caption: string
  readonly leaks: readonly LeakView[]
  readonly timeZone: string | undefined
  /** What a case is shown as. */
  readonly exampleOf: (example: LeakExampleView, label: string, kind: LeakView['kind']) => ReactNode
  /** The row of totals. */
  readonly foot?: ReactNode
}

/** Draws a case as a link to its session, at the entry where that is known; what is selected goes along. */
export const linksWithin =
  (selection: Selection): LeakTableProps['exampleOf'] =>
  ({ sessionId, seq, request, cost }, label, kind) => (
    <Link
      href={sessionHrefWithin(sessionId, selection, seq, { leak: leakCase(kind, request) })}
      prefetch={false}
      aria-label={label}
      className="inline-block py-1 text-accent underline underline-offset-4"
    >
      {cost}
    </Link>
  )

interface ExamplesProps {
  readonly leak: LeakView
  readonly timeZone: string | undefined
  readonly exampleOf: LeakTableProps['exampleOf']
}

/** Links to the dearest cases, by their cost, each with its time and session. Nothing without cases. */
const Examples = ({
  leak: { kind },
  part: { title, examples },
  timeZone,
  exampleOf,
}: ExamplesProps & { readonly part: Pick<LeakView, 'title' | 'examples'> }) =>
  examples.length > 0 && (
    <div className="mt-0.5 text-xs text-muted">
      <p>The most expensive:</p>
      <ul className="grid gap-x-6 lg:grid-cols-2">
        {examples.map((example) => (
          <li
            key={`${example.sessionId} ${example.request} ${example.cost}`}
            className="flex min-w-0 items-baseline gap-x-2 tabular-nums"
          >
            <span className="shrink-0">
              {exampleOf(example, `${title}: ${example.cost}, ${timeText(example.at, timeZone)}`, kind)}
            </span>
            <span className="shrink-0">
              <TimeText at={example.at} timeZone={timeZone} />
            </span>
            {example.title !== null && (
              <span className="min-w-0 truncate" title={visibleText(example.title)}>
                <StoreText text={example.title} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )

/** The cases of one cause, with what to do about it. */
const Cause = ({ part, ...rest }: ExamplesProps & { readonly part: LeakCauseView }) => (
  <li data-cause={part.cause}>
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span className="font-medium">{part.title}</span>
      <span className="text-xs tabular-nums">
        <span data-cause-cost={part.cause}>{part.cost}</span>, {part.requests}
        {part.certainty !== 'unknown' && `, cause ${part.certainty}`}
      </span>
    </p>
    <p className="max-w-prose text-xs text-muted">{part.advice}</p>
    <Examples part={part} {...rest} />
  </li>
)

/** One leak: its share as a bar below the name. */
const LeakRow = ({ leak, ...rest }: ExamplesProps) => (
  <tr className="border-t border-line" data-leak={leak.kind} data-key={leak.kind}>
    <th scope="row" className={`${NAME} w-full`}>
      <span className="font-medium">{leak.title}</span>
      <span aria-hidden="true" className="mt-1 block h-1.5 w-full max-w-96 rounded-full bg-sunken">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${Math.max(1, leak.part * 100)}%` }} />
      </span>
      <span className="mt-1 block max-w-prose text-xs text-muted">{leak.advice}</span>
      {leak.causes.length === 0 ? (
        <Examples leak={leak} part={leak} {...rest} />
      ) : (
        <ul className="mt-1.5 grid gap-1.5 border-l border-line pl-3">
          {leak.causes.map((part) => (
            <Cause key={part.cause} leak={leak} part={part} {...rest} />
          ))}
        </ul>
      )}
    </th>
    <td className={`${CELL} hidden text-muted sm:table-cell`}>{leak.certainty}</td>
    <td className={`${CELL} hidden md:table-cell`} data-measure="requests">
      {leak.requests}
    </td>
    <td className={`${CELL} font-medium`} data-cost={leak.kind} data-measure="cost">
      {leak.cost}
    </td>
    <td className={`${CELL} text-muted`} data-measure="share">
      {leak.share}
    </td>
  </tr>
)

/**
 * A table of leaks in the order given, each with advice and its cases, which `exampleOf` draws; `foot` stands below.
 */
export const LeakTable = ({ caption, leaks, timeZone, exampleOf, foot }: LeakTableProps) => (
  <div className="sideways mt-2 overflow-x-auto pb-1">
    <table className="w-full text-sm" data-table="leaks">
      <caption className="sr-only">{caption}</caption>
      <thead className="text-xs text-muted">
        <tr>
          <th scope="col" className="py-1.5 pr-2 pl-4 text-left font-normal sm:pl-5">
            What, and what to do
          </th>
          <th scope="col" className={`${CELL} hidden font-normal sm:table-cell`}>
            Certainty
          </th>
          <th scope="col" className={`${CELL} hidden font-normal md:table-cell`}>
            Requests
          </th>
          <th scope="col" className={`${CELL} font-normal`}>
            Cost
          </th>
          <th scope="col" className={`${CELL} font-normal`}>
            Share
          </th>
        </tr>
      </thead>
      <tbody>
        {leaks.map((leak) => (
          <LeakRow key={leak.kind} leak={leak} timeZone={timeZone} exampleOf={exampleOf} />
        ))}
      </tbody>
      {foot}
    </table>
  </div>
)

/** The row below a table of leaks: what they add up to, and its share of the cost. */
export const LeakFoot = ({ leaked, share }: { readonly leaked: string; readonly share: string }) => (
  <tfoot>
    <tr className="border-t-2 border-line font-medium">
      <th scope="row" className="py-2 pr-2 pl-4 text-left sm:pl-5">
        Together
      </th>
      <td className="hidden sm:table-cell" />
      <td className="hidden md:table-cell" />
      <td className={CELL} data-cost="together" data-measure="cost">
        {leaked}
      </td>
      <td className={CELL} data-measure="share">
        {share}
      </td>
    </tr>
  </tfoot>
)
