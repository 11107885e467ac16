'use client'
/** The search over everything: a field, kinds to choose from, and what is found, all worked from the field. */
import { useRouter, useSearchParams } from 'next/navigation'
import { useId, useRef, useState } from 'react'
import type { KeyboardEvent, Ref } from 'react'
import { useModal } from '../../components/use-modal.ts'
import { useSelection } from '../selection/use-selection.ts'
import { withListOf } from '../sessions/list-address.ts'
import { FilesFoot, filesStatus } from './files-foot.tsx'
import { KINDS, KIND_NAMES, LONGEST_QUERY, MOST_FILES } from './kinds.ts'
import type { Kind } from './kinds.ts'
import { ResultList } from './result-list.tsx'
import type { Found } from './search-query.ts'
import { FIRST_FILES, useSearch } from './use-search.ts'
import type { SearchState } from './use-search.ts'

/** What is searched for; it is there again when the search is opened again. */
export interface Sought {
  readonly text: string
  /** Undefined: all. */
  readonly kind: Kind | undefined
}

interface SearchDialogProps {
  readonly sought: Sought
  readonly seek: (sought: Sought) => void
  readonly close: () => void
}

/**
 * Returns the result that the keyboard is at, the first until it is moved; and what moves it on or back, from the last
 * to the first and from the first to the last. Undefined without results.
 */
const useActive = (results: readonly Found[]): readonly [Found | undefined, (step: 1 | -1) => void] => {
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const index = Math.max(
    0,
    results.findIndex(({ key }) => key === chosen),
  )
  const move = (step: 1 | -1): void => {
    if (results.length > 0) setChosen(results[(index + step + results.length) % results.length]?.key)
  }
  return [results[index], move]
}

/**
 * Returns what became of the search, in words: its failure, what to type, that it is searched, or how much was found.
 */
const statusOf = ({ isSearching, failure, files }: SearchState, { text, kind }: Sought, count: number): string => {
  if (failure !== null) return `${failure.title}. ${failure.text}`
  if (text.trim() === '')
    return kind === 'files'
      ? 'The name of a file, or words of its path.'
      : 'Words, a whole question, or the name of a file.'
  if (isSearching && count === 0) return 'Searching…'
  if (count === 0) return 'Nothing was found.'
  if (kind === 'files' && files !== undefined) return filesStatus(files, count)
  return count === 1 ? '1 result' : `${count.toLocaleString('en-US')} results`
}

/** Buttons that narrow the search down to a kind; the first searches all (undefined). */
const KindPicker = ({
  kind,
  choose,
}: {
  readonly kind: Kind | undefined
  readonly choose: (kind: Kind | undefined) => void
}) => (
  <div role="group" aria-label="What is searched" className="flex flex-wrap gap-1">
    {[undefined, ...KINDS].map((one) => (
      <button
        key={one ?? 'all'}
        type="button"
        aria-pressed={kind === one}
        onClick={() => choose(one)}
        className="rounded-md border border-line px-2 py-0.5 text-xs text-muted hover:bg-sunken hover:text-ink aria-pressed:border-accent aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink"
      >
        {one === undefined ? 'All' : KIND_NAMES[one]}
      </button>
    ))}
  </div>
)

interface SearchInputProps {
  readonly ref: Ref<HTMLInputElement>
  readonly listId: string
  readonly activeId: string | undefined
  readonly isExpanded: boolean
  readonly text: string
  readonly change: (text: string) => void
  readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
}

/** The search's text field, which keeps the keyboard; `activeId` is the result that Enter opens. */
const SearchInput = ({ ref, listId, activeId, isExpanded, text, change, onKeyDown }: SearchInputProps) => (
  <input
    ref={ref}
    type="text"
    role="combobox"
    aria-label="Search everything"
    aria-expanded={isExpanded}
    aria-controls={listId}
    aria-autocomplete="list"
    aria-activedescendant={activeId}
    placeholder="Search everything…"
    autoComplete="off"
    spellCheck={false}
    maxLength={LONGEST_QUERY}
    value={text}
    onChange={(event) => change(event.target.value)}
    onKeyDown={onKeyDown}
    className="w-full min-w-0 rounded-lg border border-line bg-page px-3 py-2 text-base text-ink placeholder:text-muted"
  />
)

