'use client'
/** How the store fared in the last day, its last backup, what was cleaned up, and what takes the space. */
import { replicaLagText } from '@cairn/core'
import type { HealthPart, HealthTrendPoint } from '@cairn/core'
import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import type { ReactNode } from 'react'
import { bytesText } from '../../components/bytes-text.ts'
import { Notice } from '../../components/notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Panel } from '../../components/panel.tsx'
import { CommandLine } from '../../components/command-line.tsx'
import { StoreText } from '../../components/store-text.tsx'
import { TableLoading } from '../../components/table-loading.tsx'
import { Tile, Tiles } from '../../components/tile.tsx'
import { TimeText } from '../../components/time-text.tsx'
import type { AppRouter } from '../../trpc/app-router.ts'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { useSelection } from '../selection/use-selection.ts'
import { Backups } from './backups-panel.tsx'
import { msText, shareText } from './figures.ts'
import { Secrets, Skipped, StoreContent } from './store-panels.tsx'

const HOURS = 24

type HealthAnswer = inferRouterOutputs<AppRouter>['health']['report']
const CELL = 'px-2 py-1.5 text-right tabular-nums whitespace-nowrap last:pr-4 sm:last:pr-5'
const HEAD = 'py-1.5 pr-2 pl-4 text-left font-normal sm:pl-5'

const PARTS: Readonly<
  Record<
    HealthPart['name'],
    { readonly name: string; readonly text: (value: number) => string; readonly below: string }
  >
> = {
  writes: { name: 'Writes', text: msText, below: '95 % of acknowledged writes took no longer' },
  failures: { name: 'Failed writes', text: shareText, below: 'of all writes lately' },
  caches: { name: 'In memory', text: shareText, below: 'of what was needed again' },
  heap: { name: 'Heap', text: shareText, below: 'of what it may grow to' },
}

/** A part of the health's score: its figure, points and weight. */
const PartTile = ({ part }: { readonly part: HealthPart }) => {
  const { name, text, below } = PARTS[part.name]
  return (
    <Tile
      name={name}
      below={below}
      change={`${Math.round(part.score * 100)} of 100, ${Math.round(part.weight * 100)} % of the score`}
    >
      {text(part.value)}
    </Tile>
  )
}

const countText = (count: number): string => count.toLocaleString('en-US')

/** Of a quarter of an hour; `–` for what was not measured. */
const COLUMNS: readonly { readonly name: string; readonly figure: (point: HealthTrendPoint) => string }[] = [
  { name: 'Writes', figure: ({ writes }) => countText(writes) },
  { name: 'Failed', figure: ({ failures }) => countText(failures) },
  { name: 'Half within', figure: ({ p50Ms }) => (p50Ms === null ? '–' : msText(p50Ms)) },
  { name: '95 % within', figure: ({ p95Ms }) => (p95Ms === null ? '–' : msText(p95Ms)) },
  { name: 'In memory', figure: ({ hitRate }) => (hitRate === null ? '–' : shareText(hitRate)) },
  { name: 'Heap', figure: ({ heapBytes }) => bytesText(heapBytes) },
  { name: 'Caches', figure: ({ cacheBytes }) => bytesText(cacheBytes) },
]

/** A quarter of an hour as a row. */
const TrendRow = ({ point, timeZone }: { readonly point: HealthTrendPoint; readonly timeZone: string | undefined }) => (
  <tr className="border-t border-line" data-key={point.at}>
    <th scope="row" className={`${HEAD} whitespace-nowrap`}>
      <TimeText at={point.at} timeZone={timeZone} />
    </th>
    {COLUMNS.map(({ name, figure }) => (
      <td key={name} className={CELL} data-measure={name}>
        {figure(point)}
      </td>
    ))}
  </tr>
)

