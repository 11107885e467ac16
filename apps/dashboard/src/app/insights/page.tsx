import type { Metadata } from 'next'
import { Suspense } from 'react'
import { InsightsPage } from '../../features/insights/insights-page.tsx'

export const metadata: Metadata = { title: 'Insights' }

/** The page `/insights`: where money is wasted. */
export default function Page() {
  return (
    <Suspense>
      <InsightsPage />
    </Suspense>
  )
}
