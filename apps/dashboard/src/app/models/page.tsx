import type { Metadata } from 'next'
import { Suspense } from 'react'
import { DimensionPage } from '../../features/dimension/dimension-page.tsx'

export const metadata: Metadata = { title: 'Models' }

/** The page `/models`: usage by model. */
export default function ModelsPage() {
  return (
    <Suspense>
      <DimensionPage dimension="model" />
    </Suspense>
  )
}
