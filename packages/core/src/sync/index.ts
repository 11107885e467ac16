/** What leaves for a team's store, and how. */
export { DEFAULT_CHOICES, SHARE_LEVELS, shareLevelOf, type ShareLevel, type SyncChoices } from './choices.ts'
export { createOutgoing, type Outgoing } from './outgoing.ts'
export {
  asUnsent,
  previewSync,
  runSync,
  withdrawSessions,
  type SyncDeps,
  type SyncReport,
  type SyncRow,
} from './run-sync.ts'
export type {
  ChangedRequest,
  ChangedSession,
  SentSession,
  SyncBatch,
  SyncLog,
  SyncMachine,
  SyncRequest,
  SyncSession,
  SyncSource,
  SyncTarget,
} from '../ports/sync-storage.ts'
