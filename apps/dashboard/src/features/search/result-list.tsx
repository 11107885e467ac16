/** What was found, by kind, as the list of a combobox: the field keeps the keyboard, and says which result is meant. */
import { useEffect, useRef } from 'react'
import { MarkedText } from '../../components/marked-text.tsx'
import { StoreText } from '../../components/store-text.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { KINDS, KIND_NAMES } from './kinds.ts'
import type { Kind } from './kinds.ts'
import type { Found } from './search-query.ts'

interface ResultListProps {
  readonly id: string
  readonly named: readonly Found[]
  readonly found: Readonly<Record<Kind, readonly Found[]>>
  readonly active: Found | undefined
  readonly optionId: (result: Found) => string
  readonly timeZone: string | undefined
  readonly isSearching: boolean
  readonly open: (result: Found, isApart: boolean) => void
}

interface ResultProps extends Pick<ResultListProps, 'timeZone' | 'open'> {
  readonly id: string
  readonly result: Found
  readonly isActive: boolean
}

/**
 * A result of a search; the active one is scrolled into view, a click with Ctrl, Cmd or the middle button opens a tab
 * of its own.
 */
const Result = ({ id, result, isActive, timeZone, open }: ResultProps) => {
  const own = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isActive) own.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  const { title, snippet, facts, at, kind } = result
  return (
    <li
      ref={own}
      id={id}
      role="option"
      aria-selected={isActive}
      data-kind={kind}
      data-href={result.href}
      onClick={(event) => open(result, event.metaKey || event.ctrlKey)}
      onAuxClick={(event) => {
        if (event.button === 1) open(result, true)
      }}
      className={`cursor-pointer scroll-my-8 border-l-2 px-3 py-2 sm:px-4 ${isActive ? 'border-l-accent bg-sunken' : 'border-l-transparent hover:bg-sunken/60'}`}
    >
      <span
        className={`text-sm [overflow-wrap:anywhere] ${kind === 'files' ? 'font-mono text-xs' : 'font-medium'} ${snippet === null ? 'line-clamp-3' : 'line-clamp-1'}`}
      >
        <MarkedText {...title} />
      </span>
      {snippet !== null && snippet.text !== '' && (
        <span data-snippet="" className="mt-0.5 line-clamp-3 text-sm [overflow-wrap:anywhere] text-muted">
          <MarkedText {...snippet} />
        </span>
      )}
      <span className="mt-0.5 block text-xs [overflow-wrap:anywhere] text-muted">
        {facts.map((fact, index) => (
          // Facts of a result never change their order.
          <span key={index}>
            {index > 0 && ' · '}
            <StoreText text={fact} />
          </span>
        ))}
        {at !== null && (
          <>
            {' · '}
            <TimeText at={at} timeZone={timeZone} />
          </>
        )}
      </span>
    </li>
  )
}

/** Returns the groups of results in the order in which they are shown, with their names. */
const groupsOf = ({ named, found }: Pick<ResultListProps, 'named' | 'found'>) => [
  { group: 'named', name: 'Sessions by title or id', results: named },
  ...KINDS.map((kind) => ({ group: kind, name: KIND_NAMES[kind], results: found[kind] })),
]

/** All results, sessions that were named first, the others under the names of their kinds; empty groups are left out. */
export const ResultList = ({ id, named, found, active, optionId, timeZone, isSearching, open }: ResultListProps) => (
  <div
    id={id}
    role="listbox"
    aria-label="Results"
    aria-busy={isSearching}
    data-settled={!isSearching}
    className={`min-h-0 overflow-y-auto overscroll-contain ${isSearching ? 'opacity-70' : ''}`}
  >
    {groupsOf({ named, found })
      .filter(({ results }) => results.length > 0)
      .map(({ group, name, results }) => (
        <ul key={group} role="group" aria-labelledby={`${id}-${group}`}>
          <li
            role="presentation"
            id={`${id}-${group}`}
            className="sticky top-0 border-y border-line bg-panel px-3 py-1 text-xs font-semibold text-muted sm:px-4"
          >
            {name}
          </li>
          {results.map((result) => (
            <Result
              key={result.key}
              id={optionId(result)}
              result={result}
              isActive={result === active}
              timeZone={timeZone}
              open={open}
            />
          ))}
        </ul>
      ))}
  </div>
)
