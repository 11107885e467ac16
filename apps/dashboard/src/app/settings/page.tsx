import type { Metadata } from 'next'
import { Suspense } from 'react'
import { SettingsPage } from '../../features/settings/settings-page.tsx'

export const metadata: Metadata = { title: 'Settings' }

/** The page `/settings`: what holds, where it comes from, and how long things are kept. */
export default function SettingsRoute() {
  return (
    <Suspense>
      <SettingsPage />
    </Suspense>
  )
}
