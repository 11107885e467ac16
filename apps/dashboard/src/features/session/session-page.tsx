'use client'
/** One session: what it cost, how its context grew, and its log. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useSearchParams } from 'next/navigation'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { Notice } from '../../components/notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { StoreText } from '../../components/store-text.tsx'
import { Tile } from '../../components/tile.tsx'
import { useUrlState } from '../../components/use-url-state.ts'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { counted } from '../usage/figure.ts'
import { UrlProblemsNotice } from '../selection/url-problems-notice.tsx'
import { LeakCaseNotice } from '../insights/leak-case-notice.tsx'
import { SessionLeaks } from '../insights/leak-panels.tsx'
import { OverviewLoading } from '../overview/loading.tsx'
import { listHref } from '../sessions/list-address.ts'
import { Remarks } from '../overview/remarks.tsx'
import { TotalTiles } from '../overview/total-tiles.tsx'
import { useSelection } from '../selection/use-selection.ts'
import { ReplayPanel } from '../replay/replay-panel.tsx'
import { SessionFacts } from './session-facts.tsx'
import { NO_VIEW, SessionLog } from './session-log.tsx'
import type { SessionHead } from './session-queries.ts'
import { SECTION, SessionSections } from './session-sections.tsx'
import { SubagentPanel } from './subagent-panel.tsx'
import { TaskPanel } from './task-panel.tsx'
import { useLinkedEntry } from './use-linked-entry.ts'

/** A link to the list of sessions as it was left. */
const BackLink = () => (
  <p className="mb-2 text-sm">
    <Link href={listHref(useSearchParams())} prefetch={false} className="text-accent hover:underline">
      ← Sessions
    </Link>
  </p>
)

interface ShownSessionProps {
  readonly id: string
  readonly head: SessionHead
  readonly timeZone: string | undefined
}

/**
 * Leads to the log where the address names an entry or a leak, past the panels above; who goes from find to find stays where
 * they are.
 */
const useLanding = (log: RefObject<HTMLElement | null>): void => {
  const parameters = useSearchParams()
  const at = parameters.get('at')
  const leak = parameters.get('leak')
  const isFinding = parameters.has('find')
  const hasLanded = useRef(false)
  useEffect(() => {
    const isLanding = !hasLanded.current
    hasLanded.current = true
    if ((at === null && leak === null) || (isFinding && !isLanding)) return
    log.current?.focus({ preventScroll: true })
    log.current?.scrollIntoView({ block: 'start' })
  }, [at, isFinding, leak, log])
}

/**
 * The figures of a session, its panels and its log. What needs the whole log is asked for when the log's first entries
 * are there. A linked entry that the log does not have is ignored.
 */
const ShownSession = ({ id, head: { session, total, remarks }, timeZone }: ShownSessionProps) => {
  const change = useUrlState()
  const log = useRef<HTMLElement>(null)
  /** What stands below the log is asked for when its first entries and turns are there: all of it needs the whole log. */
  const [isLogShown, setLogShown] = useState(false)
  const onShown = useCallback(() => setLogShown(true), [])
  const parameters = useSearchParams()
  const leak = parameters.get('leak')
  useLanding(log)
  const showEntry = (entry: number, because?: string): void => {
    change({ ...NO_VIEW, at: String(entry), leak: because })
    log.current?.focus({ preventScroll: true })
    log.current?.scrollIntoView({ block: 'start' })
  }
  useLinkedEntry((entry) => {
    if (entry < session.entries) showEntry(entry)
  })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <TotalTiles total={total}>
        <Tile name="Messages" below={`with ${counted(session.requests, 'request')}`}>
          {session.messages.toLocaleString('en-US')}
        </Tile>
      </TotalTiles>
      <SessionSections id={id} isLogShown={isLogShown} showEntry={showEntry} />
      {remarks.length > 0 && <Remarks remarks={remarks} />}
      <SessionLog
        ref={log}
        id={id}
        notice={
          leak !== null && (
            <LeakCaseNotice
              id={id}
              named={leak}
              showRequest={(number) => change({ ...NO_VIEW, at: undefined, view: 'requests', request: String(number) })}
              close={() => change({ leak: undefined })}
            />
          )
        }
        entries={session.entries}
        timeZone={timeZone}
        showEntry={showEntry}
        onShown={onShown}
      />
      {isLogShown && (
        <>
          <TaskPanel id={id} />
          <div id={SECTION.subagents} className="empty:hidden">
            <SubagentPanel id={id} showEntry={showEntry} />
          </div>
          <div id={SECTION.leaks} className="empty:hidden">
            <SessionLeaks id={id} timeZone={timeZone} showEntry={showEntry} />
          </div>
        </>
      )}
      <div id={SECTION.replay}>
        <ReplayPanel id={id} timeZone={timeZone} showEntry={showEntry} />
      </div>
    </div>
  )
}

/** The page of a session, or why it can’t be shown. While it is asked for, grey blocks. */
export const SessionPage = ({ id }: { readonly id: string }) => {
  const { selection, browserZone } = useSelection()
  const timeZone = selection.zone ?? browserZone
  const trpc = useTRPC()
  const { data, error, refetch } = useQuery(trpc.session.head.queryOptions({ id }))
  if (error !== null) {
    const failure =
      error.data?.code === 'NOT_FOUND'
        ? { title: 'There is no such session', text: 'It may have been deleted while this page was open.' }
        : failureOf(error)
    return (
      <>
        <BackLink />
        <Notice isAlert {...failure} action={{ label: 'Look again', run: () => void refetch() }} />
      </>
    )
  }
  if (data === undefined) return <OverviewLoading />
  return (
    <>
      <UrlProblemsNotice />
      <BackLink />
      <PageHead
        title={<StoreText text={data.session.title} />}
        below={<SessionFacts head={data} timeZone={timeZone} />}
      />
      <ShownSession id={id} head={data} timeZone={timeZone} />
    </>
  )
}
