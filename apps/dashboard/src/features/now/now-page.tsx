'use client'
/** The sessions at work: how full each context is, what it costs, how long its cache is kept, and what it is doing. */
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { CommandLine } from '../../components/command-line.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { StoreText } from '../../components/store-text.tsx'
import { TableLoading } from '../../components/table-loading.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf, isShutOut } from '../../trpc/failure.ts'
import { useSelection } from '../selection/use-selection.ts'
import { sessionHrefWithin } from '../sessions/list-address.ts'
import { counted } from '../usage/figure.ts'
import type { NowView } from './now-view.ts'
import { SessionCard } from './session-card.tsx'
import { useNow } from './use-now.ts'

/** A session leaves the page when it was silent for ten minutes, which no write tells; ms. */
const REFRESH_MS = 15_000

/** When a session was active last, and whether one that is at work would be here. Nothing if neither is known. */
const LastActivity = ({ latest, timeZone }: Pick<NowView, 'latest'> & { readonly timeZone: string | undefined }) => {
  const trpc = useTRPC()
  const { selection } = useSelection()
  const { data: watching = null } = useQuery(trpc.live.watching.queryOptions())
  if (latest === null && watching === null) return null
  return (
    <div className="mt-2 text-center text-sm">
      {latest !== null && (
        <p className="[overflow-wrap:anywhere]" data-latest={latest.id}>
          The last activity in the store was on <TimeText at={latest.updatedAt} timeZone={timeZone} />:{' '}
          <Link
            href={sessionHrefWithin(latest.id, selection)}
            prefetch={false}
            className="text-accent underline underline-offset-4"
          >
            <StoreText text={latest.title} />
          </Link>
        </p>
      )}
      {watching !== null && (
        <p className="mt-1 text-muted" data-watching="">
          {watching.text}. {watching.detail}
        </p>
      )}
    </div>
  )
}

/** What there would be to see, and how it gets here: shown while no session is at work. */
const NothingLive = (props: Parameters<typeof LastActivity>[0]) => (
  <div role="status" className="rounded-xl border border-line bg-panel px-6 py-10">
    <h2 className="text-center text-lg font-semibold">No session is at work</h2>
    <LastActivity {...props} />
    <div className="mx-auto mt-4 max-w-prose text-sm text-muted">
      <p>
        A session is here from its first message until ten minutes after its last: how full its context is, what it
        costs, how long its cache is kept, and the tool that it is using.
      </p>
      <p className="mt-3">
        Start an agent in another window. What it writes arrives while this dashboard follows transcripts (beside “Live”
        above stands whether it does); where it does not, one of these brings it:
      </p>
      <ul className="mt-2 grid gap-1">
        <li>
          <CommandLine command="cairn watch" />
        </li>
        <li>
          <CommandLine command="cairn setup" />
        </li>
      </ul>
    </div>
  </div>
)

/** The sessions at work, their times counted from the server's clock. Without any, how one would get here. */
const Shown = ({
  view: { now: serverNow, sessions, latest },
  receivedAt,
  timeZone,
}: {
  readonly view: NowView
  readonly receivedAt: number
  readonly timeZone: string | undefined
}) => {
  const now = useNow(serverNow, receivedAt)
  if (sessions.length === 0) return <NothingLive latest={latest} timeZone={timeZone} />
  return (
    <ul
      aria-label="Sessions at work"
      className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2 min-[110rem]:grid-cols-3"
    >
      {sessions.map((session) => (
        <li key={session.id} className="grid">
          <SessionCard session={session} now={now} timeZone={timeZone} />
        </li>
      ))}
    </ul>
  )
}

/** The page `/now`; a notice where the store can't be read. */
export const NowPage = () => {
  const trpc = useTRPC()
  const { selection, browserZone } = useSelection()
  const timeZone = selection.zone ?? browserZone
  const { data, error, refetch, dataUpdatedAt } = useQuery(
    trpc.now.sessions.queryOptions(timeZone === undefined ? skipToken : { timeZone }, {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.error !== null && isShutOut(state.error) ? false : REFRESH_MS),
    }),
  )
  return (
    <>
      <PageHead
        title="Now"
        below={
          data === undefined
            ? 'Sessions that were written to in the last ten minutes, in all projects.'
            : `${counted(data.sessions.length, 'session')} written to in the last ten minutes, in all projects.`
        }
      />
      {error !== null ? (
        <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
      ) : data === undefined ? (
        <TableLoading rows={6} />
      ) : (
        <Shown view={data} receivedAt={dataUpdatedAt} timeZone={timeZone} />
      )}
    </>
  )
}
