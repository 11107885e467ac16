'use client'
/** Which page of a table is shown, kept in the page's address. */
import { useSearchParams } from 'next/navigation'
import { useUrlState } from './use-url-state.ts'

/** Beyond this there is nothing in any table. */
const MOST_PAGES = 100_000

/** The page that the address names, from 1 (1 also where it names none), and a function that goes to another. */
export const usePage = (): readonly [number, (page: number) => void] => {
  const parameters = useSearchParams()
  const change = useUrlState()
  const page = Math.max(1, Math.min(MOST_PAGES, Math.trunc(Number(parameters.get('page') ?? 1)) || 1))
  return [page, (next) => change({ page: next === 1 ? undefined : String(next) })]
}
