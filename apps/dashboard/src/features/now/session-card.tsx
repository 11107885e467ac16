'use client'
/** A session at work. */
import Link from 'next/link'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { StoreText, visibleText } from '../../components/store-text.tsx'
import { timeText } from '../../components/time-text.tsx'
import { FigureText } from '../usage/figure-text.tsx'
import { counted } from '../usage/figure.ts'
import type { ContextView, Fill, NowSession } from './now-view.ts'
import { cacheText, spanText } from './time-left.ts'

const COLOUR: Readonly<Record<Fill, string>> = {
  ok: 'var(--accent)',
  filling: 'var(--warning)',
  full: 'var(--danger)',
}

/** How full the context is, as a bar with its text; that it is not known, for null. */
const Gauge = ({ context }: { readonly context: ContextView | null }) => (
  <div>
    <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
      <span className="text-muted">Context</span>
      {context === null ? (
        <span className="text-muted">not known until the next request</span>
      ) : (
        <span className="tabular-nums">
          <span className="font-medium" data-now="context">
            {context.percent}
          </span>{' '}
          <span className="text-muted">{context.text}</span>
        </span>
      )}
    </p>
    <svg aria-hidden="true" className="mt-1 h-2 w-full" viewBox="0 0 100 1" preserveAspectRatio="none">
      <rect width="100" height="1" fill="var(--sunken)" />
      {context !== null && <rect width={context.share * 100} height="1" fill={COLOUR[context.fill]} />}
    </svg>
    {context !== null && context.note !== '' && <p className="mt-0.5 text-xs text-muted">{context.note}</p>}
  </div>
)

interface FactProps {
  readonly name: string
  /** For tests, and for whoever reads the page by a program. */
  readonly id: string
  readonly below: ReactNode
  readonly children: ReactNode
}

/** A figure under its name, with a line below it; `id` is what tests know it by. */
const Fact = ({ name, id, below, children }: FactProps) => (
  <div className="min-w-0">
    <dt className="text-xs text-muted">{name}</dt>
    <dd className="text-lg font-semibold tabular-nums" data-now={id}>
      {children}
    </dd>
    <dd className="text-xs text-muted tabular-nums">{below}</dd>
  </div>
)

const WORDS = { tool: 'A tool runs', model: 'The model works', person: 'It is your turn' } as const

/** What it is doing: whose turn it is, and the tool that runs or ran last. Nothing if that is not known. */
const Doing = ({ activity, now }: { readonly activity: NowSession['activity']; readonly now: number }) => {
  if (activity === null) return null
  const { state, call } = activity
  return (
    <p className="text-sm [overflow-wrap:anywhere]" data-doing={state}>
      <span className={state === 'person' ? 'font-medium text-warning' : 'font-medium text-accent'}>
        {WORDS[state]}
      </span>
      {call !== null && (
        <>
          <span className="text-muted">{state === 'tool' ? ': ' : '; last '}</span>
          <span data-now="tool">
            <StoreText text={call.name} />
          </span>{' '}
          {call.about !== '' && (
            <code className="font-mono text-xs text-muted">
              <StoreText text={call.about} />
            </code>
          )}
          {call.subagent !== null && (
            <span className="text-muted">
              {' '}
              by the subagent <StoreText text={call.subagent} />
            </span>
          )}
          {state === 'tool' && call.at !== null && (
            <span className="text-muted tabular-nums"> for {spanText(now - call.at)}</span>
          )}
        </>
      )}
    </p>
  )
}

/** How long the provider's cache still holds, as of `now` in ms. A dash if nothing is known to be cached. */
const Cache = ({ cache, now }: Pick<NowSession, 'cache'> & { readonly now: number }) => {
  if (cache === null)
    return (
      <Fact name="Cache" id="cache" below="nothing is known to be cached">
        –
      </Fact>
    )
  const { text, below } = cacheText(cache.expiresAt, now)
  return (
    <Fact name="Cache" id="cache" below={`${below}, ${cache.text}`}>
      <span className={cache.expiresAt <= now ? 'text-warning' : undefined}>{text}</span>
    </Fact>
  )
}

/** How the month's budget stands, in a word, and what is spent of it; "–" if none is set. */
const Budget = ({ budget }: Pick<NowSession, 'budget'>) => (
  <Fact
    name="Budget"
    id="budget"
    below={
      budget === null
        ? 'none is set'
        : `${budget.spent} of ${budget.limit} in ${budget.month}, ${budget.project === null ? 'all projects' : 'this project'}`
    }
  >
    {budget === null ? '–' : budget.word}
  </Fact>
)

interface SessionCardProps {
  readonly session: NowSession
  /** ms. */
  readonly now: number
  readonly timeZone: string | undefined
}

interface CardHeadProps extends SessionCardProps {
  readonly nameId: string
}

/** What the session is called and belongs to, and when it was written to. */
const CardHead = ({ session, now, timeZone, nameId }: CardHeadProps) => {
  const { id, title, agent, project, workspace, branch, model, updatedAt } = session
  return (
    <div>
      <h2 id={nameId} className="text-base leading-tight font-semibold [overflow-wrap:anywhere]">
        <Link
          href={`/sessions/${encodeURIComponent(id)}`}
          prefetch={false}
          className="underline-offset-4 hover:underline"
        >
          <StoreText text={title} />
        </Link>
      </h2>
      <p className="mt-1 flex flex-wrap gap-x-3 text-xs text-muted">
        <span title={visibleText(workspace ?? '')}>
          <StoreText text={project} />
          {branch !== null && (
            <>
              {' '}
              (<StoreText text={branch} />)
            </>
          )}
        </span>
        <span>
          <StoreText text={agent} />
        </span>
        <span data-now="model">
          <StoreText text={model} />
        </span>
        <span title={timeText(updatedAt, timeZone, true)}>written to {spanText(now - updatedAt)} ago</span>
      </p>
    </div>
  )
}

/** A session with its gauge and its figures, and the way to its page. */
export const SessionCard = ({ session, now, timeZone }: SessionCardProps) => {
  const { id, requests, cost, anHour, activity, context, cache, budget } = session
  const nameId = useId()
  return (
    <article
      aria-labelledby={nameId}
      data-live={id}
      className="grid content-start gap-3 rounded-xl border border-line bg-panel px-4 py-4 sm:px-5"
    >
      <CardHead session={session} now={now} timeZone={timeZone} nameId={nameId} />
      <Doing activity={activity} now={now} />
      <Gauge context={context} />
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4">
        <Fact name="Cost so far" id="cost" below={counted(requests, 'request')}>
          <FigureText figure={cost} />
        </Fact>
        <Fact name="An hour" id="hour" below={anHour === '–' ? 'not known yet' : 'at the last half hour’s pace'}>
          {anHour}
        </Fact>
        <Cache cache={cache} now={now} />
        <Budget budget={budget} />
      </dl>
    </article>
  )
}
