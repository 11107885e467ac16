'use client'
/** Finds words in a session and goes from one entry that holds them to the next. The address has the words and the entry. */
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
  /** Words are marked in that entry: a search over all sessions found it, which also finds other forms of them. */
  readonly isMarked: boolean
}

const BUTTON = 'rounded-md border border-line bg-panel px-2.5 py-1 text-sm hover:bg-sunken'

const whole = (count: number): string => count.toLocaleString('en-US')

interface Finds {
  readonly text: string
  /** Numbers of the entries that hold it, rising. */
  readonly found: readonly number[]
  /** How many there are, or why none is shown. */
  readonly status: string
  /** No entry holds all words, and some of them may be looked for. */
  readonly mayFindAny: boolean
}

/** More words than one, none of them quoted. */
const SEVERAL = /^[^"“”„]*\S\s+\S[^"“”„]*$/

/**
 * Returns the entries that hold the words which the address names, in order, what to say of them, and whether to offer
 * to look for any of the words. At most 200 characters are looked for; empty without any.
 */
const useFinds = ({ id, at, isMarked }: FindInSessionProps): Finds => {
  const parameters = useSearchParams()
  const text = (parameters.get('find') ?? '').slice(0, 200)
  const isAny = parameters.get('words') === 'any'
  const isEmpty = text.trim() === ''
  const trpc = useTRPC()
  const {
    data = [],
    error,
    isFetching,
  } = useQuery(
    trpc.session.find.queryOptions(isEmpty ? skipToken : { id, text, isAny }, {
      placeholderData: keepPreviousData,
    }),
  )
  const found = isEmpty ? [] : data
  const isSeveral = SEVERAL.test(text.trim())
  const status = (): string => {
    if (isEmpty) return ''
    if (error !== null) return failureOf(error).title
    if (isFetching && found.length === 0) return 'Looking…'
    if (found.length === 0 && isMarked) return ''
    if (found.length === 0) return isSeveral && !isAny ? 'No entry has all of these words' : 'Nothing found'
    const count = `${whole(found.length)} ${found.length === 1 ? 'entry' : 'entries'}${isAny ? ' with any of these words' : ''}`
    const index = at === undefined ? -1 : found.indexOf(at)
    return index === -1 ? count : `${whole(index + 1)} of ${count}`
  }
  return {
    text,
    found,
    status: status(),
    mayFindAny: isSeveral && !isAny && !isFetching && error === null && found.length === 0,
  }
}

/**
 * A search box for the session: all words, in quotation marks just so. Next goes to the first entry found after the one
 * that the address names, from the last one (or without one) to the first of all; Previous the other way. New words
 * alone go nowhere.
 */
export const FindInSession = (props: FindInSessionProps) => {
  const { at } = props
  const { text, found, status, mayFindAny } = useFinds(props)
  const change = useUrlState()
  const goTo = (seq: number | undefined): void => {
    if (seq !== undefined) change({ at: String(seq), open: undefined })
  }
  const goToNext = (): void => goTo(found.find((seq) => seq > (at ?? -1)) ?? found[0])
  const goToPrevious = (): void => goTo(found.findLast((seq) => seq < (at ?? Infinity)) ?? found.at(-1))
  return (
    <form
      role="search"
      aria-label="This session"
      onSubmit={(event) => {
        event.preventDefault()
        goToNext()
      }}
      className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2 sm:px-4"
    >
      <div className="w-full min-w-0 sm:w-72">
        <SearchField
          label="Find in this session"
          value={text}
          search={(next) => change({ find: next === '' ? undefined : next, words: undefined })}
        />
      </div>
      {found.length > 0 && (
        <>
          <button type="button" onClick={goToPrevious} className={BUTTON}>
            Previous
          </button>
          <button type="submit" className={BUTTON}>
            Next
          </button>
        </>
      )}
      {mayFindAny && (
        <button type="button" onClick={() => change({ words: 'any' })} className={BUTTON}>
          Find any of them
        </button>
      )}
      <p role="status" className="text-sm text-muted tabular-nums">
        {status}
      </p>
    </form>
  )
}