/** Quarters of an hour, newest first. */
const Trend = ({
  trend,
  timeZone,
}: {
  readonly trend: readonly HealthTrendPoint[]
  readonly timeZone: string | undefined
}) => (
  <Panel title="By quarter of an hour" aside="the last day, newest first">
    <div
      className="sideways mt-2 max-h-96 overflow-auto pb-2 outline-offset-[-2px]"
      tabIndex={0}
      role="region"
      aria-label="Table of quarters of an hour"
    >
      <table className="w-full text-sm" data-table="quarters">
        <caption className="sr-only">By quarter of an hour, newest first</caption>
        <thead className="text-xs text-muted">
          <tr>
            <th scope="col" className={HEAD}>
              From
            </th>
            {COLUMNS.map(({ name }) => (
              <th key={name} scope="col" className={`${CELL} font-normal`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {trend.toReversed().map((point) => (
            <TrendRow key={point.at} point={point} timeZone={timeZone} />
          ))}
        </tbody>
      </table>
    </div>
  </Panel>
)

interface NamedFigure {
  readonly name: string
  readonly figure: string
}

/** Named figures as a table under a title; `name` is what tests know it by. */
const FigureTable = ({
  name: table,
  title,
  aside,
  rows,
}: {
  readonly name: string
  readonly title: string
  readonly aside: ReactNode
  readonly rows: readonly NamedFigure[]
}) => (
  <Panel title={title} aside={aside}>
    <div className="mt-2 pb-2">
      <table className="w-full text-sm" data-table={table}>
        <caption className="sr-only">{title}</caption>
        <tbody>
          {rows.map(({ name, figure }) => (
            <tr key={name} className="border-t border-line" data-key={name}>
              <th scope="row" className={HEAD}>
                <StoreText text={name} />
              </th>
              <td className={CELL} data-measure="figure">
                {figure}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </Panel>
)

const TABLES_NAMED = 10

/** The largest tables by name, and what all others take together. Sizes are sorted by the caller, largest first. */
const Tables = ({ sizes, totalBytes }: { readonly sizes: HealthAnswer['sizes']; readonly totalBytes: number }) => {
  const others = sizes.slice(TABLES_NAMED)
  const rows = sizes.slice(0, TABLES_NAMED).map(({ name, bytes }) => ({ name, figure: bytesText(bytes) }))
  const rest = others.reduce((sum, { bytes }) => sum + bytes, 0)
  return (
    <FigureTable
      name="sizes"
      title="Tables with their indexes"
      aside={
        <>
          the store takes <span data-total="Size">{bytesText(totalBytes)}</span>
        </>
      }
      rows={
        others.length === 0
          ? rows
          : [...rows, { name: `${others.length} smaller ones together`, figure: bytesText(rest) }]
      }
    />
  )
}

const CACHE_COLUMNS = [
  { name: 'From memory', hint: 'Asked for and in memory', figure: ({ hits }: CacheUse) => countText(hits) },
  { name: 'From disk', hint: 'Asked for and read from the store', figure: ({ misses }: CacheUse) => countText(misses) },
  {
    name: 'Read again',
    hint: 'Of what was read from the store: what had been in memory before',
    figure: ({ repeats }: CacheUse) => countText(repeats),
  },
  {
    name: 'Promoted',
    hint: 'Used again, and held for longer than what is read once',
    figure: ({ promotions }: CacheUse) => countText(promotions),
  },
  {
    name: 'Dropped',
    hint: 'Let go to make space for others, or too large to be kept',
    figure: ({ evictions, refusals }: CacheUse) => countText(evictions + refusals),
  },
  {
    name: 'Held',
    hint: 'The most that a program held, as it was measured',
    figure: ({ bytes }: CacheUse) => bytesText(bytes),
  },
] as const

type CacheUse = HealthAnswer['health']['caches'][number]

/** The table of caches, or that nothing was asked of them. */
const Caches = ({ caches, budgetBytes }: Pick<HealthAnswer['health'], 'caches' | 'budgetBytes'>) => (
  <Panel title="Caches" aside={`a program may keep up to ${bytesText(budgetBytes)} in memory`}>
    {caches.length === 0 ? (
      <p className="px-4 py-3 text-sm text-muted sm:px-5">Nothing was asked of them.</p>
    ) : (
      <div
        className="sideways mt-2 overflow-x-auto pb-2 outline-offset-[-2px]"
        tabIndex={0}
        role="region"
        aria-label="Table of caches"
      >
        <table className="w-full text-sm" data-table="caches">
          <caption className="sr-only">Caches</caption>
          <thead className="text-xs text-muted">
            <tr>
              <th scope="col" className={HEAD}>
                Of
              </th>
              {CACHE_COLUMNS.map(({ name, hint }) => (
                <th key={name} scope="col" title={hint} className={`${CELL} font-normal max-xl:whitespace-normal`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {caches.map((cache) => (
              <tr key={cache.name} className="border-t border-line" data-key={cache.name}>
                <th scope="row" className={HEAD}>
                  <StoreText text={cache.name} />
                </th>
                {CACHE_COLUMNS.map(({ name, figure }) => (
                  <td key={name} className={CELL} data-measure={name}>
                    {figure(cache)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </Panel>
)

/** When the last clean-up was, and what it removed. */
const CleanUp = ({ cleanUp, timeZone }: Pick<HealthAnswer, 'cleanUp'> & { readonly timeZone: string | undefined }) => (
  <Panel
    title="Last clean-up"
    {...(cleanUp === null ? {} : { aside: <TimeText at={cleanUp.at} timeZone={timeZone} /> })}
  >
    <div className="px-4 py-3 text-sm text-muted sm:px-5">
      {cleanUp === null ? (
        <>
          <p>There was none yet. This shows what killed processes and deletions left behind, and removes nothing:</p>
          <CommandLine command="cairn cleanup --dry-run" />
        </>
      ) : (
        <>
          <p>{cleanUp.rows.length === 0 ? 'Nothing was removed.' : 'Removed:'}</p>
          <ul className="mt-1 grid gap-0.5" data-table="cleanup">
            {cleanUp.rows.map(({ kind, removed, reason }) => (
              <li key={`${kind} ${reason}`} className="[overflow-wrap:anywhere]" data-key={`${kind} ${reason}`}>
                <span className="text-ink tabular-nums">
                  <span data-measure="removed">{countText(removed)}</span> ×{' '}
                  <StoreText text={kind.replaceAll('-', ' ')} />
                </span>
                : <StoreText text={reason} />
              </li>
            ))}
          </ul>
          {cleanUp.problems.map(({ source, message }) => (
            <p key={source} className="mt-1 text-warning [overflow-wrap:anywhere]">
              Not done: <StoreText text={message} />
            </p>
          ))}
        </>
      )}
    </div>
  </Panel>
)

/** Failed writes by the error's code; nothing where there was none. */
const Failures = ({ failures }: { readonly failures: Readonly<Record<string, number>> }) => {
  const rows = Object.entries(failures).map(([name, count]) => ({ name, figure: count.toLocaleString('en-US') }))
  return (
    rows.length > 0 && (
      <FigureTable name="failures" title="Failed writes" aside="in the last day, by their code" rows={rows} />
    )
  )
}

/**
 * The page `/health`: the score with its parts, the last backup, sizes, caches, the last clean-up, failures and the
 * trend; a notice where it can't be read.
 */
export const Health = () => {
  const trpc = useTRPC()
  const { selection, browserZone } = useSelection()
  const timeZone = selection.zone ?? browserZone
  const { data, error, refetch } = useQuery(trpc.health.report.queryOptions({ hours: HOURS }))
  if (error !== null)
    return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
  if (data === undefined) return <TableLoading rows={8} />
  const { health, replica, backups, cleanUp, sizes, statistics, skips, skipCount } = data
  return (
    <>
      <PageHead
        title="Health"
        below="How quickly and reliably the store worked in the last day, as all programs measured it; what is an hour old counts half. cairn doctor checks its content."
      />
      <div className="space-y-4">
        {replica !== null && (
          <p role="status" className="text-sm text-muted" data-replica="">
            This is a replica of the store, {replicaLagText(replica)}.
          </p>
        )}
        <Tiles>
          <Tile
            name="Score"
            below={
              health.score === null
                ? 'nothing was measured'
                : 'of 100, made of the figures beside it; backups and what imports left out do not count'
            }
          >
            {health.score ?? '–'}
          </Tile>
          {health.parts.map((part) => (
            <PartTile key={part.name} part={part} />
          ))}
        </Tiles>
        <div className="grid gap-4 lg:grid-cols-2">
          <div className="grid content-start gap-4">
            <Backups backups={backups} timeZone={timeZone} />
            <Tables sizes={sizes} totalBytes={statistics.totalBytes} />
            <Caches caches={health.caches} budgetBytes={health.budgetBytes} />
          </div>
          <div className="grid content-start gap-4">
            <StoreContent statistics={statistics} />
            <Secrets replaced={statistics.redactions} />
            <CleanUp cleanUp={cleanUp} timeZone={timeZone} />
            <Failures failures={health.failures} />
            <Skipped skips={skips} count={skipCount} />
          </div>
        </div>
        <Trend trend={health.trend} timeZone={timeZone} />
      </div>
    </>
  )
}
