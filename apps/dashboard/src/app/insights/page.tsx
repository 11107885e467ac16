import type { Metadata } from 'next'
import { Suspense } from 'react'
import { InsightsPage } from '../../features/insights/insights-page.tsx'

export const metadata: Metadata = { title: 'Insights' }

/** The page `/insights`: where the money leaks. */
export default function Page() {
  return (
    <Suspense>
      <InsightsPage />
    </Suspense>
  )
}
