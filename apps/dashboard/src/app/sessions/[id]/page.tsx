import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { SessionPage } from '../../../features/session/session-page.tsx'
import { fromStore } from '../../../store/dashboard-store.ts'

export const metadata: Metadata = { title: 'Session' }

/** The part of the address as it was before it became one; undefined for what never was. */
const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** A store that can't be read is told by the page, which goes on when it can be. */
const isKnown = async (id: string): Promise<boolean> => {
  try {
    return (await fromStore((store) => store.sessions.get(id))) !== undefined
  } catch {
    return true
  }
}

export default async function OneSessionPage({ params }: { readonly params: Promise<{ readonly id: string }> }) {
  const id = decoded((await params).id)
  if (id === undefined || !(await isKnown(id))) notFound()
  return <SessionPage id={id} />
}
