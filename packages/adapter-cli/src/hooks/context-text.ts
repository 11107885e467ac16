/** The context that a hook gives: what the engine makes of the store, read once. */
import { createMemorySection, createProfile, outputLimit, startContext } from '@cairn/core/hooks'
import type { HookAgent, HookEvent, HookInput } from '@cairn/core/hooks'
import { createFileSystem, createHasher } from '@cairn/core/node'
import type { Surroundings } from '@cairn/core/node'
import { gitBranch } from './git-branch.ts'
import { openHookStore } from './hook-store.ts'
import type { HookStore } from './hook-store.ts'
import { repositoryOf } from './folder-facts.ts'

interface ContextCall {
  readonly event: HookEvent
  readonly agent: HookAgent
}

/**
 * The context that a hook gives its agent: at `session-start` what a start (or a compaction, by its source) is told,
 * at any other event what bears on the prompt. Empty without an address or a store, and where the store knows nothing
 * that matters. Only reads. Rejects with a StorageError where the store can't be read.
 */
export const contextText = async (
  call: ContextCall,
  input: HookInput,
  address: string | undefined,
  surroundings: Surroundings,
): Promise<string> => {
  const store = await openHookStore(address)
  if (store === undefined) return ''
  try {
    const request = await requestOf(call, input, surroundings)
    return call.event === 'session-start'
      ? await startText(store, request, input)
      : await promptText(store, request, input)
  } finally {
    await store.close()
  }
}

interface ContextRequest {
  readonly workspace: string
  readonly branch?: string
  /** As the store names it. */
  readonly sessionId?: string
  readonly limit: ReturnType<typeof outputLimit>
}

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

/** The context of a session's start; after a compaction what is left of the conversation, if there is something. */
const startText = async (store: HookStore, request: ContextRequest, { source }: HookInput): Promise<string> => {
  const { sessionId } = request
  if (source === 'compact' && sessionId !== undefined) {
    const session = await store.sessions.get(sessionId)
    if (session !== undefined) {
      const { compactionContext } = await import('./compaction-text.ts')
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

const promptText = async (store: HookStore, request: ContextRequest, { prompt = '' }: HookInput): Promise<string> =>
  (await import('./prompt-text.ts')).promptContext(store.search, { ...request, prompt, now: clock.now() })
