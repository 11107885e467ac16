'use client'
/** What was learnt, of a project or of all, the last confirmed first; each entry opens to its history and to what can be done. */
import { MEMORY_END_NAMES } from '@cairn/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { useId } from 'react'
import { CommandLine } from '../../components/command-line.tsx'
import { Notice } from '../../components/notice.tsx'
import { Pager } from '../../components/pager.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { StoreText, visibleText } from '../../components/store-text.tsx'
import { TableLoading } from '../../components/table-loading.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { usePage } from '../../components/use-page.ts'
import { useUrlState } from '../../components/use-url-state.ts'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { NothingFiltered } from '../selection/nothing-filtered.tsx'
import { useSelection } from '../selection/use-selection.ts'
import { EntryDetails } from './entry-details.tsx'
import { KINDS, kindName, percent, times } from './words.ts'
import type { EntriesAnswer } from './memory-query.ts'
import type { EntryView } from './memory-view.ts'
import { ENTRY_PAGE } from './page-sizes.ts'
import type { PartProps } from './parts.ts'

interface RowProps {
  readonly entry: EntryView
  readonly isOpen: boolean
  readonly isMixed: boolean
  readonly isWritable: boolean
  readonly timeZone: string | undefined
  readonly toggle: () => void
}

/** How sure it is, as a number and a bar. */
const Confidence = ({ share }: { readonly share: number }) => (
  <span className="inline-flex items-center gap-1.5 tabular-nums" data-confidence={share}>
    <span aria-hidden="true" className="inline-block h-1.5 w-12 overflow-hidden rounded-full bg-sunken">
      <span className="block h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
    </span>
    {percent(share)} sure
  </span>
)

/** Why an entry may be wrong, and what it cites. Empty without doubts and citations. */
const Doubts = ({ entry, timeZone }: Pick<RowProps, 'entry' | 'timeZone'>) => (
  <>
    {entry.contradictions > 0 && (
      <p className="mt-1 text-xs text-warning" data-contradicted={entry.contradictions}>
        contradicted {times(entry.contradictions)}
        {entry.contradictedAt !== null && (
          <>
            {entry.contradictions === 1 ? ', ' : ', last '}
            <TimeText at={entry.contradictedAt} timeZone={timeZone} />
          </>
        )}
      </p>
    )}
    {entry.stale.length > 0 && (
      <ul className="mt-1 grid gap-0.5 text-xs text-warning" aria-label="Out of date?">
        {entry.stale.map((citation) => (
          <li key={citation.place} className="[overflow-wrap:anywhere]">
            out of date? <StoreText text={`${citation.place}: ${citation.detail}`} />
          </li>
        ))}
      </ul>
    )}
    {entry.examples.length > 0 && (
      <p className="mt-1 font-mono text-xs [overflow-wrap:anywhere] text-muted">
        <StoreText text={entry.examples.join('   ')} />
      </p>
    )}
  </>
)

/**
 * An entry of the memory, cut to four lines until it is opened. The project is named only where several are mixed.
 * Opened, it shows its details.
 */
const Row = ({ entry, isOpen, isMixed, isWritable, timeZone, toggle }: RowProps) => {
  const details = useId()
  return (
    <li className="border-t border-line px-4 py-3 sm:px-5" data-entry={entry.id}>
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p
            className={`text-sm whitespace-pre-wrap [overflow-wrap:anywhere] ${isOpen ? '' : 'line-clamp-4'}`}
            data-text=""
          >
            <StoreText text={entry.text} />
          </p>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
            <span className="rounded border border-line px-1">{kindName(entry.kind)}</span>
            <Confidence share={entry.confidence} />
            <span>
              {entry.confirmations === 0 ? 'recorded' : 'confirmed'}{' '}
              <TimeText at={entry.lastConfirmedAt} timeZone={timeZone} />
            </span>
            {entry.ended !== null && (
              <span data-ended={entry.ended.how}>
                ended: {MEMORY_END_NAMES[entry.ended.how]} <TimeText at={entry.ended.at} timeZone={timeZone} />
              </span>
            )}
            {isMixed && (
              <span title={visibleText(entry.workspace)}>
                <StoreText text={entry.project} />
              </span>
            )}
          </p>
          <Doubts entry={entry} timeZone={timeZone} />
        </div>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? details : undefined}
          aria-label={`${isOpen ? 'Less' : 'More'}: history, source and changes of “${visibleText(entry.text.slice(0, 60).toWellFormed())}”`}
          onClick={toggle}
          className="rounded-md border border-line bg-panel px-2 py-0.5 text-xs whitespace-nowrap hover:bg-sunken"
        >
          {isOpen ? 'Less' : 'More'}
        </button>
      </div>
      {isOpen && (
        <div id={details} className="mt-3 border-l-2 border-l-accent pl-3 sm:pl-4">
          <EntryDetails id={entry.id} isWritable={isWritable} timeZone={timeZone} />
        </div>
      )}
    </li>
  )
}

