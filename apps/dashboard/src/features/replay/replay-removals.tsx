'use client'
/** What left before one request: grouped by kind, with why, what it saves and costs, and the way to each block. */
import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { MouseEvent } from 'react'
import { StoreText } from '../../components/store-text.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { counted } from '../usage/figure.ts'
import type { ReplayChoice } from './choice.ts'
import { replayFailure } from './replay-failure.ts'
import type { RemovalGroup, RemovalView, RemovalsView, ReplayView } from './replay-view.ts'

const BUTTON = 'rounded-md border border-line bg-panel px-2.5 py-1 text-sm hover:bg-sunken'

const whole = (count: number): string => count.toLocaleString('en-US')

interface RemovalProps {
  readonly removal: RemovalView
  /** The address of an entry in the conversation. */
  readonly hrefOf: (entry: number) => string
  readonly goTo: (entry: number) => void
}

/**
 * One block: where it is in the conversation, what happened to it, and why. Its number is a link: a click calls `goTo`,
 * one with Ctrl, Cmd or Shift is the browser's.
 */
const Removal = ({ removal: { entry, target, path, why, what, savedTokens }, hrefOf, goTo }: RemovalProps) => {
  // In a tab of its own where that is asked for.
  const go = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    goTo(entry)
  }
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 border-t border-line py-1.5 text-sm">
      <a
        href={hrefOf(entry)}
        onClick={go}
        aria-label={`#${whole(entry)} in the conversation`}
        className="text-accent tabular-nums underline underline-offset-4"
      >
        #{whole(entry)}
      </a>
      {path !== null && (
        <span className="min-w-0 font-mono text-xs [overflow-wrap:anywhere]">
          <StoreText text={path} />
        </span>
      )}
      <span className="min-w-0 text-muted">
        {what}: <StoreText text={why} />
      </span>
      <span
        className="hidden min-w-0 font-mono text-xs text-muted [overflow-wrap:anywhere] lg:inline"
        title="What to name it by to bring it back"
      >
        <StoreText text={target} />
      </span>
      <span className="ml-auto whitespace-nowrap tabular-nums">{whole(savedTokens)} tokens</span>
    </li>
  )
}

/** The blocks of one kind, with what they took. */
const Group = ({
  group: { name, blocks, savedTokens, removals },
  ...way
}: { readonly group: RemovalGroup } & Omit<RemovalProps, 'removal'>) => (
  <section className="not-first:mt-4">
    <h4 className="flex flex-wrap justify-between gap-x-3 pb-1 text-sm font-medium">
      {name}
      <span className="font-normal text-muted tabular-nums">
        {counted(blocks, 'block')}, {whole(savedTokens)} tokens
      </span>
    </h4>
    <ul>
      {removals.map((removal) => (
        <Removal key={`${removal.entry}.${removal.block}`} removal={removal} {...way} />
      ))}
    </ul>
  </section>
)

interface ReplayRemovalsProps extends Omit<RemovalProps, 'removal'> {
  readonly id: string
  readonly choice: ReplayChoice
  readonly view: ReplayView
  /** From 1. */
  readonly request: number
  readonly choose: (request: number | undefined) => void
}

/** What happened, how to undo it, and the blocks that left. */
const Removals = ({ view, ...way }: { readonly view: RemovalsView } & Omit<RemovalProps, 'removal'>) => (
  <>
    {view.rewrites.map(({ trigger, tokensBefore, tokensAfter, sums }, index) => (
      <p key={index} className="mt-2 max-w-[90ch] text-sm text-muted">
        <StoreText text={trigger} /> {whole(tokensBefore)} tokens of messages became {whole(tokensAfter)}.{' '}
        {sums.join(' ')}
      </p>
    ))}
    <p className="mt-2 max-w-[90ch] text-sm text-muted">To get it back: {view.restore}</p>
    <div tabIndex={0} role="region" aria-label="What left, by kind" className="mt-2 max-h-[60vh] overflow-y-auto pr-2">
      {view.groups.map((group) => (
        <Group key={group.name} group={group} {...way} />
      ))}
    </div>
    {view.more > 0 && <p className="mt-3 text-sm text-muted">And {counted(view.more, 'smaller block')}, not listed.</p>}
  </>
)

/**
 * Buttons to the rewrites before and after a request, as far as there are such, and to close; `choose` is called with
 * undefined for that.
 */
const RewriteButtons = ({
  view: { rewrites },
  request,
  choose,
}: Pick<ReplayRemovalsProps, 'view' | 'request' | 'choose'>) => {
  const before = rewrites.findLast((one) => one.request < request)?.request
  const after = rewrites.find((one) => one.request > request)?.request
  return (
    <>
      {before !== undefined && (
        <button type="button" className={BUTTON} onClick={() => choose(before)}>
          Previous rewrite
        </button>
      )}
      {after !== undefined && (
        <button type="button" className={BUTTON} onClick={() => choose(after)}>
          Next rewrite
        </button>
      )}
      <button type="button" className={BUTTON} onClick={() => choose(undefined)}>
        Close
      </button>
    </>
  )
}

/**
 * What left before one request, with the ways to the rewrites before and after it; a sentence where nothing did, or it
 * can't be told.
 */
export const ReplayRemovals = ({ id, choice, view, request, choose, ...way }: ReplayRemovalsProps) => {
  const trpc = useTRPC()
  const isKnown = view.rewrites.some((one) => one.request === request)
  const { data, error } = useQuery(
    trpc.replay.removals.queryOptions(isKnown ? { id, ...choice, request } : skipToken, {
      staleTime: Infinity,
      trpc: { abortOnUnmount: true },
    }),
  )
  const heading = useRef<HTMLHeadingElement>(null)
  // Whoever chose a mark wants to read this next.
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) heading.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [request])
  return (
    <section
      aria-label={`What left before request ${whole(request)}`}
      className="mx-4 mt-2 rounded-lg border border-line bg-page px-4 py-3 sm:mx-5"
      data-removals={request}
    >
      <div className="flex flex-wrap items-center gap-2">
        <h3 ref={heading} tabIndex={-1} className="mr-auto text-sm font-semibold">
          Before request {whole(request)}
          {data != null && `: ${counted(data.blocks, 'block')} cut or taken out`}
        </h3>
        <RewriteButtons view={view} request={request} choose={choose} />
      </div>
      {!isKnown && <p className="mt-2 text-sm text-muted">Nothing was taken out before this request.</p>}
      {error !== null && (
        <p role="alert" className="mt-2 text-sm">
          {replayFailure(error).text}
        </p>
      )}
      {isKnown && error === null && data === undefined && (
        <p role="status" className="mt-2 text-sm text-muted">
          Looking up what left…
        </p>
      )}
      {data != null && <Removals view={data} {...way} />}
    </section>
  )
}
