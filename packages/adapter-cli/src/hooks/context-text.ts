/** The context provided by a hook, built by the engine from one read of the store. */
import { estimateTokens } from '@cairn/core'
import {
  FILE_WARNING,
  KNOWN_FILES_KEY,
  createMemorySection,
  createProfile,
  fileWarningIn,
  outputLimit,
  parseKnownFiles,
  showsNotices,
  startContext,
  suspectFiles,
} from '@cairn/core/hooks'
import type { HookAgent, HookEvent, HookInput } from '@cairn/core/hooks'
import { createFileSystem, createHasher } from '@cairn/core/node'
import type { Surroundings } from '@cairn/core/node'
import { gitBranch } from './git-branch.ts'
import { openHookStore } from './hook-store.ts'
import type { HookStore } from './hook-store.ts'
import { repositoryOf } from './folder-facts.ts'
import { newSuggestions } from './waiting-suggestions.ts'

/** The event and the agent that context is for. */
interface ContextCall {
  readonly event: HookEvent
  readonly agent: HookAgent
}

/** Which parts of the context the user wants, and what is possible. */
export interface ContextSettings {
  /** The store's address. */
  readonly store: string | undefined
  /** Whether earlier messages are recalled for a prompt. */
  readonly recalls: boolean
  /** Whether the agent is told which files changed. */
  readonly tellsChanges: boolean
  /** Whether a session is given profile, memory and past sessions. */
  readonly givesContext: boolean
  /** Whether the user is told of new suggestions for the memory. */
  readonly tellsSuggestions: boolean
  /** Whether an import may be started. */
  readonly imports: boolean
}

/** A text for the agent, and what to do once it was delivered. */
export interface ContextText {
  readonly text: string
  /** For the user. */
  readonly notice?: string
  /** To be called once the text was written to the agent: it counts as told from then on. */
  readonly onDelivered?: () => void
}

const NOTHING: ContextText = { text: '' }

/**
 * The context for a hook's agent: at `session-start`, that of a start (or a compaction, depending on its source); at
 * any other event, changed files and what is relevant to the prompt. Empty without an address or a store, and if the
 * store has nothing relevant. Read-only. Rejects with a StorageError if the store can't be read.
 */
export const contextText = async (
  call: ContextCall,
  input: HookInput,
  settings: ContextSettings,
  surroundings: Surroundings,
): Promise<ContextText> => {
  const store = await openHookStore(settings.store)
  if (store === undefined) return NOTHING
  try {
    const request = await requestOf(call, input, surroundings)
    if (call.event === 'session-start')
      return {
        text: settings.givesContext ? await startText(store, request, input) : '',
        notice: await noticeText(store, call, request, input, settings, surroundings),
      }
    const changes = settings.tellsChanges ? await changesText(store, call, input, settings, surroundings) : NOTHING
    const recalled = settings.recalls
      ? await promptText(store, { ...request, limit: rest(request.limit, changes.text) }, input)
      : ''
    return { ...changes, text: [changes.text, recalled].filter((text) => text !== '').join('\n') }
  } finally {
    await store.close()
  }
}

/** Returns what a limit leaves after a text and a line end; may be negative. */
const rest = ({ characters, tokens }: ContextRequest['limit'], text: string): ContextRequest['limit'] => ({
  characters: characters - text.length - 1,
  tokens: tokens - estimateTokens(text) - 1,
})

/**
 * Which files changed since the agent read them. Only the modification times are looked at if those are unchanged;
 * empty if nothing changed.
 */
const changesText = async (
  store: HookStore,
  { agent }: ContextCall,
  { sessionId: externalId, transcriptPath: transcript, folder }: HookInput,
  { imports }: ContextSettings,
  surroundings: Surroundings,
): Promise<ContextText> => {
  if (externalId === undefined) return NOTHING
  const sessionId = `${agent}:${externalId}`
  const state = await store.state.all({ tier: 'session', sessionId })
  const known = parseKnownFiles(state.get(KNOWN_FILES_KEY))
  const warnings = [...state].flatMap(([key, value]) =>
    key.startsWith(FILE_WARNING) ? fileWarningIn(key.slice(FILE_WARNING.length), value) : [],
  )
  const suspects = known === undefined ? [] : await suspectFiles(known, createFileSystem())
  if (suspects.length + warnings.length === 0) return NOTHING
  const { changeText } = await import('./on-demand/file-changes.ts')
  return changeText(store, { sessionId, known, suspects, warnings, transcript, agent, folder, imports }, surroundings)
}

/**
 * A sentence about new suggestions, for agents that show it while somebody is watching; empty after a compaction, which
 * is not a start.
 */
const noticeText = async (
  store: HookStore,
  { agent }: ContextCall,
  request: ContextRequest,
  { source }: HookInput,
  { tellsSuggestions }: ContextSettings,
  surroundings: Surroundings,
): Promise<string> => {
  const isSeen = showsNotices(agent) && surroundings.variables['CLAUDE_CODE_SESSION_ATTENDED'] !== '0'
  return tellsSuggestions && isSeen && source !== 'compact' ? newSuggestions(store.state, request, surroundings) : ''
}

/** What context is looked up by. */
interface ContextRequest {
  readonly workspace: string
  readonly branch?: string
  /** As the store names it. */
  readonly sessionId?: string
  readonly limit: ReturnType<typeof outputLimit>
}

/** Returns the workspace, branch and session of a hook; branch and session only as far as known. */
const requestOf = async (
  { agent }: ContextCall,
  { sessionId }: HookInput,
  { folder, home }: Surroundings,
): Promise<ContextRequest> => {
  const at = folder ?? home
  const branch = gitBranch(at)
  return {
    workspace: await repositoryOf(at),
    limit: outputLimit(agent),
    ...(branch === undefined ? {} : { branch }),
    ...(sessionId === undefined ? {} : { sessionId: `${agent}:${sessionId}` }),
  }
}

const clock = { now: () => Date.now() }

/**
 * Returns the context at a session's start: profile, memory and past sessions; after a compaction instead what matters
 * of the conversation, if there is anything. '' if nothing is known. Rejects as the store does.
 */
const startText = async (store: HookStore, request: ContextRequest, { source }: HookInput): Promise<string> => {
  const { sessionId } = request
  if (source === 'compact' && sessionId !== undefined) {
    const session = await store.sessions.get(sessionId)
    if (session !== undefined) {
      const { compactionContext } = await import('./on-demand/compaction-context.ts')
      const context = await compactionContext(store, { ...request, sessionId }, session.entries)
      if (context !== '') return context
    }
  }
  const section = createMemorySection({
    storage: store.memory,
    clock,
    fileSystem: createFileSystem(),
    hasher: createHasher(),
  })
  return startContext(
    {
      sessions: store.sessions,
      clock,
      // Nothing is set here.
      profile: createProfile({ state: store.state, clock, redact: (text) => ({ text, count: 0 }) }),
      // As of now: the same entries give the same bytes whenever they are asked for.
      memory: {
        section: (workspace, { maxTokens } = {}) => section(workspace, maxTokens === undefined ? {} : { maxTokens }),
      },
    },
    request,
  )
}

/** Earlier messages that are relevant to the prompt; empty if there are none. */
const promptText = async (store: HookStore, request: ContextRequest, { prompt = '' }: HookInput): Promise<string> =>
  (await import('./on-demand/prompt-context.ts')).promptContext(store.search, { ...request, prompt, now: clock.now() })
