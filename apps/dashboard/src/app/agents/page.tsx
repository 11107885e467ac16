import type { Metadata } from 'next'
import { Suspense } from 'react'
import { DimensionPage } from '../../features/dimension/dimension-page.tsx'

export const metadata: Metadata = { title: 'Agents' }

/** The page `/agents`: usage by agent. */
export default function AgentsPage() {
  return (
    <Suspense>
      <DimensionPage dimension="agent" />
    </Suspense>
  )
}
