'use client'
/** The way to the pages. What was selected goes along. */
import Link from 'next/link'
import { usePathname, useSearchParams } from 'next/navigation'
import { listAddress } from '../sessions/list-address.ts'
import { readSelection } from '../selection/selection.ts'
import { pageHref } from './page-address.ts'
import { PAGES } from './page-names.ts'

/** Links to the pages, the current one marked. */
export const Nav = () => {
  const here = usePathname()
  const selection = readSelection(listAddress(useSearchParams()))
  return (
    <nav aria-label="Pages" className="min-w-0">
      <ul className="flex flex-wrap gap-0.5">
        {PAGES.map(({ path, name }) => {
          const isHere = path === '/' ? here === '/' : here === path || here.startsWith(`${path}/`)
          return (
            <li key={path}>
              <Link
                href={pageHref(path, selection)}
                prefetch={false}
                aria-current={isHere ? 'page' : undefined}
                className="block rounded-md px-2.5 py-1.5 text-sm whitespace-nowrap text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-ink"
              >
                {name}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
