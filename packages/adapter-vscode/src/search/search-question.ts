/** What the user types into the search: words, and names after `agent:`, `project:`, `role:` and others. */
import { CairnError, parseTime } from '@cairn/core'
import type { Role, SearchFilter } from '@cairn/core'

/** What is looked through. */
const SEARCHED = ['messages', 'sessions', 'memory', 'notes'] as const
/** A kind of thing that is searched. */
export type Searched = (typeof SEARCHED)[number]

/** A search as it was typed. */
export interface SearchQuestion {
  /** Words; '' for none. */
  readonly text: string
  /** Conditions on messages. */
  readonly filter: Omit<SearchFilter, 'workspace' | 'sessionId'>
  /** A project's path or name; undefined: not said. */
  readonly project: string | undefined
  /** What is looked through: all, unless `in:` says otherwise, or a condition is only one of messages. */
  readonly searched: readonly Searched[]
}

const ROLES: readonly Role[] = ['user', 'assistant', 'tool', 'system']

/** Names with spaces are quoted: `project:"my shop"`. */
const NAMED = /(?:^|\s)(agent|project|branch|role|author|file|since|until|in):(?:"([^"]*)"|(\S+))/gi

/**
 * Returns the one of the names that was typed, whatever its case.
 * @throws CairnError `usage` if it is none of the names
 */
const oneOf = <Name extends string>(name: string, names: readonly Name[], typed: string): Name => {
  const found = names.find((each) => each === typed.toLowerCase())
  if (found === undefined) throw new CairnError('usage', `${name}: takes ${names.join(', ')}, not "${typed}".`)
  return found
}

/**
 * Returns the search that a typed text means; if a name occurs twice, the last one counts, and one without a value is
 * ignored. `text` is what is left without the names. Times are in the zone (IANA), `now` in ms.
 * @throws CairnError `usage` for an unknown role, time or `in:`, and for conditions that `in:` can't meet
 */
export const parseQuestion = (typed: string, timeZone: string, now: number): SearchQuestion => {
  const given = new Map(
    [...typed.matchAll(NAMED)].map(([, name = '', quoted, bare]) => [name.toLowerCase(), quoted ?? bare ?? '']),
  )
  const named = (name: string): string | undefined => {
    const value = given.get(name)?.trim()
    return value === '' ? undefined : value
  }
  const [agent, branch, author, file] = ['agent', 'branch', 'author', 'file'].map(named)
  const [role, since, until] = ['role', 'since', 'until'].map(named)
  const filter: SearchQuestion['filter'] = {
    ...(agent === undefined ? {} : { agent }),
    ...(branch === undefined ? {} : { branch }),
    ...(author === undefined ? {} : { author }),
    ...(file === undefined ? {} : { file: file.replaceAll('\\', '/') }),
    ...(role === undefined ? {} : { role: oneOf('role', ROLES, role) }),
    ...(since === undefined ? {} : { since: parseTime(since, timeZone, 'since', now) }),
    ...(until === undefined ? {} : { until: parseTime(until, timeZone, 'until', now) }),
  }
  return {
    text: typed.replace(NAMED, ' ').replace(/\s+/g, ' ').trim(),
    filter,
    project: named('project'),
    searched: searchedIn(named('in'), filter),
  }
}

/**
 * Returns what `in:` restricts the search to; without it, everything that can meet the conditions.
 * @throws CairnError `usage` if `in:` names something else, or something that can't meet them
 */
const searchedIn = (only: string | undefined, filter: SearchQuestion['filter']): readonly Searched[] => {
  const able = searchedWith(filter)
  if (only === undefined) return able
  const chosen = oneOf('in', SEARCHED, only)
  if (able.includes(chosen)) return [chosen]
  throw new CairnError(
    'usage',
    chosen === 'sessions'
      ? 'in:sessions takes no role:, author: or file:, as these are of messages.'
      : `in:${chosen} takes words and project: only.`,
  )
}

/** Returns what can meet the conditions: some apply only to messages, or only to messages and sessions. */
const searchedWith = (filter: SearchQuestion['filter']): readonly Searched[] => {
  if (filter.role !== undefined || filter.author !== undefined || filter.file !== undefined) return ['messages']
  return Object.keys(filter).length > 0 ? ['messages', 'sessions'] : SEARCHED
}

/**
 * Returns what a search looks through: all that it names, or without words only sessions, since everything else is
 * found by words.
 */
export const answeredFrom = ({ text, searched }: SearchQuestion): readonly Searched[] =>
  text === '' ? searched.filter((each) => each === 'sessions') : searched