/** The dialog; `close` is called when it is to go away, by Escape, by a click beside it, or because a result was opened. */
// eslint-disable-next-line max-lines-per-function -- field, kinds and list share which result is meant
export const SearchDialog = ({ sought: { text, kind }, seek, close }: SearchDialogProps) => {
  const id = useId()
  const dialog = useModal()
  const field = useRef<HTMLInputElement>(null)
  const navigation = useRouter()
  const { selection, browserZone } = useSelection()
  const [more, setMore] = useState({ text, most: FIRST_FILES })
  // Other words begin with few files again.
  const most = more.text === text ? more.most : FIRST_FILES
  const search = useSearch(text, kind, most)
  const results = [...search.named, ...KINDS.flatMap((one) => search.found[one])]
  const [active, move] = useActive(results)
  const optionId = ({ key }: Found): string => `${id}-${results.findIndex((result) => result.key === key)}`

  const page = useSearchParams()

  const open = ({ href: found }: Found, isApart: boolean): void => {
    const href = withListOf(found, page)
    if (isApart) {
      window.open(href, '_blank', 'noopener')
      return
    }
    close()
    navigation.push(href)
  }
  const onKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    // Enter that ends a word of an input method is no choice.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      move(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter' && active !== undefined) {
      event.preventDefault()
      open(active, event.metaKey || event.ctrlKey)
    }
  }
  const choose = (chosen: Kind | undefined): void => {
    seek({ text, kind: chosen })
    field.current?.focus()
  }
  const count = results.length
  return (
    <dialog
      ref={dialog}
      aria-label="Search"
      onClose={close}
      onClick={(event) => {
        if (event.target === event.currentTarget) close()
      }}
      className="mx-auto mt-2 mb-auto max-h-[calc(100dvh-1rem)] w-[calc(100vw-1rem)] max-w-3xl overflow-hidden rounded-xl border border-line bg-panel text-ink shadow-2xl backdrop:bg-black/40 sm:mt-[10vh] sm:max-h-[75dvh]"
    >
      <div className="flex max-h-[inherit] flex-col">
        <div className="grid gap-2 border-b border-line p-3 sm:px-4">
          <div className="flex items-center gap-2">
            <SearchInput
              ref={field}
              listId={`${id}-list`}
              activeId={active === undefined ? undefined : optionId(active)}
              isExpanded={count > 0}
              text={text}
              change={(next) => seek({ text: next, kind })}
              onKeyDown={onKey}
            />
            <button
              type="button"
              onClick={close}
              className="rounded-md border border-line px-2.5 py-2 text-sm hover:bg-sunken"
            >
              Close
            </button>
          </div>
          <div className="flex flex-wrap items-center justify-between gap-2">
            <KindPicker kind={kind} choose={choose} />
            <p className="hidden text-xs text-muted sm:block">↑ ↓ choose · Enter opens · Esc closes</p>
          </div>
        </div>
        <ResultList
          id={`${id}-list`}
          named={search.named}
          found={search.found}
          active={active}
          optionId={optionId}
          timeZone={selection.zone ?? browserZone}
          isSearching={search.isSearching}
          open={open}
        />
        {kind === 'files' && (
          <FilesFoot
            text={text}
            search={search}
            more={() => {
              setMore({ text, most: Math.min(MOST_FILES, most + FIRST_FILES) })
              field.current?.focus()
            }}
            everything={() => choose(undefined)}
            close={close}
          />
        )}
        <p
          role="status"
          className={`border-t border-line px-3 py-2 text-xs sm:px-4 ${search.failure === null ? 'text-muted' : 'text-danger'}`}
        >
          {statusOf(search, { text, kind }, count)}
        </p>
      </div>
    </dialog>
  )
}
