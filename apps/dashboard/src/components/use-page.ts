'use client'
/** Which page of a table is shown, kept in the page's address. */
import { useSearchParams } from 'next/navigation'
import { useUrlState } from './use-url-state.ts'
import type { UrlStateChange } from './use-url-state.ts'

/** Beyond this there is nothing in any table. */
const MOST_PAGES = 100_000

/**
 * Returns the page that the address names, from 1 (1 also if it names none), and a function that goes to another page
 * and changes other parameters along with it.
 */
export const usePage = (): readonly [number, (page: number, others?: UrlStateChange) => void] => {
  const parameters = useSearchParams()
  const change = useUrlState()
  const page = Math.max(1, Math.min(MOST_PAGES, Math.trunc(Number(parameters.get('page') ?? 1)) || 1))
  return [page, (next, others) => change({ ...others, page: next === 1 ? undefined : String(next) })]
}
