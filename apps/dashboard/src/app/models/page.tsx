import type { Metadata } from 'next'
import { Suspense } from 'react'
import { DimensionPage } from '../../features/dimension/dimension-page.tsx'

export const metadata: Metadata = { title: 'Models' }

export default function ModelsPage() {
  return (
    <Suspense>
      <DimensionPage dimension="model" />
    </Suspense>
  )
}
