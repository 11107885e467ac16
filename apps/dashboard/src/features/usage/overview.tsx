'use client'
/** The overview: where tokens and money went in a period. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useEffect } from 'react'
import type { UsagePeriod } from '@cairn/core'
import { FaultBoundary } from '../../components/fault-boundary.tsx'
import { Notice } from '../../components/notice.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { useLiveStore } from '../live/use-live-store.ts'
import { Controls } from './controls.tsx'
import { failureOf } from './failure.ts'
import { ChartsLoading, OverviewLoading } from './loading.tsx'
import type { OverviewView } from './overview-view.ts'
import { StepTable } from './step-table.tsx'
import { TotalTiles } from './total-tiles.tsx'
import { UsageTable } from './usage-table.tsx'
import { useSelection } from './use-selection.ts'
import type { SelectionState } from './use-selection.ts'

const loadCharts = () => import('./charts.tsx').then((module) => module.Charts)
const Charts = dynamic(loadCharts, { ssr: false, loading: ChartsLoading })

/** Midnight moves the period, also when nothing was written; ms. */
const REFRESH_MS = 60_000

const STEP_NAMES: Readonly<Record<UsagePeriod, string>> = { day: 'by day', week: 'by week', month: 'by month' }

export const Overview = () => {
  const state = useSelection()
  const isLive = useLiveStore()
  useEffect(() => {
    // While the numbers are on their way. What fails here is told where the charts would stand.
    loadCharts().catch(() => undefined)
  }, [])
  return (
    <div className="mx-auto grid max-w-7xl gap-4 px-3 py-4 sm:px-6 sm:py-6">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex items-center gap-3">
          <Mark />
          <div>
            <h1 className="text-lg leading-tight font-semibold">Overview</h1>
            <p className="flex items-center gap-1.5 text-xs text-muted">
              <span aria-hidden="true" className={`size-1.5 rounded-full ${isLive ? 'bg-accent' : 'bg-danger'}`} />
              {isLive ? 'Live: new imports appear by themselves' : 'Not connected'}
            </p>
          </div>
        </div>
        <Controls {...state} />
      </header>
      <main className="grid gap-4">
        <Numbers {...state} />
      </main>
    </div>
  )
}

const Mark = () => (
  <svg aria-label="Cairn" role="img" className="size-9" viewBox="0 0 32 32">
    <ellipse cx="16" cy="25.5" rx="12" ry="4.5" fill="var(--muted)" />
    <ellipse cx="15.2" cy="17.2" rx="8.6" ry="3.8" fill="var(--muted)" opacity="0.65" />
    <ellipse cx="16.4" cy="10" rx="5.6" ry="3.2" fill="var(--accent)" />
  </svg>
)

const Numbers = ({ selection, browserZone, select }: SelectionState) => {
  const trpc = useTRPC()
  const timeZone = selection.zone ?? browserZone
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.usage.overview.queryOptions(
      { period: selection.period, timeZone: timeZone ?? 'UTC' },
      { enabled: timeZone !== undefined, placeholderData: keepPreviousData, refetchInterval: REFRESH_MS },
    ),
  )
  if (error !== null) {
    // Numbers that were shown may be wrong by now.
    return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
  }
  if (data === undefined) return <OverviewLoading />
  if (data.isEmpty) {
    return selection.period === 'all' ? (
      <Notice title="Nothing has been recorded yet" text="Import what your coding agents did; this page shows it as soon as it is there." command="cairn import" />
    ) : (
      <Notice title="Nothing in this period" text="No request to a model falls in it." action={{ label: 'Show all time', run: () => select({ period: 'all' }) }} />
    )
  }
  return <Shown view={data} isStale={isPlaceholderData} />
}

const Shown = ({ view, isStale }: { readonly view: OverviewView; readonly isStale: boolean }) => (
  <div aria-busy={isStale} className={`grid gap-4 transition-opacity ${isStale ? 'opacity-60' : ''}`}>
    <TotalTiles {...view} />
    {view.remarks.length > 0 && (
      <ul className="grid gap-1 rounded-xl border border-line border-l-4 border-l-warning bg-panel px-4 py-2.5 text-sm text-muted">
        {view.remarks.map((remark) => (
          <li key={remark}>{remark}</li>
        ))}
      </ul>
    )}
    <FaultBoundary fallback={<Notice title="The charts can’t be drawn" text="All of their numbers stand in the table below. Load the page again to try once more." />}>
      <Charts points={view.points} stepName={STEP_NAMES[view.step]} />
    </FaultBoundary>
    <StepTable points={view.points} stepName={STEP_NAMES[view.step]} />
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <UsageTable title="By model" dimension="Model" table={view.models} />
      <UsageTable title="By project" dimension="Project" table={view.projects} />
    </div>
  </div>
)
