'use client'
/**
 * A session under another context policy: how large its context would have been, what would have left it and why, and
 * what that would have cost. Nothing is replayed before somebody opens it; the address has the choice.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { usePathname, useSearchParams } from 'next/navigation'
import { useId } from 'react'
import { Notice } from '../../components/notice.tsx'
import { visibleText } from '../../components/store-text.tsx'
import { useUrlState } from '../../components/use-url-state.ts'
import { useTRPC } from '../../trpc/client.tsx'
import { DEFAULT_CHOICE, readReplayAddress, writeReplayChoice } from './choice.ts'
import type { ReplayChoice } from './choice.ts'
import { ReplayChart } from './replay-chart.tsx'
import { ReplayControls } from './replay-controls.tsx'
import { replayFailure } from './replay-failure.ts'
import { ReplayRemovals } from './replay-removals.tsx'
import { ReplayTables } from './replay-tables.tsx'
import { PaidText, ReplayTiles } from './replay-tiles.tsx'
import type { ReplayView } from './replay-view.ts'
import { progressText } from './progress.ts'

interface ReplayPanelProps {
  readonly id: string
  readonly timeZone: string | undefined
  /** Brings the conversation into view at an entry. */
  readonly showEntry: (entry: number) => void
}

/** How often a session that goes on is asked for again, ms; the server replays it no more often. */
const AGAIN_MS = 10_000
const PROGRESS_MS = 250

/**
 * A folded panel in which a session is replayed; the address says whether it is open and what was chosen in it. Nothing
 * is replayed while it is folded. Folding forgets the choice; another choice closes the rewrite that was looked at.
 */
export const ReplayPanel = (props: ReplayPanelProps) => {
  const { choice, mistakes } = readReplayAddress(useSearchParams())
  const change = useUrlState()
  const titleId = useId()
  const bodyId = useId()
  const isOpen = choice !== undefined
  const toggle = (): void =>
    change(
      isOpen
        ? { policy: undefined, preset: undefined, window: undefined, rewrite: undefined }
        : writeReplayChoice(DEFAULT_CHOICE),
    )
  return (
    <section aria-labelledby={titleId} className="min-w-0 rounded-xl border border-line bg-panel">
      <h2 id={titleId} className="text-sm font-semibold">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? bodyId : undefined}
          onClick={toggle}
          className="flex w-full items-center gap-2 rounded-xl px-4 py-3.5 text-left sm:px-5"
        >
          <svg
            aria-hidden="true"
            viewBox="0 0 10 10"
            className={`size-2.5 shrink-0 transition-transform ${isOpen ? 'rotate-90' : ''}`}
          >
            <path d="M3 1l4 4-4 4" fill="none" stroke="currentColor" strokeWidth="1.5" />
          </svg>
          Under another policy
        </button>
      </h2>
      {choice !== undefined && (
        <div id={bodyId} className="pb-1">
          {mistakes.length > 0 && (
            <p role="alert" className="px-4 text-sm [overflow-wrap:anywhere] sm:px-5">
              <bdi>{visibleText(mistakes.join(' '))}</bdi>
            </p>
          )}
          <ReplayControls
            choice={choice}
            change={(next) => change({ ...writeReplayChoice(next), rewrite: undefined })}
          />
          <Replay {...props} choice={choice} />
        </div>
      )}
    </section>
  )
}

type ReplayProps = ReplayPanelProps & { readonly choice: ReplayChoice }

/**
 * Has the session replayed under the chosen policy, and shows how far that is, what came of it, or why nothing did.
 * While another choice is replayed, the former stays, greyed.
 */
const Replay = (props: ReplayProps) => {
  const { id, choice } = props
  const trpc = useTRPC()
  const { data, error, isPlaceholderData, refetch } = useQuery(
    trpc.replay.run.queryOptions(
      { id, ...choice },
      {
        placeholderData: keepPreviousData,
        trpc: { abortOnUnmount: true },
        staleTime: AGAIN_MS,
        refetchInterval: ({ state }) => (state.data?.isCurrent === false ? AGAIN_MS : false),
      },
    ),
  )
  if (error !== null)
    return <Notice isAlert {...replayFailure(error)} action={{ label: 'Try again', run: () => void refetch() }} />
  return (
    <>
      {(data === undefined || isPlaceholderData) && <ReplayProgress id={id} choice={choice} />}
      {data !== undefined && data.requests === 0 && (
        <Notice title="There is nothing to replay" text="This session holds no reply of a model." />
      )}
      {data !== undefined && data.requests > 0 && <Replayed {...props} view={data} isStale={isPlaceholderData} />}
    </>
  )
}

/**
 * The numbers of a replay, its chart, the chosen rewrite and the tables. The chosen rewrite only while the replay is
 * that of the choice.
 */
const Replayed = ({
  id,
  timeZone,
  showEntry,
  choice,
  view,
  isStale,
}: ReplayProps & {
  readonly view: ReplayView
  /** Another choice is being replayed. */
  readonly isStale: boolean
}) => {
  const path = usePathname()
  const parameters = useSearchParams()
  const change = useUrlState()
  const { rewrite } = readReplayAddress(parameters)
  const choose = (request: number | undefined): void =>
    change({ rewrite: request === undefined ? undefined : String(request) })
  const hrefOf = (entry: number): string => {
    const next = new URLSearchParams(parameters)
    for (const name of ['view', 'page', 'sort', 'order', 'find']) next.delete(name)
    next.set('at', String(entry))
    return `${path}?${next.toString()}`
  }
  return (
    <div aria-busy={isStale} className={isStale ? 'opacity-60' : undefined}>
      <ReplayTiles view={view} />
      <PaidText view={view} />
      <ReplayChart view={view} timeZone={timeZone} chosen={rewrite} choose={choose} />
      {rewrite !== undefined && !isStale && (
        <ReplayRemovals
          id={id}
          choice={choice}
          view={view}
          request={rewrite}
          choose={choose}
          hrefOf={hrefOf}
          goTo={showEntry}
        />
      )}
      <ul className="mt-3 px-4 text-xs text-muted sm:px-5">
        {view.settings.map((setting) => (
          <li key={setting} className="[overflow-wrap:anywhere]">
            <bdi>{visibleText(setting)}</bdi>
          </li>
        ))}
      </ul>
      <ReplayTables view={view} timeZone={timeZone} choose={choose} />
    </div>
  )
}

/** How many requests have been replayed so far. Until that is known, that the session is read. */
const ReplayProgress = ({ id, choice }: { readonly id: string; readonly choice: ReplayChoice }) => {
  const trpc = useTRPC()
  const { data } = useQuery(
    trpc.replay.progress.queryOptions({ id, ...choice }, { refetchInterval: PROGRESS_MS, staleTime: 0 }),
  )
  return (
    <div className="px-4 py-4 sm:px-5">
      {/* The number changes often; that it has begun is told once. */}
      <p role="status" className="sr-only">
        Replaying the session…
      </p>
      <p aria-hidden="true" className="text-sm text-muted tabular-nums">
        {data == null ? 'Reading the session…' : progressText(data)}
      </p>
      <progress
        aria-label="Replay of the session"
        className="mt-2 block h-1.5 w-full max-w-md accent-accent"
        max={data == null ? 1 : data.total * data.passes.length}
        {...(data == null ? {} : { value: data.total * data.pass + data.done })}
      />
    </div>
  )
}
