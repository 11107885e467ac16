/**
 * `@cairn/core/ephemeral`: a whole store that lives in this process alone, and an engine over it for sessions that leave
 * no trace (`--incognito`).
 */
import { createEngine, type Engine, type EngineDeps } from '../engine.ts'
import type { Store } from '../ports/store.ts'
import { createInMemoryStore } from '../in-memory/index.ts'

/** A new, empty store. Nothing of it reaches a disk; closed, it is gone. */
export const createEphemeralStore = (): Store => ({ ...createInMemoryStore(), isEphemeral: true })

/**
 * An engine that knows nothing of earlier sessions and keeps nothing of its own. The user's store is not opened. What
 * it keeps is gone when it closes.
 */
export const createIncognitoEngine = (deps: Omit<EngineDeps, 'store' | 'privacy'>): Engine =>
  createEngine({ ...deps, store: createEphemeralStore(), privacy: { incognito: true } })
