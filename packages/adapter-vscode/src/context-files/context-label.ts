/** The texts of files in an agent's context: what state they are in, and why. */
import type { FileInContext, FileSource, FileState, FileWarning } from '@cairn/core'
import { agoText, counted, timeText } from '../text/format.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import { escapeMarkdown } from '../usage/status-item.ts'

/** Paths of a warning that are named. */
const NAMED = 5

/** The names of states, and what they mean. */
export const STATE_TEXTS: Readonly<Record<FileState, readonly [name: string, meaning: string]>> = {
  stale: ['Stale', 'not as the agent knows them'],
  active: ['Active', 'as the agent knows them'],
  removed: ['Removed', 'no longer in the context'],
}

/** Returns both parts with a blank between, or the first alone if the second is ''. */
const joined = (what: string, when: string): string => (when === '' ? what : `${what} ${when}`)

/**
 * Returns that a file is gone, or how and by whom it was changed on disk since the agent read it: "changed" if by whom
 * is not known. Undefined if it was not changed, or that was not looked at. Not made safe to show.
 */
const changeOnDisk = ({ disk }: FileInContext, agent: string): string | undefined => {
  if (disk === null || disk.verdict === null) return undefined
  if (disk.state === 'gone') return disk.other === null ? 'is gone' : `is gone, by ${disk.other.agent}`
  switch (disk.verdict) {
    case 'agent':
      return `changed by ${disk.other?.agent ?? 'another agent'}`
    case 'agent-tool':
      return `changed by a command of ${agent}`
    case 'formatter':
      return 'formatted'
    case 'person':
      return 'changed by a person or program'
    case 'git':
      return 'changed by git'
    case 'restored':
      return 'restored'
    case 'nothing':
    case 'unsure':
      return 'changed'
  }
}

/**
 * Says in a few words who changed a file since it was read: a name, the agent in messages that left the context, or
 * just "changed".
 */
const changeInLog = ({ changedBy }: FileInContext, agent: string): string => {
  if (changedBy === null) return 'changed'
  if (changedBy.by !== undefined) return `changed by ${changedBy.by === 'subagent' ? 'a subagent' : changedBy.by}`
  return changedBy.source === 'edit' ? `edited by ${agent} in messages that left the context` : 'changed'
}

/** Something that happened, and when (ms, null if not known). */
type Dated = readonly [what: string, at: number | null]

/**
 * Returns what the conversation did with a file last, and when (ms); '' and null if nothing has a time. Of equal times
 * an edit counts before a read, and a read before a mention.
 */
const newest = (file: FileInContext): Dated => {
  const dates: readonly Dated[] = [
    ['edited', file.editAt],
    ['read', file.readAt],
    ['mentioned', file.mentionAt],
  ]
  return dates.reduce<Dated>((best, each) => ((each[1] ?? -1) > (best[1] ?? -1) ? each : best), ['', null])
}

/**
 * Returns why a file is in its state, in a few words with how long ago (`now` in ms): who changed a stale one, else
 * what the conversation did with it last. `agent`: the name of the session's agent. '' if nothing is known.
 */
export const stateReason = (file: FileInContext, agent: string, now: number): string => {
  if (file.state === 'stale') {
    const onDisk = changeOnDisk(file, agent)
    const at =
      onDisk === undefined ? (file.changedBy?.at ?? null) : (file.disk?.other?.at ?? file.disk?.modifiedAt ?? null)
    return neutraliseLine(joined(onDisk ?? changeInLog(file, agent), agoText(at, now)))
  }
  const [what, at] = newest(file)
  if (what === '') return file.state === 'removed' ? 'its content left the context' : ''
  return joined(what, agoText(at, now))
}

/** How each source is named in a tooltip. */
const SOURCES: Readonly<Record<FileSource, string>> = {
  read: 'read by the agent',
  edit: 'edited by the agent',
  mention: 'named or attached by the user',
  'external-edit': 'changed by somebody else',
}

/**
 * Returns a file's tooltip as Markdown: path, and a table of its state and why, its sources, when it was read, edited,
 * mentioned and changed, and how often it was touched, as far as known. Every text of the log is escaped; `now` in ms.
 */
export const contextFileTooltip = (file: FileInContext, agent: string, now: number): string => {
  const safe = (text: string): string => escapeMarkdown(neutraliseLine(text))
  const [name, meaning] = STATE_TEXTS[file.state]
  const times: readonly (readonly [string, number | null])[] = [
    ['Read', file.readAt],
    ['Edited', file.editAt],
    ['Mentioned', file.mentionAt],
    ['Changed elsewhere', file.externalEditAt],
    ['Changed on disk', file.disk?.verdict == null ? null : file.disk.modifiedAt],
  ]
  const facts: readonly (readonly [string, string])[] = [
    ['State', `${name}: ${meaning}`],
    ['Why', stateReason(file, agent, now)],
    ['Sources', file.sources.map((source) => SOURCES[source]).join(', ')],
    ...times.map(([what, at]) => [what, at === null ? '' : timeText(at)] as const),
    ['Touched', counted(file.history.length + file.olderRecords, 'time')],
  ]
  return [
    `**${safe(file.path)}**`,
    '',
    '| | |',
    '|:--|:--|',
    ...facts.filter(([, text]) => text !== '').map(([what, text]) => `| ${what} | ${safe(text)} |`),
  ].join('\n')
}

/** Returns a warning as one sentence: what the agent has not been told. Some of its files are named. */
export const warningText = ({ reason, paths }: FileWarning): string => {
  const named = paths.slice(0, NAMED).join(', ')
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : ''
  const text = `${reason}: the agent may not know ${named}${more} as ${paths.length === 1 ? 'it is' : 'they are'} now`
  return neutraliseLine(text.charAt(0).toUpperCase() + text.slice(1))
}
