/** What a sync sent, or would send, for people. */
import { withoutPassword } from '@cairn/core'
import type { SyncReport, SyncRow } from '@cairn/core/sync'
import type { Team } from '../team/team-file.ts'
import { counted, formatDuration, formatWhole } from '../terminal/format.ts'
import { sayWrapped } from '../terminal/say-wrapped.ts'
import { tableLines } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** How many rows of each kind a sync has. */
export type RowCounts = Record<SyncRow['kind'], number>

/** What a row of each kind contains. */
const FIELDS: Readonly<Record<SyncRow['kind'], string>> = {
  machine: 'ids; name and person if you set them',
  session: 'id, agent, project, branch, first and last time',
  request: 'call, time, model, provider, mode, tokens, cost',
  entry: 'text of messages and what happened between them',
  withdrawal: 'id of a session that you deleted',
  project: 'which folder belongs to which project',
}

/** Returns a row exactly as it is sent, for JSON, with bigints as text. */
export const exactRow = (row: SyncRow): unknown =>
  JSON.parse(JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)))

/**
 * Prints how many rows of each kind would be sent and what they hold; where `team` is known, where to and what is
 * shared.
 */
export const showPreview = async (counts: RowCounts, team: Team | undefined, terminal: Terminal): Promise<void> => {
  const kinds = Object.entries(counts) as [SyncRow['kind'], number][]
  const sum = kinds.reduce((all, [, count]) => all + count, 0)
  const {
    head,
    rows,
    total = '',
  } = tableLines({
    columns: [{ title: 'row' }, { title: 'count', align: 'right' }, { title: 'holds', shorten: 'end' }],
    rows: kinds.map(([kind, count]) => [kind, formatWhole(count), FIELDS[kind]]),
    total: ['Total', formatWhole(sum), 'nothing has left; --json shows every row'],
    width: terminal.width,
  })
  await terminal.line(terminal.style('bold', head))
  for (const row of rows) await terminal.line(row)
  await terminal.line(terminal.style('bold', total))
  if (team !== undefined) await sayWrapped(choicesText(team), terminal)
}

/** Returns where data goes and what is shared, in a sentence, without a password. */
const choicesText = ({ url, file, choices }: Team): string => {
  const to = url === undefined ? "No team's store is named yet" : `To ${withoutPassword(url)}`
  const more = Object.keys(choices.workspaces).length
  const except = more === 0 ? '' : `, but ${counted(more, 'folder')} with a choice of its own`
  return `${to}: ${choices.share} of every project${except}; names ${choices.names}. ${file} says so.`
}

/** Prints what was sent, and why other sessions were not. Kinds that are 0 are left out. */
export const showSync = async (report: SyncReport, ms: number, terminal: Terminal): Promise<void> => {
  const { sessions, requests, entries, withdrawn, kept } = report
  const text = entries === 0 ? '' : `, ${counted(entries, 'log entry')}`
  if (withdrawn > 0) await sayWrapped(`Removed ${counted(withdrawn, 'session')} that you deleted.`, terminal)
  if (kept.private > 0)
    await sayWrapped(`Kept ${counted(kept.private, 'session')} of projects that share nothing.`, terminal)
  if (kept.withdrawn > 0)
    await sayWrapped(
      `Left out ${counted(kept.withdrawn, 'session')} that ${kept.withdrawn === 1 ? 'was' : 'were'} withdrawn.`,
      terminal,
    )
  if (kept.otherCopy > 0)
    await sayWrapped(`Of ${counted(kept.otherCopy, 'session')} another machine's copy is there, which stays.`, terminal)
  if (kept.text > 0)
    await sayWrapped(
      `The text of ${counted(kept.text, 'session')} stays here: this team's store takes only figures of you.`,
      terminal,
    )
  await sayWrapped(
    `Total sent: ${counted(sessions, 'session')}, ${counted(requests, 'request')}${text} in ${formatDuration(ms)}.`,
    terminal,
  )
}
