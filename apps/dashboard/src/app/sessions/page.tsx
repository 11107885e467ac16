import type { Metadata } from 'next'
import { Suspense } from 'react'
import { SessionList } from '../../features/sessions/session-list.tsx'

export const metadata: Metadata = { title: 'Sessions' }

export default function SessionsPage() {
  return (
    <Suspense>
      <SessionList />
    </Suspense>
  )
}
