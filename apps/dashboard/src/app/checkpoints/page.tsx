import type { Metadata } from 'next'
import { Suspense } from 'react'
import { CheckpointsPage } from '../../features/checkpoints/checkpoints-page.tsx'

export const metadata: Metadata = { title: 'Checkpoints' }

/** The page `/checkpoints`: files of projects as they were. */
export default function AllCheckpointsPage() {
  return (
    <Suspense>
      <CheckpointsPage />
    </Suspense>
  )
}
