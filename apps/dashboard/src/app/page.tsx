import { Suspense } from 'react'
import { Overview } from '../features/overview/overview.tsx'

/** The page `/`: the overview. */
export default function OverviewPage() {
  return (
    <Suspense>
      <Overview />
    </Suspense>
  )
}
