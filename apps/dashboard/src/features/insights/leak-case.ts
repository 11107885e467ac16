/** The case of a leak that a session's page was opened for: as its address names it, and as it is found in the session. */
import type { LeakCauseView, LeakExampleView, LeakView, LeaksView } from './leak-view.ts'

/**
 * Returns the parameter `leak` of an address.
 * @param request its number in the session, from 1
 */
export const leakCase = (kind: LeakView['kind'], request: number): string => `${kind}:${request}`

/** A leak's cases at one request. */
export interface FoundCase {
  readonly leak: LeakView
  /** Cases of the leak that began with the request: of several reads, each is one. The most expensive first. */
  readonly examples: readonly LeakExampleView[]
  readonly request: number
  /** Of a leak with several causes, the case's. */
  readonly cause: LeakCauseView | undefined
}

const CASE = /^([a-z-]{1,40}):(\d{1,10})$/

/** Returns the case that an address names among the leaks of a session; undefined if there is none. */
export const findCase = (
  named: string,
  { leaks, views, beside }: Pick<LeaksView, 'leaks' | 'views' | 'beside'>,
): FoundCase | undefined => {
  const [, kind, number] = CASE.exec(named) ?? []
  const request = Number(number)
  const leak = [...leaks, ...views, ...(beside === null ? [] : [beside])].find((one) => one.kind === kind)
  const isCase = (example: LeakExampleView): boolean => example.request === request
  const cause = leak?.causes.find((part) => part.examples.some(isCase))
  const examples = (cause ?? leak)?.examples.filter(isCase) ?? []
  return leak === undefined || examples.length === 0 ? undefined : { leak, examples, request, cause }
}

/** What happened at the request of a case, in a sentence. */
export const CASE_TEXT: Readonly<Record<LeakView['kind'], string>> = {
  pause: 'The cache had expired when this request was sent, so that it wrote the context again instead of reading it.',
  'cache-break': 'The cache had not expired, and yet the context was written again instead of being read.',
  'unused-results':
    'A result came in with this request, and was still sent with later ones after the last that used it.',
  're-read': 'A call of this request read lines that were in the context already.',
  'rejected-calls': 'Calls of this request were refused: this is their share of its cost.',
  prefix: 'The conversation begins here: its instructions and tools were written once, and read by each later request.',
  'long-context':
    'From this request on, the context had more than 100,000 tokens. This is what reading those above cost.',
  compaction:
    'The first request after a compaction: it wrote the new context, and known files were read again after it.',
  subagents: 'A subagent begins with this request. This is what all of its requests cost.',
  'oversized-results':
    'A result of more than 10,000 characters came in with this request. This is what those above cost, here and later.',
  interrupted: 'This request was cut off by the user.',
  'missing-output':
    'From this request on, replies have more text than the output tokens that were recorded for them. This is in no total.',
}
