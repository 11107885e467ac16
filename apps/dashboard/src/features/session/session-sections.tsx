'use client'
/** What stands below the log, in one line above it: each leads to its section, or to the entry that tells of it. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTRPC } from '../../trpc/client.tsx'
import { counted } from '../usage/figure.ts'
import type { MarkView } from './timeline-view.ts'

/** The ids of the page's sections. */
export const SECTION = { leaks: 'leaks', subagents: 'subagents', replay: 'replay' } as const

const LINK = 'inline-block py-1 text-accent underline underline-offset-4'

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })

const MARKS = [
  ['compaction', 'compaction'],
  ['cleared-results', 'old-result clearing'],
] as const satisfies readonly (readonly [MarkView['kind'], string])[]

interface SessionSectionsProps {
  readonly id: string
  /** What needs the whole log is asked for only then. */
  readonly isLogShown: boolean
  readonly showEntry: (entry: number) => void
}

/**
 * Leaks, subagents, compactions and the replay of a session, as links with their figures. Those without anything are
 * left out, all but the replay also until `isLogShown`.
 */
export const SessionSections = ({ id, isLogShown, showEntry }: SessionSectionsProps) => {
  const trpc = useTRPC()
  const { data: leaks } = useQuery(trpc.insights.session.queryOptions({ id }, { enabled: isLogShown }))
  const { data: context } = useQuery(trpc.session.context.queryOptions({ id }, { enabled: isLogShown }))
  const { data: timeline } = useQuery(
    trpc.session.timeline.queryOptions({ id }, { enabled: isLogShown, staleTime: 10_000 }),
  )
  const subagents = context?.subagents ?? null
  const links: (readonly [key: string, link: ReactNode])[] = []
  const section = (key: keyof typeof SECTION, text: string): void => {
    links.push([
      key,
      <a href={`#${SECTION[key]}`} className={LINK}>
        {text}
      </a>,
    ])
  }
  if (leaks !== undefined && leaks.leaks.length > 0) section('leaks', `${leaks.leakedShare} leaks`)
  if (subagents !== null) section('subagents', `${percent.format(subagents.all.costShare)} subagents`)
  for (const [kind, name] of MARKS) {
    const marks = timeline?.marks.filter((mark) => mark.kind === kind) ?? []
    const seq = marks.find((mark) => mark.seq !== null)?.seq ?? null
    if (marks.length > 0 && seq !== null)
      links.push([
        kind,
        <button type="button" onClick={() => showEntry(seq)} className={LINK}>
          {counted(marks.length, name)}
        </button>,
      ])
  }
  section('replay', 'other context policies')
  return (
    <nav aria-label="Parts of this session" className="text-sm">
      <ul className="flex flex-wrap gap-x-4">
        {links.map(([key, link]) => (
          <li key={key}>{link}</li>
        ))}
      </ul>
    </nav>
  )
}
