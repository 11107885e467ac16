/** What stands below the files that were found: how many there are, the way to more, and what helps where there are none. */
import Link from 'next/link'
import { visibleText } from '../../components/store-text.tsx'
import { MOST_FILES } from './kinds.ts'
import type { FoundFiles } from './search-query.ts'
import type { SearchState } from './use-search.ts'

const whole = (count: number): string => count.toLocaleString('en-US')

/** Returns how many files there are, and how many of them are shown. */
export const filesStatus = ({ total, isCut }: Pick<FoundFiles, 'total' | 'isCut'>, shown: number): string => {
  const files = total === 1 ? '1 file' : `${whole(total)} files`
  return `${shown < total ? `${whole(shown)} of ${files}` : files}${isCut ? ', among those used lately' : ''}`
}

/** Returns why no file was found: the words that no path has; else that no path has all of them. */
const reasonOf = (unknown: readonly string[], text: string): string => {
  if (unknown.length > 0) return `No path has ${unknown.map((word) => `“${visibleText(word)}”`).join(' or ')} in it.`
  return /\s/.test(text.trim()) ? 'No path has all of these words; fewer words find more.' : 'No path has this in it.'
}

const BUTTON = 'rounded-md border border-line px-2 py-1 text-ink hover:bg-sunken'

interface FilesFootProps {
  readonly text: string
  readonly search: SearchState
  /** Shows more files. */
  readonly more: () => void
  /** Searches everything for the same text. */
  readonly everything: () => void
  readonly close: () => void
}

/** Searches as it is on the page of files, which has pages, orders and filters. Without words, to all of them. */
const FilesPageLink = ({ text, close }: Pick<FilesFootProps, 'text' | 'close'>) => (
  <Link
    href={`/files?${new URLSearchParams({ period: 'all', ...(text.trim() === '' ? {} : { q: text.trim() }) }).toString()}`}
    prefetch={false}
    onClick={close}
    className="text-accent underline underline-offset-4"
  >
    {text.trim() === '' ? 'All files that agents used' : 'Open on the page of files'}
  </Link>
)

/** What is looked for, before anything is typed. */
const Hint = ({ close }: Pick<FilesFootProps, 'close'>) => (
  <>
    <p>
      Finds what agents read, edited or named, by the path: <code>budget.ts</code>, <code>src/budget.ts:12</code>, or
      some words of it, <code>insights budget</code>.
    </p>
    <FilesPageLink text="" close={close} />
  </>
)

/**
 * Below the list of files: a hint before anything is typed, why nothing was found, or more of what was. Nothing while
 * it is searched, or after a failure.
 */
export const FilesFoot = ({ text, search, more, everything, close }: FilesFootProps) => {
  const { files, found, isSearching, failure } = search
  const shown = found.files.length
  const isEmpty = text.trim() === ''
  if (failure !== null || (!isEmpty && (files === undefined || (isSearching && shown === 0)))) return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-3 py-2 text-sm text-muted sm:px-4">
      {isEmpty || files === undefined ? (
        <Hint close={close} />
      ) : shown === 0 ? (
        <>
          <p className="[overflow-wrap:anywhere]">
            {reasonOf(files.unknown, text)} Only files that agents read, edited or named are found here.
          </p>
          <button type="button" onClick={everything} className={BUTTON}>
            Search everything for it
          </button>
        </>
      ) : (
        <>
          {shown < Math.min(files.total, MOST_FILES) && (
            <button type="button" onClick={more} className={BUTTON}>
              Show more
            </button>
          )}
          <FilesPageLink text={text} close={close} />
        </>
      )}
    </div>
  )
}
