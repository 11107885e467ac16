import type { Metadata } from 'next'
import { Suspense } from 'react'
import { DimensionPage } from '../../features/dimension/dimension-page.tsx'

export const metadata: Metadata = { title: 'Projects' }

/** The page `/projects`: usage by project. */
export default function ProjectsPage() {
  return (
    <Suspense>
      <DimensionPage dimension="project" />
    </Suspense>
  )
}
