'use client'
/** The way to the pages. What was selected goes along. */
import Link from 'next/link'
import { usePathname, useSearchParams } from 'next/navigation'
import { listAddress } from '../sessions/list-address.ts'
import { readSelection, writeSelection } from '../selection/selection.ts'
import { PAGES } from './page-names.ts'
import type { Selection } from '../selection/selection.ts'

/** Pages of single folders, to which a project of several does not go along. */
const FOLDER_PAGES: readonly string[] = ['/memory', '/checkpoints']
const FOLDER = /^(?:[\\/]|[A-Za-z]:[\\/])/

/** What was selected, as a page takes it. */
const queryFor = (path: string, selection: Selection): string => {
  const { project, ...others } = selection.filter
  const isLeftOut = project !== undefined && FOLDER_PAGES.includes(path) && !FOLDER.test(project)
  return writeSelection(isLeftOut ? { ...selection, filter: others } : selection)
}

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
                href={`${path}${queryFor(path, selection)}`}
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
