'use client'
/** What is around every page: the navigation, and whether what is shown is live. */
import { Suspense } from 'react'
import type { ReactNode } from 'react'
import { FaultBoundary } from '../../components/fault-boundary.tsx'
import { Notice } from '../../components/notice.tsx'
import { BudgetBadge } from '../insights/budgets.tsx'
import { Following } from '../live/following.tsx'
import { useLiveStore } from '../live/use-live-store.ts'
import { SearchLauncher } from '../search/search-launcher.tsx'
import { Shortcuts } from '../shortcuts/shortcuts.tsx'
import { Mark } from './mark.tsx'
import { Nav } from './nav.tsx'
import { useAllowed } from './role.tsx'

/**
 * Name, navigation, the state of the budget, and whether what is shown is live. The search is left out where the reader
 * may not use it.
 */
const Header = ({ isLive }: { readonly isLive: boolean }) => {
  const { call } = useAllowed()
  return (
    <header className="border-b border-line bg-panel">
      <div className="mx-auto flex max-w-[125rem] flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 sm:px-6">
        <div className="flex items-center gap-2">
          <Mark />
          <span className="font-semibold">Cairn</span>
        </div>
        {call('search.messages') && <SearchLauncher />}
        <Suspense>
          <Shortcuts />
        </Suspense>
        <p
          className="order-2 ml-auto flex items-center gap-1.5 text-xs text-muted sm:order-3"
          title="New imports appear by themselves"
        >
          <span aria-hidden="true" className={`size-1.5 rounded-full ${isLive ? 'bg-accent' : 'bg-danger'}`} />
          <span>{isLive ? 'Live' : 'Not connected'}</span>
          {isLive && <Following />}
        </p>
        <div className="order-2 empty:hidden sm:order-3">
          <Suspense>
            <BudgetBadge />
          </Suspense>
        </div>
        <div className="order-3 w-full min-w-0 sm:order-2 sm:w-auto">
          <Suspense>
            <Nav />
          </Suspense>
        </div>
      </div>
    </header>
  )
}

/** A link past the navigation, to the content. */
const SkipLink = () => (
  <a
    href="#content"
    className="sr-only focus:not-sr-only focus:absolute focus:z-20 focus:m-2 focus:rounded-md focus:bg-panel focus:px-3 focus:py-2"
  >
    Skip to the content
  </a>
)

/** The head of every page with its navigation, and the page below it. */
export const Shell = ({ children }: { readonly children: ReactNode }) => {
  const failure = useLiveStore()
  const isLive = failure === undefined
  return (
    <>
      <SkipLink />
      <Header isLive={isLive} />
      {failure !== undefined && (
        <div role="alert" className="border-b border-line bg-panel">
          <p className="mx-auto max-w-[125rem] border-l-4 border-l-danger px-3 py-3 text-sm sm:px-6">
            <strong className="font-semibold">{failure.title}.</strong>{' '}
            <span className="break-words text-muted">{failure.text} What is shown below is from before.</span>
          </p>
        </div>
      )}
      <main
        id="content"
        tabIndex={-1}
        className={`mx-auto max-w-[125rem] px-3 py-4 outline-none sm:px-6 sm:py-6 ${isLive ? '' : 'opacity-60'}`}
      >
        <FaultBoundary
          fallback={
            <Notice
              isAlert
              title="This page failed"
              text="Nothing in the store was touched. Load the page again to try once more."
            />
          }
        >
          {children}
        </FaultBoundary>
      </main>
    </>
  )
}
