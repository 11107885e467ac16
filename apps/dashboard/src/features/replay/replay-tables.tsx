'use client'
/** The chart's numbers as tables, and how they are counted. Made when they are opened. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { TimeText } from '../../components/time-text.tsx'
import { DEFINITIONS_ID } from './replay-tiles.tsx'
import type { ReplayView } from './replay-view.ts'

const CELL = 'px-2 py-1.5 text-right tabular-nums whitespace-nowrap'

const whole = (count: number): string => count.toLocaleString('en-US')

/** A fold whose content is made when it is opened. */
const Fold = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="border-t border-line" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer px-4 py-2.5 text-sm text-muted hover:text-ink sm:px-5">{name}</summary>
      {isOpen && (
        <div
          className="sideways max-h-96 overflow-auto outline-offset-[-2px]"
          tabIndex={0}
          role="region"
          aria-label={name}
        >
          {children}
        </div>
      )}
    </details>
  )
}

interface ReplayTablesProps {
  readonly view: ReplayView
  readonly timeZone: string | undefined
  readonly choose: (request: number) => void
}

interface Column {
  readonly name: string
  readonly align?: 'left' | 'right'
}

/** Names of columns, aligned right unless they say otherwise. */
const Heads = ({ columns }: { readonly columns: readonly Column[] }) => (
  <thead className="text-xs text-muted">
    <tr>
      {columns.map(({ name, align = 'right' }) => (
        <th
          key={name}
          scope="col"
          className={`px-2 py-1.5 font-normal whitespace-nowrap first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5 ${align === 'left' ? 'text-left' : 'text-right'}`}
        >
          {name}
        </th>
      ))}
    </tr>
  </thead>
)

const REWRITE_COLUMNS: readonly Column[] = [
  { name: 'Before request', align: 'left' },
  { name: 'Time', align: 'left' },
  { name: 'Why', align: 'left' },
  { name: 'Blocks' },
  { name: 'Tokens before' },
  { name: 'After' },
  { name: 'Cost' },
  { name: 'Saved a request' },
]

/** A row for each rewrite, with what it cost and saved; a click chooses it. */
const RewriteTable = ({ view, timeZone, choose }: ReplayTablesProps) => (
  <>
    <table className="w-full text-sm">
      <caption className="sr-only">Rewrites of the context under {view.policy}</caption>
      <Heads columns={REWRITE_COLUMNS} />
      <tbody>
        {view.rewrites.map((rewrite, index) => (
          <tr key={index} className="border-t border-line">
            <th scope="row" className="px-2 py-1.5 pl-4 text-left font-normal sm:pl-5">
              <button
                type="button"
                className="text-accent underline underline-offset-4"
                onClick={() => choose(rewrite.request)}
              >
                {whole(rewrite.request)}
              </button>
            </th>
            <td className="px-2 py-1.5 whitespace-nowrap tabular-nums">
              <TimeText at={rewrite.at} timeZone={timeZone} />
            </td>
            <td className="min-w-48 px-2 py-1.5 text-muted">{rewrite.trigger}</td>
            <td className={CELL}>{whole(rewrite.blocks)}</td>
            <td className={CELL}>{whole(rewrite.tokensBefore)}</td>
            <td className={CELL}>{whole(rewrite.tokensAfter)}</td>
            <td className={CELL}>{rewrite.costText}</td>
            <td className={`${CELL} pr-4 sm:pr-5`}>{rewrite.savedText}</td>
          </tr>
        ))}
      </tbody>
    </table>
    {view.moreRewrites > 0 && (
      <p className="px-5 py-2 text-sm text-muted">And {whole(view.moreRewrites)} later ones.</p>
    )}
  </>
)

/** A row for each point: the size of the input as its agent sent it, and under the policy. */
const SizeTable = ({ view, timeZone }: Omit<ReplayTablesProps, 'choose'>) => (
  <table className="w-full text-sm">
    <caption className="sr-only">
      Input of each request in tokens, estimated, as its agent sent it and under {view.policy}
    </caption>
    <Heads
      columns={[
        { name: 'Request', align: 'left' },
        { name: 'Time', align: 'left' },
        { name: 'As its agent sent' },
        { name: view.policy },
      ]}
    />
    <tbody>
      {view.points.map(({ first, last, at, sent, chosen }) => (
        <tr key={first} className="border-t border-line">
          <th scope="row" className="px-2 py-1.5 pl-4 text-left font-normal tabular-nums sm:pl-5">
            {first === last ? whole(first) : `${whole(first)}–${whole(last)}`}
          </th>
          <td className="px-2 py-1.5 whitespace-nowrap tabular-nums">
            <TimeText at={at} timeZone={timeZone} />
          </td>
          <td className={CELL}>{whole(sent)}</td>
          <td className={`${CELL} pr-4 sm:pr-5`}>{whole(chosen)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** How the numbers of a replay are counted, and the command that counts the same. */
const Definitions = ({ command }: Pick<ReplayView, 'command'>) => (
  <div id={DEFINITIONS_ID} className="grid max-w-[90ch] gap-2 px-4 pb-4 text-sm text-muted sm:px-5">
    <p>
      The recorded requests, replies and pauses are played to the policy as if they were live. Nothing is asked of a
      model; one that saw less might have done something else. Subagents are left out: they have contexts of their own.
    </p>
    <p>
      <b className="font-medium text-ink">Paid</b> is what the agent recorded as the usage of its main conversation.{' '}
      <b className="font-medium text-ink">Recorded</b> plays the compactions, truncations and edits that the agent made,
      where it made them; <b className="font-medium text-ink">none</b> only appends, which no agent has to have done.
      Their sizes and costs are simulated, as those of every policy. A request reads from the cache what it has in
      common with the one before at its start, if that was not too long ago; all else is written.
    </p>
    <p>
      <b className="font-medium text-ink">A miss</b> is a name that a tool call used, or lines that an edit looked for,
      which had stood in the conversation and were no longer visible. For its source are charged: the request once more
      at the price of cached input, the source’s tokens at the price of writing them, and 150 tokens of output; and the
      source is carried along until the next rewrite.
    </p>
    <p>
      Every definition is in <code className="font-mono text-xs">docs/replay.md</code> of Cairn.{' '}
      {command !== null && (
        <>
          The same on the command line:{' '}
          <code className="font-mono text-xs [overflow-wrap:anywhere] text-ink">{command}</code>
        </>
      )}
    </p>
  </div>
)

/**
 * The tables of a replay, folded: the rewrites (left out without any), the sizes of all requests, and how the numbers
 * are counted.
 */
export const ReplayTables = (props: ReplayTablesProps) => (
  <div className="mt-4">
    {props.view.rewrites.length > 0 && (
      <Fold name="Every rewrite, as a table">
        <RewriteTable {...props} />
      </Fold>
    )}
    <Fold name="The size of every request, as a table">
      <SizeTable {...props} />
    </Fold>
    <details className="border-t border-line">
      <summary className="cursor-pointer px-4 py-2.5 text-sm text-muted hover:text-ink sm:px-5">
        How these numbers are counted
      </summary>
      <Definitions command={props.view.command} />
    </details>
  </div>
)
