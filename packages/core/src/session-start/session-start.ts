/**
 * What a session is given before its first message: the profile, the memory, and relevant past sessions. Stable parts
 * come first, and everything is as of the session's start, so that later requests of the session can repeat the same
 * bytes.
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
  /** May be absent only with `pastSessions: 'all'`: without a project, there is no memory. */
  readonly workspace?: string
  /** Where to look for past sessions; default `project`. */
  readonly pastSessions?: PastSessionsScope
  /** The current branch: its sessions rank higher. */
  readonly branch?: string
  /** The user's request; without it, no past sessions are looked up. */
  readonly request?: string
  /** When the session started, ms; default now. Pass the same time for later requests of the session. */
  readonly at?: number
  /**
   * The session itself, to exclude it from the past ones. Without it, a session that was already appended to is listed
   * among them.
   */
  readonly sessionId?: string
  /** Token limit for all parts together (estimated); default 6,000. Later parts get what the earlier ones leave. */
  readonly maxTokens?: number
}

export interface SessionStart {
  /** All parts; empty if there are none. Delimited and escaped: data, not instructions. */
  readonly text: string
  /** Estimated. */
  readonly tokens: number
  readonly profile: { readonly text: string; readonly tokens: number }
  readonly memory: MemorySection
  readonly related: RelatedSection
}

const DEFAULT_START_TOKENS = 6000
/** Token limit of the part about past sessions. */
const RELATED_TOKENS = 1500

const NO_SESSIONS: RelatedSection = { text: '', tokens: 0, sessions: [] }

/** For a session that should know of nothing before it. */
export const EMPTY_START: SessionStart = {
  text: '',
  tokens: 0,
  profile: EMPTY_PROFILE_SECTION,
  memory: EMPTY_SECTION,
  related: NO_SESSIONS,
}

/**
 * The memory of a project, within its own limit and `remaining` tokens; empty without a project or without tokens left.
 */
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
 * What a session is given before its first message: profile, memory and related sessions as one text, within
 * `maxTokens` (default 6,000). A profile that is larger is left out; the memory has what the profile leaves, the
 * sessions what both leave. Without a request of a person there are no related sessions, without a workspace no memory.
 * @throws CairnError `invalid-input` for a limit that is not a number above 0, and for an invalid workspace, text or
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
