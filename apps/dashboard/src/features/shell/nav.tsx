'use client'
/** The way to the pages. What was selected goes along. */
import Link from 'next/link'
import { usePathname, useSearchParams } from 'next/navigation'
import { listAddress } from '../sessions/list-address.ts'
import { readSelection } from '../selection/selection.ts'
import { MorePages } from './more-pages.tsx'
import { pageHref } from './page-address.ts'
import { PAGES } from './page-names.ts'

/** Pages whose links are in the head at every width; those of the others are where it has one line for them, else under "More". */
const ALWAYS = 6

const LINK =
  'block rounded-md px-2 py-1.5 text-sm whitespace-nowrap text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-ink'

/** Links to the pages, the current one marked. */
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
  const others = PAGES.slice(ALWAYS)
  return (
    <nav aria-label="Pages" className="min-w-0">
      <ul className="flex flex-wrap gap-0.5">
        {PAGES.map((page, index) => (
          <li key={page.path} className={index < ALWAYS ? undefined : 'sm:max-[105rem]:hidden'}>
            {linkTo(page)}
          </li>
        ))}
        <li className="relative hidden sm:max-[105rem]:block">
          <MorePages key={here} isHere={others.some(({ path }) => isHere(path))}>
            {others.map((page) => (
              <li key={page.path}>{linkTo(page)}</li>
            ))}
          </MorePages>
        </li>
      </ul>
    </nav>
  )
}