interface NoEntriesProps {
  readonly project: string | undefined
  /** Whether words or a kind leave entries out. */
  readonly isNarrowed: boolean
  readonly isEnded: boolean
}

/** The list without entries: nothing matches, or nothing is remembered yet, and where something may come from. */
const NoEntries = ({ project, isNarrowed, isEnded }: NoEntriesProps) => {
  const change = useUrlState()
  const state = useSelection()
  if (isEnded)
    return (
      <div role="status" className="px-6 py-10 text-sm text-muted">
        <h2 className="text-lg font-semibold text-ink">
          {isNarrowed || project !== undefined ? 'Nothing matches' : 'No entry has ended yet'}
        </h2>
        <p className="mt-2 max-w-prose">
          Entries end when they are replaced, contradicted, forgotten, pruned or merged.
        </p>
      </div>
    )
  if (project !== undefined && !isNarrowed)
    return (
      <NothingFiltered
        state={state}
        filters={['project']}
        text="Nothing is remembered of it yet. In its folder, this adds an entry:"
        command='cairn memory add discovery "Tests need Redis on port 6380"'
      />
    )
  return (
    <div role="status" className="px-6 py-10 text-sm text-muted">
      <h2 className="text-lg font-semibold text-ink">{isNarrowed ? 'Nothing matches' : 'Nothing is remembered yet'}</h2>
      <p className="mt-2 max-w-prose">
        {isNarrowed
          ? 'No entry of this project and kind holds these words.'
          : 'What is learnt is kept for the sessions to come. This adds an entry for the project that you are in:'}
      </p>
      {!isNarrowed && <CommandLine command='cairn memory add discovery "Tests need Redis on port 6380"' />}
      <p className="mt-3">
        <button
          type="button"
          onClick={() => change({ view: 'suggestions', q: undefined, kind: undefined, page: undefined })}
          className="py-1 text-accent underline underline-offset-4"
        >
          What the last sessions suggest to remember
        </button>
      </p>
    </div>
  )
}

/** An entry that the address names and the page of the list does not hold: found elsewhere, or ended. */
const NamedEntry = ({ id, ...rest }: { readonly id: string } & Pick<PartProps, 'isWritable' | 'timeZone'>) => (
  <div className="border-t border-line px-4 py-3 sm:px-5">
    <EntryDetails id={id} {...rest} />
  </div>
)

interface ListHeadProps {
  readonly text: string
  readonly kind: EntryView['kind'] | undefined
  readonly isEnded: boolean
  readonly answer: EntriesAnswer
}

/**
 * How many entries there are, and how far to trust them. In one line; parts that are 0 or null are left out. Of entries
 * that have ended it says so.
 */
const totalText = ({ count, averageConfidence, stale, contradicted }: EntriesAnswer, isEnded: boolean): string => {
  const entries = count === 1 ? 'entry' : 'entries'
  return [
    `${count.toLocaleString('en-US')} ${isEnded ? 'ended ' : ''}${entries}`,
    ...(averageConfidence === null ? [] : [`on average ${percent(averageConfidence)} sure`]),
    ...(stale === 0 ? [] : [`${stale.toLocaleString('en-US')} perhaps out of date`]),
    ...(contradicted === 0 ? [] : [`${contradicted.toLocaleString('en-US')} contradicted`]),
  ].join(', ')
}

