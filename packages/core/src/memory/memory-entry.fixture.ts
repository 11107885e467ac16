/** Memory entries for tests, with defaults for the fields that a test does not set. */
import type { MemoryEntry } from '../ports/memory-storage.ts'

export const WORKSPACE = '/code/app'

export const memoryEntry = (given: Partial<MemoryEntry> = {}): MemoryEntry => ({
  id: 'entry-1',
  workspace: WORKSPACE,
  kind: 'discovery',
  text: 'The tests need Redis',
  confidence: 0.8,
  examples: [],
  sessionId: null,
  messageId: null,
  commit: null,
  source: 'user',
  firstSeenAt: 0,
  lastConfirmedAt: 0,
  applications: 0,
  confirmations: 0,
  contradictions: 0,
  ...given,
})
