import type { Metadata } from 'next'
import { Suspense } from 'react'
import { FileHistoryPage } from '../../../features/all-files/file-history-page.tsx'

export const metadata: Metadata = { title: 'File' }

/** The page `/files/history`: who edited and read one file. */
export default function HistoryPage() {
  return (
    <Suspense>
      <FileHistoryPage />
    </Suspense>
  )
}