/** The search, the choice of kinds, and the figures of what was found. A change goes to the first page. */
const ListHead = ({ text, kind, isEnded, answer }: ListHeadProps) => {
  const change = useUrlState()
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 py-3 sm:px-5">
      <div className="w-full min-w-0 sm:w-72">
        <SearchField
          label="Search entries"
          value={text}
          search={(next) => change({ q: next === '' ? undefined : next, page: undefined })}
        />
      </div>
      <select
        aria-label="Kind"
        value={kind ?? ''}
        onChange={(event) =>
          change({ kind: event.target.value === '' ? undefined : event.target.value, page: undefined })
        }
        className={`w-full min-w-0 rounded-lg border bg-panel px-2.5 py-1.5 text-sm text-ink sm:w-40 ${kind === undefined ? 'border-line' : 'border-accent'}`}
      >
        <option value="">All kinds</option>
        {KINDS.map((known) => (
          <option key={known} value={known}>
            {kindName(known)}
          </option>
        ))}
      </select>
      <select
        aria-label="State"
        value={isEnded ? 'ended' : ''}
        onChange={(event) =>
          change({ state: event.target.value === '' ? undefined : event.target.value, page: undefined })
        }
        className={`w-full min-w-0 rounded-lg border bg-panel px-2.5 py-1.5 text-sm text-ink sm:w-32 ${isEnded ? 'border-accent' : 'border-line'}`}
      >
        <option value="">Current</option>
        <option value="ended">Ended</option>
      </select>
      <p role="status" className="text-sm text-muted tabular-nums" data-total="entries">
        {totalText(answer, isEnded)}
      </p>
    </div>
  )
}

/**
 * A page of entries, with a search and a choice of kinds above it, as the address says; an entry opens to its details.
 * An opened one that is not on the page stands above. The search is cut to 200 characters.
 */
export const EntryList = ({ project, isWritable, timeZone }: PartProps) => {
  const trpc = useTRPC()
  const parameters = useSearchParams()
  const change = useUrlState()
  const [wanted, go] = usePage()
  const text = (parameters.get('q') ?? '').slice(0, 200)
  const kind = KINDS.find((known) => known === parameters.get('kind'))
  const isEnded = parameters.get('state') === 'ended'
  const opened = (parameters.get('entry') ?? '').slice(0, 100)
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.memory.entries.queryOptions(
      {
        page: wanted,
        text,
        ...(project === undefined ? {} : { project }),
        ...(kind === undefined ? {} : { kind }),
        ...(isEnded ? { isEnded } : {}),
      },
      { placeholderData: keepPreviousData },
    ),
  )
  const toggle = (id: string): void => change({ entry: opened === id ? undefined : id })
  if (error !== null)
    return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
  if (data === undefined) return <TableLoading rows={8} />
  const { rows, count, page } = data
  return (
    <div
      className={`rounded-xl border border-line bg-panel ${isPlaceholderData ? 'opacity-60' : ''}`}
      aria-busy={isPlaceholderData}
    >
      <ListHead text={text} kind={kind} isEnded={isEnded} answer={data} />
      {opened !== '' && !rows.some(({ id }) => id === opened) && (
        <NamedEntry id={opened} isWritable={isWritable} timeZone={timeZone} />
      )}
      {count === 0 ? (
        <NoEntries project={project} isNarrowed={text !== '' || kind !== undefined} isEnded={isEnded} />
      ) : (
        <ul aria-label="Entries">
          {rows.map((entry) => (
            <Row
              key={entry.id}
              entry={entry}
              isOpen={entry.id === opened}
              isMixed={project === undefined}
              isWritable={isWritable}
              timeZone={timeZone}
              toggle={() => toggle(entry.id)}
            />
          ))}
        </ul>
      )}
      <Pager page={page} rows={ENTRY_PAGE} count={count} go={go} />
    </div>
  )
}
