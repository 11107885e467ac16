/** What leaves for a team's store, and how. */
export { DEFAULT_CHOICES, SHARE_LEVELS, shareLevelOf, type ShareLevel, type SyncChoices } from './choices.ts'
export { machineNames, personNames, type KnownMachine } from './machines.ts'
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
  ChangedProject,
  ChangedRequest,
  ChangedSession,
  KnownBy,
  SentSession,
  SessionSigns,
  SyncBatch,
  SyncLog,
  SyncMachine,
  SyncProject,
  SyncRequest,
  SyncSession,
  SyncSource,
  SyncTarget,
} from '../ports/sync-storage.ts'
