import type { Metadata } from 'next'
import { Suspense } from 'react'
import { FileListPage } from '../../features/all-files/file-list-page.tsx'

export const metadata: Metadata = { title: 'Files' }

/** The page `/files`: the files that agents edited and read. */
export default function FilesPage() {
  return (
    <Suspense>
      <FileListPage />
    </Suspense>
  )
}
