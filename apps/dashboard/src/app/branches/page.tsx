import type { Metadata } from 'next'
import { Suspense } from 'react'
import { DimensionPage } from '../../features/dimension/dimension-page.tsx'

export const metadata: Metadata = { title: 'Branches' }

/** The page `/branches`: usage by branch. */
export default function BranchesPage() {
  return (
    <Suspense>
      <DimensionPage dimension="branch" />
    </Suspense>
  )
}
