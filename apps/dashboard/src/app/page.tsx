import { Suspense } from 'react'
import { Overview } from '../features/usage/overview.tsx'

export default function OverviewPage() {
  return (
    <Suspense>
      <Overview />
    </Suspense>
  )
}
