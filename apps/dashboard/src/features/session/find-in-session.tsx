'use client'
/** Goes through the entries of a session that hold some words; which words, and which entry, stands in the address. */
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { SearchField } from '../../components/search-field.tsx'
import { useUrlState } from '../../components/use-url-state.ts'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'

interface FindInSessionProps {
  readonly id: string
  /** The entry that the conversation was last led to. */
  readonly at: number | undefined
}

const BUTTON = 'rounded-md border border-line bg-panel px-2.5 py-1 text-sm hover:bg-sunken'

const whole = (count: number): string => count.toLocaleString('en-US')

export const FindInSession = ({ id, at }: FindInSessionProps) => {
  const text = (useSearchParams().get('find') ?? '').slice(0, 200)
  const change = useUrlState()
  const trpc = useTRPC()
  const {
    data = [],
    error,
    isFetching,
  } = useQuery(
    trpc.session.find.queryOptions(text.trim() === '' ? skipToken : { id, text }, {
      placeholderData: keepPreviousData,
    }),
  )
  const found = text.trim() === '' ? [] : data
  const foundIndex = at === undefined ? -1 : found.indexOf(at)

  const go = (seq: number | undefined): void => {
    if (seq !== undefined) change({ at: String(seq) })
  }
  const goOn = (): void => go(found.find((seq) => seq > (at ?? -1)) ?? found[0])
  const goBack = (): void => go(found.findLast((seq) => seq < (at ?? Infinity)) ?? found.at(-1))

  const statusText = (): string => {
    if (text.trim() === '') return ''
    if (error !== null) return failureOf(error).title
    if (isFetching && found.length === 0) return 'Looking…'
    if (found.length === 0) return 'Nothing found'
    const count = `${whole(found.length)} ${found.length === 1 ? 'entry' : 'entries'}`
    return foundIndex === -1 ? count : `${whole(foundIndex + 1)} of ${count}`
  }

  return (
    <form
      role="search"
      aria-label="This session"
      onSubmit={(event) => {
        event.preventDefault()
        goOn()
      }}
      className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2 sm:px-4"
    >
      <div className="w-full min-w-0 sm:w-72">
        <SearchField
          label="Find in this session"
          value={text}
          search={(next) => change({ find: next === '' ? undefined : next })}
        />
      </div>
      {found.length > 0 && (
        <>
          <button type="button" onClick={goBack} className={BUTTON}>
            Previous
          </button>
          <button type="submit" className={BUTTON}>
            Next
          </button>
        </>
      )}
      <p role="status" className="text-sm text-muted tabular-nums">
        {statusText()}
      </p>
    </form>
  )
}
