'use client'
/** One session: what it cost, how its context grew, and all that was said. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useSearchParams } from 'next/navigation'
import { Notice } from '../../components/notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { StoreText } from '../../components/store-text.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { Tile, Tiles } from '../../components/tile.tsx'
import { useAddress } from '../../components/use-address.ts'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { FigureText } from '../usage/figure-text.tsx'
import { OverviewLoading } from '../usage/loading.tsx'
import { writeSelection } from '../usage/selection.ts'
import { useSelection } from '../usage/use-selection.ts'
import { ContextChart } from './context-chart.tsx'
import { Conversation } from './conversation.tsx'
import { FileTable } from './file-table.tsx'
import { RequestTable } from './request-table.tsx'
import type { SessionHead } from './session-queries.ts'

const VIEWS = [
  { view: 'conversation', name: 'Conversation' },
  { view: 'requests', name: 'Requests' },
  { view: 'files', name: 'Files' },
] as const

const Facts = ({ head: { session, models }, timeZone }: { readonly head: SessionHead; readonly timeZone: string | undefined }) => (
  <>
    <p className="flex flex-wrap gap-x-3 gap-y-1">
      <span>{session.agent}</span>
      <span title={session.workspace ?? undefined}>
        <StoreText text={session.project} />
      </span>
      {session.branch !== null && (
        <span>
          <StoreText text={session.branch} />
        </span>
      )}
      <span>
        <TimeText at={session.startedAt} timeZone={timeZone} /> – <TimeText at={session.updatedAt} timeZone={timeZone} />
      </span>
      {session.redactions > 0 && <span className="text-warning">{session.redactions.toLocaleString('en-US')} secrets replaced</span>}
    </p>
    {models.length > 0 && (
      <p className="mt-1 flex flex-wrap gap-x-3 gap-y-1 text-xs">
        {models.map(({ name, cost }) => (
          <span key={name}>
            <StoreText text={name} />: <FigureText figure={cost} />
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
  const change = useAddress()
  const trpc = useTRPC()
  const { data, error, refetch } = useQuery(trpc.session.head.queryOptions({ id }))
  const view = VIEWS.find((known) => known.view === parameters.get('view'))?.view ?? 'conversation'
  const at = Number(parameters.get('at') ?? Number.NaN)

  const back = (
    <p className="mb-2 text-sm">
      <Link href={`/sessions${writeSelection({ ...selection, filter: {} })}`} prefetch={false} className="text-accent hover:underline">
        ← Sessions
      </Link>
    </p>
  )
  if (error !== null) {
    const isGone = error.data?.code === 'NOT_FOUND'
    return (
      <>
        {back}
        <Notice isAlert {...(isGone ? { title: 'There is no such session', text: 'It may have been deleted while this page was open.' } : failureOf(error))} action={{ label: 'Look again', run: () => void refetch() }} />
      </>
    )
  }
  if (data === undefined) return <OverviewLoading />
  const { session, total } = data
  return (
    <>
      {back}
      <PageHead title={<StoreText text={session.title} />} below={<Facts head={data} timeZone={timeZone} />} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Tiles>
          <Tile name="Cost" below={total.cost.notes[0] ?? ''}>
            <FigureText figure={total.cost} />
          </Tile>
          <Tile name="Caching saved" below="next to the price without it">
            <FigureText figure={total.saved} />
          </Tile>
          <Tile name="Cache hits" below="of all input tokens">
            <FigureText figure={total.cacheHit} />
          </Tile>
          <Tile name="Tokens" below={`${total.output.text} of them output`}>
            <FigureText figure={total.tokens} />
          </Tile>
          <Tile name="Messages" below={`with ${total.requests.text} requests`}>
            {session.messages.toLocaleString('en-US')}
          </Tile>
        </Tiles>
        <ContextChart id={id} timeZone={timeZone} />
        <section className="min-w-0 overflow-hidden rounded-xl border border-line bg-panel">
          <div role="group" aria-label="What is shown of the session" className="flex gap-1 border-b border-line px-2 pt-2 sm:px-3">
            {VIEWS.map(({ view: one, name }) => (
              <button
                key={one}
                type="button"
                aria-pressed={view === one}
                onClick={() => change({ view: one === 'conversation' ? undefined : one })}
                className="-mb-px border-b-2 border-transparent px-2.5 py-2 text-sm text-muted hover:text-ink aria-pressed:border-accent aria-pressed:font-medium aria-pressed:text-ink"
              >
                {name}
              </button>
            ))}
          </div>
          {view === 'conversation' && <Conversation id={id} count={session.entries} timeZone={timeZone} startAt={Number.isInteger(at) && at >= 0 && at < session.entries ? at : undefined} />}
          {view === 'requests' && <RequestTable id={id} timeZone={timeZone} />}
          {view === 'files' && <FileTable id={id} />}
        </section>
      </div>
    </>
  )
}
