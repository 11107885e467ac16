/** What is known of a session besides its figures: agent, project, branch, times, models and id. */
import Link from 'next/link'
import type { ReactNode } from 'react'
import { StoreText, visibleText } from '../../components/store-text.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { FigureText } from '../usage/figure-text.tsx'
import type { FilterName } from '../selection/selection.ts'
import type { SessionHead } from './session-queries.ts'

interface SessionFactsProps {
  readonly head: SessionHead
  readonly timeZone: string | undefined
}

/** A link to all sessions with the same value of a filter. @param text what is shown @param title on hover */
const Shared = ({
  name,
  value,
  text,
  title,
}: {
  readonly name: FilterName
  readonly value: string
  readonly text: string
  readonly title: string
}) => (
  <Link
    href={`/sessions?period=all&${name}=${encodeURIComponent(value)}`}
    prefetch={false}
    title={title}
    className="min-w-0 underline-offset-4 [overflow-wrap:anywhere] hover:text-ink hover:underline"
  >
    <StoreText text={text} />
  </Link>
)

interface CostsProps {
  readonly table: string
  readonly name: FilterName
  readonly title: string
  readonly rows: SessionHead['models']
  /** What stands before them. */
  readonly children?: ReactNode
}

/** A line of what each of several models or branches cost; each links to its sessions. */
const Costs = ({ table, name, title, rows, children }: CostsProps) => (
  <p className="mt-1 flex flex-wrap gap-x-3 gap-y-1 text-xs" data-table={table}>
    {children}
    {rows.map(({ name: value, cost }) => (
      <span key={value} data-key={value}>
        <Shared name={name} value={value} text={value} title={title} />:{' '}
        <span data-measure="cost">
          <FigureText figure={cost} />
        </span>
      </span>
    ))}
  </p>
)

/**
 * Lines below the title; each fact that other sessions share links to them. The branch of the session is left out where
 * its requests have several.
 */
export const SessionFacts = ({ head: { session, models, branches, branchesLeft }, timeZone }: SessionFactsProps) => (
  <>
    <p className="flex flex-wrap gap-x-3 gap-y-1">
      <Shared name="agent" value={session.agent} text={session.agent} title="All sessions of this agent" />
      <Shared
        name="project"
        value={session.workspace ?? 'unknown'}
        text={session.project}
        title={
          session.workspace === null
            ? 'All sessions without a project'
            : `All sessions in ${visibleText(session.workspace)}`
        }
      />
      {session.branch !== null && branches.length === 0 && (
        <Shared name="branch" value={session.branch} text={session.branch} title="All sessions on this branch" />
      )}
      {session.startedAt === null && session.updatedAt === null ? (
        <span>No time was recorded</span>
      ) : (
        <span>
          <TimeText at={session.startedAt} timeZone={timeZone} /> –{' '}
          <TimeText at={session.updatedAt} timeZone={timeZone} />
        </span>
      )}
      {session.redactions > 0 && (
        <span
          className="text-warning"
          title="Keys and passwords that were found on import; a placeholder stands in their place"
        >
          {session.redactions.toLocaleString('en-US')} {session.redactions === 1 ? 'secret' : 'secrets'} replaced
        </span>
      )}
    </p>
    {branches.length > 0 && (
      <Costs table="branches" name="branch" title="All sessions on this branch" rows={branches}>
        <span>Branches of its requests:</span>
        {branchesLeft > 0 && <span className="order-last">and {branchesLeft.toLocaleString('en-US')} more</span>}
      </Costs>
    )}
    {models.length > 0 && <Costs table="models" name="model" title="All sessions with this model" rows={models} />}
    <p className="mt-1 font-mono text-xs break-all">
      <StoreText text={session.id} />
    </p>
  </>
)
