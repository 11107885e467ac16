import type { Metadata } from 'next'
import { Suspense } from 'react'
import { MemoryPage } from '../../features/memory/memory-page.tsx'

export const metadata: Metadata = { title: 'Memory' }

/** The page `/memory`: what was learnt about projects, what is suggested, notes, and the profile. */
export default function Page() {
  return (
    <Suspense>
      <MemoryPage />
    </Suspense>
  )
}
