import type { Metadata, Viewport } from 'next'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { RoleProvider } from '../features/shell/role.tsx'
import { Shell } from '../features/shell/shell.tsx'
import { roleOfReader } from '../security/team/page-asker.ts'
import { DataProvider } from '../trpc/client.tsx'
import './globals.css'

export const metadata: Metadata = {
  title: { default: 'Overview · Cairn', template: '%s · Cairn' },
  description: 'Tokens, cost and memory of coding agents',
  referrer: 'no-referrer',
}

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f7f6f4' },
    { media: '(prefers-color-scheme: dark)', color: '#131211' },
  ],
}

/** The document around every page: the store’s data, and the shell with the navigation. Pages are never made ahead. */
export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  // Made for each request, so that each page has a nonce of its own.
  await connection()
  const role = await roleOfReader()
  return (
    <html lang="en">
      <body className="min-h-dvh bg-page font-sans text-ink antialiased">
        <RoleProvider role={role}>
          <DataProvider>
            <Shell>{children}</Shell>
          </DataProvider>
        </RoleProvider>
      </body>
    </html>
  )
}
