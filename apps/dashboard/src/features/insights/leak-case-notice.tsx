'use client'
/** On a session's page that the case of a leak led to: why it opens here, what the case cost, and which request it is. */
import { skipToken, useQuery } from '@tanstack/react-query'
import { useTRPC } from '../../trpc/client.tsx'
import { CASE_TEXT, findCase, type FoundCase } from './leak-case.ts'

const BUTTON = 'mt-1 py-1 text-accent underline underline-offset-4'

interface LeakCaseNoticeProps {
  readonly id: string
  /** As the address names it. */
  readonly named: string
  /** Shows a request, by its number, in the table of all. */
  readonly showRequest: (request: number) => void
  readonly close: () => void
}

/** How long the pause was in which a case's cache was lost; undefined of other cases, and where it is not known. */
const usePause = (id: string, found: FoundCase | undefined): string | undefined => {
  const trpc = useTRPC()
  const seq = found?.leak.kind === 'pause' ? found.examples[0]?.seq : undefined
  const { data } = useQuery(
    trpc.session.timeline.queryOptions(typeof seq === 'number' ? { id } : skipToken, { staleTime: 10_000 }),
  )
  const pause = data?.marks.find((mark) => mark.seq === seq && mark.pause !== '')?.pause
  return typeof seq === 'number' ? pause : undefined
}

/** What happened at the request, and how long the pause was before it. Without `pause` only the former. */
const CaseText = ({
  kind,
  pause,
}: {
  readonly kind: FoundCase['leak']['kind']
  readonly pause: string | undefined
}) => (
  <p className="mt-1 max-w-prose">
    {CASE_TEXT[kind]}
    {pause !== undefined && (
      <>
        {' '}
        The pause before it: <span data-case-pause>{pause}</span>.
      </>
    )}
  </p>
)

/** The case that the address names, with what to do; or that it is not there any more. Nothing if it can't be read. */
export const LeakCaseNotice = ({ id, named, showRequest, close }: LeakCaseNoticeProps) => {
  const trpc = useTRPC()
  const { data, error } = useQuery(trpc.insights.session.queryOptions({ id }))
  const found = data === undefined ? undefined : findCase(named, data)
  const pause = usePause(id, found)
  if (error !== null) return null
  return (
    <section
      aria-label="Why this is shown"
      aria-busy={data === undefined}
      className="flex items-start gap-3 border-b border-line bg-accent/10 px-4 py-3 text-sm sm:px-5"
    >
      <div className="min-w-0 grow">
        {data === undefined && <p className="text-muted">Looking for the leak that led here…</p>}
        {data !== undefined && found === undefined && (
          <p>
            The leak that led here is not among the dearest of this session any more: it has grown, or was priced again.
          </p>
        )}
        {found !== undefined && (
          <>
            <h2 className="font-semibold">
              {found.leak.title}:{' '}
              <span className="tabular-nums" data-case-cost>
                {found.examples.map(({ cost }) => cost).join(' and ')}
              </span>
              <span className="font-normal text-muted">
                {' '}
                ({found.leak.certainty}) at request {found.request.toLocaleString('en-US')}
              </span>
            </h2>
            <CaseText kind={found.leak.kind} pause={pause} />
            {found.cause !== undefined && (
              <p className="mt-1 font-medium">
                {found.cause.title}
                {found.cause.certainty === 'likely' && <span className="font-normal text-muted"> (likely)</span>}
              </p>
            )}
            <p className="mt-1 max-w-prose text-muted">{(found.cause ?? found.leak).advice}</p>
            {found.examples[0]?.seq === null && <p className="mt-1">The log does not have its reply.</p>}
            <button type="button" onClick={() => showRequest(found.request)} className={BUTTON}>
              Its tokens, in the table of requests
            </button>
          </>
        )}
      </div>
      <button
        type="button"
        onClick={close}
        className="rounded-md border border-line bg-panel px-2.5 py-1 hover:bg-sunken"
      >
        Close
      </button>
    </section>
  )
}
