import { Suspense } from 'react'
import { Overview } from '../features/overview/overview.tsx'

export default function OverviewPage() {
  return (
    <Suspense>
      <Overview />
    </Suspense>
  )
}
