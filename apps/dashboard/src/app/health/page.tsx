import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Health } from '../../features/health/health.tsx'

export const metadata: Metadata = { title: 'Health' }

/** The page `/health`: how the store fared. */
export default function HealthPage() {
  return (
    <Suspense>
      <Health />
    </Suspense>
  )
}
