'use client'
/** One session: what it cost, how its context grew, and all that was said. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useSearchParams } from 'next/navigation'
import { useRef } from 'react'
import { Notice } from '../../components/notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { StoreText, visibleText } from '../../components/store-text.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { Tile } from '../../components/tile.tsx'
import { useUrlState } from '../../components/use-url-state.ts'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { counted } from '../usage/figure.ts'
import { FigureText } from '../usage/figure-text.tsx'
import { UrlProblemsNotice } from '../selection/url-problems-notice.tsx'
import { OverviewLoading } from '../overview/loading.tsx'
import { listHref } from '../sessions/list-address.ts'
import type { FilterName } from '../selection/selection.ts'
import { Remarks } from '../overview/remarks.tsx'
import { TotalTiles } from '../overview/total-tiles.tsx'
import { useSelection } from '../selection/use-selection.ts'
import { ReplayPanel } from '../replay/replay-panel.tsx'
import { ContextChart } from './context-chart.tsx'
import { Conversation } from './conversation.tsx'
import { FileTable } from './file-table.tsx'
import { RequestTable } from './request-table.tsx'
import type { SessionHead } from './session-queries.ts'
import { SubagentPanel } from './subagent-panel.tsx'
import { TaskPanel } from './task-panel.tsx'

const VIEWS = [
  { view: 'conversation', name: 'Conversation' },
  { view: 'requests', name: 'Requests' },
  { view: 'files', name: 'Files' },
] as const

interface FactsProps {
  readonly head: SessionHead
  readonly timeZone: string | undefined
}

/** A fact that other sessions share, and the way to them. */
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

const Facts = ({ head: { session, models }, timeZone }: FactsProps) => (
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
      {session.branch !== null && (
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
    {models.length > 0 && (
      <p className="mt-1 flex flex-wrap gap-x-3 gap-y-1 text-xs">
        {models.map(({ name, cost }) => (
          <span key={name}>
            <Shared name="model" value={name} text={name} title="All sessions with this model" />:{' '}
            <FigureText figure={cost} />
          </span>
        ))}
      </p>
    )}
    <p className="mt-1 font-mono text-xs break-all">
      <StoreText text={session.id} />
    </p>
  </>
)

export const SessionPage = ({ id }: { readonly id: string }) => {
  const { selection, browserZone } = useSelection()
  const timeZone = selection.zone ?? browserZone
  const parameters = useSearchParams()
  const change = useUrlState()
  const trpc = useTRPC()
  const { data, error, refetch } = useQuery(trpc.session.head.queryOptions({ id }))
  const view = VIEWS.find((known) => known.view === parameters.get('view'))?.view ?? 'conversation'
  const at = Number(parameters.get('at') ?? Number.NaN)

  const log = useRef<HTMLElement>(null)
  const showEntry = (entry: number): void => {
    change({ view: undefined, page: undefined, sort: undefined, order: undefined, find: undefined, at: String(entry) })
    log.current?.focus({ preventScroll: true })
    log.current?.scrollIntoView({ block: 'start' })
  }

  const back = (
    <p className="mb-2 text-sm">
      <Link href={listHref(parameters)} prefetch={false} className="text-accent hover:underline">
        ← Sessions
      </Link>
    </p>
  )
  if (error !== null) {
    const isGone = error.data?.code === 'NOT_FOUND'
    return (
      <>
        {back}
        <Notice
          isAlert
          {...(isGone
            ? { title: 'There is no such session', text: 'It may have been deleted while this page was open.' }
            : failureOf(error))}
          action={{ label: 'Look again', run: () => void refetch() }}
        />
      </>
    )
  }
  if (data === undefined) return <OverviewLoading />
  const { session, total } = data
  return (
    <>
      <UrlProblemsNotice />
      {back}
      <PageHead title={<StoreText text={session.title} />} below={<Facts head={data} timeZone={timeZone} />} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <TotalTiles total={total}>
          <Tile name="Messages" below={`with ${counted(session.requests, 'request')}`}>
            {session.messages.toLocaleString('en-US')}
          </Tile>
        </TotalTiles>
        {data.remarks.length > 0 && <Remarks remarks={data.remarks} />}
        <TaskPanel id={id} />
        <SubagentPanel id={id} showEntry={showEntry} />
        <ContextChart id={id} timeZone={timeZone} />
        <ReplayPanel id={id} timeZone={timeZone} showEntry={showEntry} />
        <section
          ref={log}
          tabIndex={-1}
          aria-label="The session’s log"
          className="min-w-0 overflow-hidden rounded-xl border border-line bg-panel"
        >
          <div
            role="group"
            aria-label="What is shown of the session"
            className="flex gap-1 border-b border-line px-2 pt-2 sm:px-3"
          >
            {VIEWS.map(({ view: one, name }) => (
              <button
                key={one}
                type="button"
                aria-pressed={view === one}
                onClick={() =>
                  change({
                    view: one === 'conversation' ? undefined : one,
                    page: undefined,
                    sort: undefined,
                    order: undefined,
                    find: undefined,
                    at: undefined,
                  })
                }
                className="-mb-px border-b-2 border-transparent px-2.5 py-2 text-sm text-muted hover:text-ink aria-pressed:border-accent aria-pressed:font-medium aria-pressed:text-ink"
              >
                {name}
              </button>
            ))}
          </div>
          {view === 'conversation' && (
            <Conversation
              id={id}
              count={session.entries}
              timeZone={timeZone}
              startAt={Number.isInteger(at) && at >= 0 && at < session.entries ? at : undefined}
            />
          )}
          {view === 'requests' && <RequestTable id={id} timeZone={timeZone} />}
          {view === 'files' && <FileTable id={id} />}
        </section>
      </div>
    </>
  )
}
