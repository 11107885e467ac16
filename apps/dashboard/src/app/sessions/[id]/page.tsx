import type { SessionSummary } from '@cairn/core'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { visibleText } from '../../../components/store-text.tsx'
import { SessionPage } from '../../../features/session/session-page.tsx'
import { sessionRow } from '../../../features/sessions/session-row.ts'
import { forReader } from '../../../security/team/page-asker.ts'
import { fromStore } from '../../../store/dashboard-store.ts'

/** Returns a part of the address with its percent escapes decoded; undefined if they are malformed. */
const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Undefined: there is none; null: unknown, because the store can't be read. The page says so, and goes on once it can be. */
const sessionOf = cache(async (id: string): Promise<SessionSummary | null | undefined> => {
  try {
    return await forReader(id, () => fromStore((store) => store.sessions.get(id)))
  } catch {
    return null
  }
})

interface Address {
  readonly params: Promise<{ readonly id: string }>
}

const LONGEST_TITLE = 120

/** The title of the browser’s tab: the session’s, cut and with unsafe characters made visible. */
export const generateMetadata = async ({ params }: Address): Promise<Metadata> => {
  const id = decoded((await params).id)
  const session = id === undefined ? undefined : await sessionOf(id)
  if (session === undefined) return { title: 'No such session' }
  return {
    title: session === null ? 'Session' : visibleText(sessionRow(session).title.slice(0, LONGEST_TITLE).toWellFormed()),
  }
}

/** The page `/sessions/<id>`. Answers 404 when the store can be read and has no such session. */
export default async function OneSessionPage({ params }: Address) {
  const id = decoded((await params).id)
  if (id === undefined || (await sessionOf(id)) === undefined) notFound()
  return <SessionPage id={id} />
}
