import type { Metadata } from 'next'
import { Suspense } from 'react'
import { NowPage } from '../../features/now/now-page.tsx'

export const metadata: Metadata = { title: 'Now' }

/** The page `/now`: the sessions that are at work. */
export default function NowRoute() {
  return (
    <Suspense>
      <NowPage />
    </Suspense>
  )
}
