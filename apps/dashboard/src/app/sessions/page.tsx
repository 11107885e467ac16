import type { Metadata } from 'next'
import { Suspense } from 'react'
import { SessionList } from '../../features/sessions/session-list.tsx'

export const metadata: Metadata = { title: 'Sessions' }

/** The page `/sessions`: the list of sessions. */
export default function SessionsPage() {
  return (
    <Suspense>
      <SessionList />
    </Suspense>
  )
}
