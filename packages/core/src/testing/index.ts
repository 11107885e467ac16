/** `@cairn/core/testing`: contract suites for the ports, an in-memory store, and fakes. */
export type { Expectation, OpenStore, TestApi } from './contracts/test-api.ts'
export { ATTRIBUTION_CASES, runAttributionCase } from './attribution/run-case.ts'
export type { AttributionCase } from './attribution/world.ts'
export { runCheckpointStorageContract } from './contracts/checkpoint-storage.ts'
export { runImportStorageContract } from './contracts/import-storage.ts'
export { runLanguageModelContract } from './contracts/language-model.ts'
export type { Capability, LanguageModelSubject, SubjectTimes } from './contracts/language-model/subject.ts'
export { memoryEntry, runMemoryStorageContract, writeMemory } from './contracts/memory-storage.ts'
export { runNoteStorageContract } from './contracts/note-storage.ts'
export { runRequestsContract } from './contracts/requests.ts'
export { runSearchIndexContract } from './contracts/search-index.ts'
export { runSessionStorageContract } from './contracts/session-storage.ts'
export { runStateStorageContract } from './contracts/state-storage.ts'
export { runStoreContract } from './contracts/store.ts'
export { runUsageStorageContract } from './contracts/usage-storage.ts'
export { recordedReply } from './recorded-reply.ts'
export { HARMLESS_EXAMPLES, UNSAFE_EXAMPLES } from './unsafe-examples.ts'
export {
  DEFAULT_MODELS,
  startModelServer,
  type BilledTokens,
  type Call,
  type Condition,
  type Fault,
  type LedgerEntry,
  type ModelServer,
  type ModelServerOptions,
  type Moment,
  type Prices,
  type Problem,
  type ReceivedRequest,
  type Recording,
  type Reply,
  type ReplyBlock,
  type ReplyStop,
  type ServedModel,
  type Step,
  type WireName,
} from './model-server/index.ts'
export { createInMemoryStore } from '../in-memory/index.ts'
export type { TestClock } from './fakes/clock.ts'
export { createTestClock } from './fakes/clock.ts'
export type { InMemoryFileSystem } from './fakes/file-system.ts'
export { createInMemoryFileSystem } from './fakes/file-system.ts'
export { createSequentialIds } from './fakes/ids.ts'
export type { TestTimer } from './fakes/timer.ts'
export { createTestTimer } from './fakes/timer.ts'
