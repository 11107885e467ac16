/**
 * What a session is given before its first message: the profile, the memory, and past sessions that matter for what is
 * asked. What changes least stands first, and all of it is as of the session's beginning, so that a request made later in
 * the session can repeat the same bytes.
 */
import { CairnError } from '../errors.ts'
import { assertName, assertObject, assertTextOrAbsent, assertTimeOrAbsent } from '../input.ts'
import type { Clock } from '../ports/clock.ts'
import type { SearchIndex } from '../ports/search-index.ts'
import type { SessionStorage } from '../ports/session-storage.ts'
import { DEFAULT_SECTION_TOKENS } from '../memory/section.ts'
import type { Memory, MemorySection } from '../memory/memory.ts'
import type { Profile } from '../memory/profile.ts'
import { EMPTY_PROFILE_SECTION, EMPTY_SECTION } from '../memory/disabled.ts'
import { userWords } from '../user-words/user-words.ts'
import { relatedSessions, type PastSessionsScope, type RelatedSection } from './related-sessions.ts'

export interface SessionStartDeps {
  readonly profile: Pick<Profile, 'section'>
  readonly memory: Pick<Memory, 'section'>
  readonly search: Pick<SearchIndex, 'sessions'>
  readonly sessions: Pick<SessionStorage, 'get'>
  readonly clock: Clock
}

export interface SessionStartInput {
  /** May be absent only with `pastSessions: 'all'`: in no project, so that there is no memory of one. */
  readonly workspace?: string
  /** Where past sessions are looked for; default `project`. */
  readonly pastSessions?: PastSessionsScope
  /** The branch that the work is done on: its sessions count for more. */
  readonly branch?: string
  /** What the user asks for; without it no past sessions are looked for. */
  readonly request?: string
  /** When the session began, ms; default now. Give the same time for later requests of the session. */
  readonly at?: number
  /** The session itself, which is none of the past ones. Give it: without it a session that was appended to already is listed among them. */
  readonly sessionId?: string
  /** Of all parts together, estimated; default 6,000. Parts that stand later get what the earlier ones leave. */
  readonly maxTokens?: number
}

export interface SessionStart {
  /** All parts, empty when there are none. Delimited and escaped: data, not instruction. */
  readonly text: string
  /** Estimated. */
  readonly tokens: number
  readonly profile: { readonly text: string; readonly tokens: number }
  readonly memory: MemorySection
  readonly related: RelatedSection
}

const DEFAULT_START_TOKENS = 6000
/** Of the part about past sessions. */
const RELATED_TOKENS = 1500

const NO_SESSIONS: RelatedSection = { text: '', tokens: 0, sessions: [] }

/** Of a session that is to know of nothing before it. */
export const EMPTY_START: SessionStart = {
  text: '',
  tokens: 0,
  profile: EMPTY_PROFILE_SECTION,
  memory: EMPTY_SECTION,
  related: NO_SESSIONS,
}

/** The memory of a project, within its own limit and `remaining` tokens; empty for no project and without any left. */
const memorySection = async (
  memory: SessionStartDeps['memory'],
  workspace: string | undefined,
  at: number,
  remaining: number,
): Promise<MemorySection> =>
  workspace === undefined || remaining <= 0
    ? EMPTY_SECTION
    : memory.section(workspace, { at, maxTokens: Math.min(DEFAULT_SECTION_TOKENS, remaining) })

/**
 * What a session is given before its first message: profile, memory and related sessions as one text, within the
 * budgets. Parts that are switched off or empty are left out.
 * @throws CairnError `invalid-input` for a budget that is no number above 0, and for what is no workspace, text or
 * time.
 */
export const sessionStart = async (
  { profile, memory, search, sessions, clock }: SessionStartDeps,
  input: SessionStartInput,
): Promise<SessionStart> => {
  assertObject(input, 'What a session starts with')
  if (input.workspace !== undefined || input.pastSessions !== 'all')
    assertName(input.workspace, "The session's workspace")
  assertTextOrAbsent(input.branch, "The session's branch")
  assertTextOrAbsent(input.request, "The session's request")
  assertTextOrAbsent(input.sessionId, "The session's id")
  assertTimeOrAbsent(input.at, 'The time at which the session began')
  const { workspace, branch, request, sessionId, pastSessions = 'project', maxTokens = DEFAULT_START_TOKENS } = input
  if (!(maxTokens > 0))
    throw new CairnError(
      'invalid-input',
      `The budget of a session's start must be a number of tokens above 0, not ${String(maxTokens)}.`,
    )
  const at = input.at ?? clock.now()
  const person = await profile.section()
  const about = person.tokens <= maxTokens ? person : EMPTY_START.profile
  let remainingTokens = maxTokens - about.tokens
  const known = await memorySection(memory, workspace, at, remainingTokens)
  remainingTokens -= known.tokens
  // A text of the agent's program asks for nothing.
  const asked = userWords([request ?? '']) ?? ''
  const related =
    asked === '' || remainingTokens <= 0
      ? NO_SESSIONS
      : await relatedSessions(
          { search, sessions },
          {
            request: asked,
            at,
            scope: pastSessions,
            ...(workspace === undefined ? {} : { workspace }),
            maxTokens: Math.min(RELATED_TOKENS, remainingTokens),
            ...(branch === undefined ? {} : { branch }),
            ...(sessionId === undefined ? {} : { sessionId }),
          },
        )
  const parts = [about, known, related].filter(({ text }) => text !== '')
  return {
    text: parts.map(({ text }) => text).join('\n\n'),
    tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0),
    profile: about,
    memory: known,
    related,
  }
}
