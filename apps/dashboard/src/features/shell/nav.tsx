'use client'
/** The way to the pages. What was selected goes along. */
import Link from 'next/link'
import { usePathname, useSearchParams } from 'next/navigation'
import { listAddress } from '../sessions/list-address.ts'
import { readSelection } from '../selection/selection.ts'
import { MorePages } from './more-pages.tsx'
import { pageHref } from './page-address.ts'
import { PAGES } from './page-names.ts'
import { useAllowed } from './role.tsx'

/** How many links a phone has room for in one line, and how many a window that is not wide enough for all; the others are under "More". */
const ON_PHONES = 4
const ALWAYS = 6

/** The least room in which the link of a place in the order is in the line itself. */
const inLine = (index: number): string =>
  index < ON_PHONES ? '' : index < ALWAYS ? 'max-sm:hidden' : 'max-[110rem]:hidden'

const LINK =
  'block rounded-md px-2 py-1.5 text-sm whitespace-nowrap text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-ink'

/**
 * Links to the pages, the current one marked. Pages that the reader may not open are left out; those without room are
 * behind "More".
 */
export const Nav = () => {
  const here = usePathname()
  const selection = readSelection(listAddress(useSearchParams()))
  const isHere = (path: string): boolean => (path === '/' ? here === '/' : here === path || here.startsWith(`${path}/`))
  const linkTo = ({ path, name }: (typeof PAGES)[number]) => (
    <Link
      href={pageHref(path, selection)}
      prefetch={false}
      aria-current={isHere(path) ? 'page' : undefined}
      className={LINK}
    >
      {name}
    </Link>
  )
  const { open } = useAllowed()
  const pages = PAGES.filter(({ path }) => open(path))
  const current = pages.findIndex(({ path }) => isHere(path))
  return (
    <nav aria-label="Pages" className="min-w-0">
      <ul className="flex flex-wrap gap-0.5">
        {pages.map((page, index) => (
          <li key={page.path} className={inLine(index)}>
            {linkTo(page)}
          </li>
        ))}
        {pages.length > ON_PHONES && (
          <li className={`relative min-[110rem]:hidden ${pages.length > ALWAYS ? '' : 'sm:hidden'}`}>
            <MorePages key={here} mark={current < ON_PHONES ? 'never' : current < ALWAYS ? 'on-phones' : 'always'}>
              {pages.slice(ON_PHONES).map((page, index) => (
                <li key={page.path} className={index + ON_PHONES < ALWAYS ? 'sm:hidden' : undefined}>
                  {linkTo(page)}
                </li>
              ))}
            </MorePages>
          </li>
        )}
      </ul>
    </nav>
  )
}
