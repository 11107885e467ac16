'use client'
/** Shown instead of an empty period: a way to a period with usage. Who chose no period is taken there at once. */
import { DAY_MS } from '@cairn/core'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { Notice } from '../../components/notice.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { isLanding, landOn, landedOn } from './landing.ts'
import { OverviewLoading } from '../overview/loading.tsx'
import { PERIOD_NAMES } from '../selection/period-names.ts'
import { longLabel } from '../overview/time-axis.ts'
import { DEFAULT_PERIOD } from '../selection/selection.ts'
import type { Period } from '../selection/selection.ts'
import type { SelectionState } from '../selection/use-selection.ts'
import { useSelectionInput } from '../selection/use-selection-input.ts'

/** A period's name within a sentence: `the last 30 days`, `all time`. */
const inWords = (period: keyof typeof PERIOD_NAMES): string =>
  PERIOD_NAMES[period].long.toLowerCase().replace(/^last/, 'the last')

interface OtherPeriodProps {
  readonly state: SelectionState
  /** The heading where another period is offered: `Nothing in this period`. */
  readonly title: string
  /**
   * What is not in the period: `No request to a model falls in it.`; the day of the latest request is put behind it.
   */
  readonly text: string
  /** Where no period has anything. */
  readonly nothing: ReactNode
}

/** ` The latest was on Saturday, November 21, 2026.`; '' where nothing was recorded at all. */
const latestText = (day: string | null): string =>
  day === null ? '' : ` The latest was on ${longLabel('day', Date.parse(`${day}T00:00:00Z`) / DAY_MS)}.`

/**
 * While `moves`, notes the period as the page's own choice (`landOn`), after which `isLanding` is false, and writes it
 * into the address without a step of the browser's history; other parameters stay. Does nothing without a period.
 */
const useLanding = (period: Period | undefined, moves: boolean): void => {
  useEffect(() => {
    if (!moves || period === undefined) return
    landOn(period)
    const next = new URLSearchParams(window.location.search)
    next.set('period', period)
    window.history.replaceState(null, '', `${window.location.pathname}?${next.toString()}`)
  }, [moves, period])
}

/**
 * Says that the period is empty and offers one with usage; goes there at once where the address names no period and
 * nothing was chosen since the page was loaded. `nothing` is shown where there is no usage to offer, or that can't be
 * found out. Grey blocks until that is known.
 */
export const OtherPeriod = ({ state, title, text, nothing }: OtherPeriodProps) => {
  const { selection, select } = state
  const parameters = useSearchParams()
  const input = useSelectionInput(state)
  const trpc = useTRPC()
  const { data, error } = useQuery(trpc.usage.latest.queryOptions(input ?? skipToken))
  const isBare = ['period', 'from', 'to'].every((name) => (parameters.get(name) ?? '') === '')
  const period = data?.period ?? undefined
  const moves = isBare && isLanding() && period !== undefined && period !== selection.period
  useLanding(period, moves)
  if (moves || (data === undefined && error === null)) return <OverviewLoading />
  if (period === undefined || (period === selection.period && isBare)) return nothing
  return (
    <Notice
      title={title}
      text={`${text}${latestText(data?.day ?? null)}`}
      action={{
        label: `Show ${inWords(period)}`,
        run: () => select({ period, from: undefined, to: undefined }),
      }}
    />
  )
}

/** Says that a period was chosen in place of the default, while it is shown; nothing otherwise. */
export const LandingNote = ({ state: { selection } }: { readonly state: SelectionState }) =>
  landedOn() === selection.period && selection.from === undefined && selection.to === undefined ? (
    <p role="status" className="mb-4 text-sm text-muted">
      There is nothing in {inWords(DEFAULT_PERIOD)}; this is {inWords(selection.period)}.
    </p>
  ) : null
