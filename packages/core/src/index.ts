/** The engine's public interface. Everything is exported by name, so that what is public is decided here. */
export { CairnError, StorageError, messageOf, type ErrorCode } from './errors.ts'
export type { EngineEvent, EngineListener, ImportSkip } from './events.ts'
export { isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from './json.ts'
export { echoed } from './input.ts'
export { storeAddresses, withoutPassword } from './store-address.ts'
export { textOfBlock, textOfJson } from './messages.ts'
export type {
  ContentBlock,
  FileBlock,
  ImageBlock,
  Message,
  OtherBlock,
  Role,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultBlock,
} from './messages.ts'
export { formatCost, formatEstimate, formatUsd, nanoFromUsd, usdFromNano, type NanoUsd } from './money.ts'
export { err, ok, type Result } from './result.ts'
export { datesSession, UNDATED_KINDS } from './session-log.ts'
export type {
  BlockChange,
  CheckpointEntry,
  CompactionEntry,
  EditEntry,
  EntryKind,
  FavouriteEntry,
  FileEntry,
  Insertion,
  LogEntry,
  MessageEntry,
  ModelEntry,
  NewLogEntry,
  NoticeEntry,
  PinEntry,
  RewindEntry,
  RewriteEntry,
  TitleEntry,
  TodoEntry,
  TodoItem,
  ToolStartEntry,
  TruncationEntry,
} from './session-log.ts'
export { backupName, parseBackupName, type BackupKind } from './backups/backup-name.ts'
export { BACKUP_CHECKS, BACKUP_KINDS, latestBackup, summariseBackups } from './backups/backup-summary.ts'
export type { BackupCheck, BackupSummary } from './backups/backup-summary.ts'
export { DEFAULT_LIMITS as CHECKPOINT_LIMITS } from './checkpoints/pruning.ts'
export { DEFAULT_RETENTION, expiredBackups, isBackupDue, type KeptBackup, type Retention } from './backups/retention.ts'
export type {
  Checkpoint,
  CheckpointInput,
  CheckpointPreview,
  CheckpointRestored,
  Checkpoints,
  CheckpointsCheck,
  CheckpointsInput,
  CreatedCheckpoint,
  CreatedCheckpoints,
  RefusedRoot,
  FileAuthor,
  FolderCheck,
  RestoredFile,
} from './checkpoints/checkpoints.ts'
export type {
  CaptureOutcome,
  FileDifference,
  LeftOutFile,
  PruneOutcome,
  RepositoryCheck,
  RestoreOutcome,
  RestorePreview,
  ResumedRestore,
  Snapshot,
  SnapshotKind,
  SnapshotLimits,
  SnapshotOptions,
  SnapshotProgress,
  SnapshotRepository,
  SnapshotRequest,
  UntouchedFile,
} from './ports/snapshot-repository.ts'
export { leftOutWords } from './checkpoints/left-out.ts'
export type {
  CheckpointPage,
  CheckpointQuery,
  CheckpointRecord,
  CheckpointStorage,
  LeftOutSummary,
} from './ports/checkpoint-storage.ts'
export type { Clock } from './ports/clock.ts'
export type { FileFacts, FileSystem } from './ports/file-system.ts'
export type { DatabaseRow, DatabaseSnapshot, DatabaseValue } from './ports/database-file.ts'
export type { Hasher } from './ports/hasher.ts'
export type { Ids } from './ports/ids.ts'
export type {
  ImportBatch,
  ImportCounts,
  ImportCursor,
  ImportStorage,
  ImportedFile,
  SessionBatch,
  SourceRun,
} from './ports/import-storage.ts'
export { ModelError } from './ports/language-model.ts'
export type {
  CacheBreakpoint,
  CacheLifetime,
  LanguageModel,
  ModelDone,
  ModelErrorCode,
  ModelErrorDetails,
  ModelEvent,
  ModelRequest,
  ReasoningEffort,
  StopReason,
  ToolChoice,
  ToolDefinition,
} from './ports/language-model.ts'
export { withRetries, type RetryOptions } from './retries/with-retries.ts'
export { MEMORY_KINDS } from './ports/memory-storage.ts'
export type {
  MemoryDecision,
  MemoryEnd,
  MemoryEntry,
  MemoryKind,
  MemoryReading,
  MemoryStorage,
  MemoryVersion,
  MemoryWrite,
} from './ports/memory-storage.ts'
export type { Note, NoteStorage } from './ports/note-storage.ts'
export type { Embedder } from './ports/embedder.ts'
export {
  PRICE_FIELDS,
  TOKEN_CLASSES,
  TOKEN_COUNTS,
  cacheWriteTokens,
  mapTokens,
  pickTokens,
  tokenCount,
  type CostSplit,
  type PriceBook,
  type PriceQuery,
  type TokenClass,
  type TokenColumn,
  type TokenField,
  type TokenSums,
  type TokenUsage,
} from './ports/price-book.ts'
export { FILE_LIST_SORTS } from './recall/file-list.ts'
export type { FileList, FileListQuery, FileListSort, FileUse, ListedFile } from './ports/search-index.ts'
export type { CorrectedQuery, FileOperation, FileTouch, RankerName, ScoreExplanation } from './ports/search-index.ts'
export type { MessageReference, ScorePart, SearchFilter, SearchHit, SearchIndex } from './ports/search-index.ts'
export type { SearchQuery, SessionHit, SessionSearchQuery, TouchQuery, WordCorrection } from './ports/search-index.ts'
export type {
  DeletionReport,
  EntryRange,
  EntryWrite,
  AppendPosition,
  SequenceConflict,
  SessionFacts,
  SessionPage,
  SessionQuery,
  SessionSort,
  SessionStorage,
  SessionSummary,
  SortOrder,
  SourceLine,
} from './ports/session-storage.ts'
export type { CleanUpRecord, CleanUpStorage, OrphanCount, OrphanKind, OrphanQuery } from './ports/clean-up-storage.ts'
export type { CleanUpReport } from './cleanup/clean-up.ts'
export { LoadingCache } from './caching/loading-cache.ts'
export { MemoryBudget, SizedCache } from './caching/sized-cache.ts'
export { replicaLagText, type ReplicaLag } from './health/replica-lag-text.ts'
export { createHealthRecorder, type HealthRecorder } from './health/recorder.ts'
export { KEPT_QUARTERS, addSamples, parseSample, quarterOf, sampleText } from './health/sample.ts'
export { healthReport, type HealthPart, type HealthReport, type HealthTrendPoint } from './health/report.ts'
export type { CacheUse, HealthSample, HealthStorage, LatencyCounts, TableSize } from './ports/health-storage.ts'
export type { Keyring } from './ports/keyring.ts'
export type { Secrets, StoredSecret } from './ports/secrets.ts'
export type { StateChanges, StateScope, StateStorage } from './ports/state-storage.ts'
export type { Store, StoreFault, StoreStatistics } from './ports/store.ts'
export { outputRateOf } from './usage/output-rate.ts'
export {
  USAGE_DIMENSIONS,
  USAGE_GROUPINGS,
  isPartial,
  storedCostSplit,
  isUsagePeriod,
  missingOutputCostNano,
  missingOutputTokens,
  partialReply,
  type CostState,
  type FailureQuery,
  type FailureSum,
  type Mover,
  type Movers,
  type MoversQuery,
  type ProviderSum,
  type ProviderSumsQuery,
  type RequestFact,
  type RequestFailure,
  type RequestLatency,
  type RequestRange,
  type SubagentSum,
  type SubagentSumsQuery,
  type StoredRequest,
  type UsageDimension,
  type UsageGrouping,
  type UsagePeriod,
  type UsageQuery,
  type UsageReport,
  type UsageRow,
  type UsageStorage,
  type UsageTotals,
} from './ports/usage-storage.ts'

export { DAY_MS, assertTimeZone, bucketOf, periodKey, zoneOffsets } from './usage/calendar.ts'
export { sumFailures } from './usage/failures.ts'
export { mergeCopies, mergeReports, type RequestReport } from './usage/merge-reports.ts'
export { moversOf } from './usage/movers.ts'
export { parseTime } from './usage/parse-time.ts'
export {
  addTotals,
  allInputTokens,
  cacheHitRatio,
  emptyTotals,
  isInputUnknown,
  totalsOfRequest,
} from './usage/totals.ts'

export { analyseEntry } from './recall/analyse-entry.ts'
export { buildSegment, moveSegmentToSession } from './recall/index/build.ts'
export { decodeMessage, encodeMessage, type IndexedMessage } from './recall/index/message-codec.ts'
export { mergeSegments } from './recall/index/merge.ts'
export { MAX_SEGMENT_PAGES, decodeHead, encodeHead, splitIntoPages } from './recall/index/segment.ts'
export type { Segment, SegmentWithPostings } from './recall/index/segment.ts'
export { SegmentRemovedError } from './recall/index/term-matches.ts'
export { createView, type SegmentPart, type View } from './recall/index/view.ts'
export type {
  IndexedSession,
  MessagePosition,
  RecallIndex,
  RecallScope,
  RecallSource,
  SessionLabels,
} from './recall/recall-source.ts'
export { NO_KNOWLEDGE, knowledgeFor, knowledgeHolds, knowledgeJson, type Knowledge } from './recall/knowledge.ts'
export { phrasesNotFound } from './recall/quoted-phrases.ts'
export { createSearch } from './recall/search.ts'
export { createMarker, snippetFor, snippetOf, type Marker } from './recall/snippet.ts'
export { createWordFinder } from './recall/word-finder.ts'
export { isFunctionWord } from './text-analysis/function-words.ts'
export { findMarks, type Mark } from './text-analysis/marks.ts'
export { analyseQuery, type QueryTerm, type QueryTermKind } from './text-analysis/query.ts'
export { redact, withoutBrokenSignatures, type Redact, type Redaction } from './redaction/index.ts'
export { createEngine } from './engine.ts'
export type { Engine, EngineDeps, EngineImports, EngineRecall, EngineUsage, Privacy } from './engine.ts'
export type { SessionSummaryFailure, SessionSummaryText, SummariseInput, SummarySpending } from './engine/summarise.ts'
export type { AskedLanguageModel } from './engine/asked-model.ts'
export type { ContextSetting, CountedRequest, EngineContext } from './engine/context.ts'
export type { EngineSessions } from './engine/sessions.ts'
export type {
  AddedMemory,
  ConsolidationReport,
  ImportOptions as MemoryImportOptions,
  Memory,
  MemoryChanges,
  MemoryImportReport,
  MemoryListing,
  MemoryMatch,
  MemorySection,
  MemoryStats,
  NewMemory,
  Provenance,
  PruneOptions,
  PruneReport,
  SectionOptions,
  KnownMemory,
  StaleCitation,
  StalenessReport,
  StalenessVerdict,
} from './memory/memory.ts'
export type {
  Suggestion,
  SuggestionEvidence,
  SuggestionQuery,
  SuggestionReport,
  SuggestionRule,
  Suggestions,
} from './suggestions/suggestions.ts'
export { parseClioNotes, type ClioNote, type ClioNotes } from './memory/clio-import.ts'
export type { Profile, ProfileItem, ProfileView } from './memory/profile.ts'
export { MEMORY_ENDS_BELOW } from './memory/confidence.ts'
export { MEMORY_END_NAMES } from './memory/end-names.ts'
export { wordKey } from './memory/same-words.ts'
export { citationText, parseCitation } from './memory/staleness-citation.ts'
export type { NoteMatch, Notes } from './notes/notes.ts'
export type { ArchiveThread, SessionArchive, TrimKind } from './archive/archive.ts'
export type { SessionAsOf } from './archive/as-of.ts'
export type { DigestTarget, SessionDigest } from './archive/session-digest.ts'
export { createArchive, sessionArchive, type ArchiveFold, type ArchiveOptions } from './archive/session-archive.ts'
export type { ImportCycle } from './sources/imports/import-cycles.ts'
export type { ImportEdge, ImportGraph } from './sources/imports/import-graph.ts'
export type { FileImports, ImportIndex } from './sources/imports/import-index.ts'
export type { ImportKind } from './sources/imports/found-import.ts'
export { GRAPH_NODE_KINDS, GRAPH_RELATIONS } from './graph/graph.ts'
export type {
  Graph,
  GraphAnswer,
  GraphLink,
  GraphNode,
  GraphNodeKind,
  GraphQuery,
  GraphRelation,
} from './graph/graph.ts'
export type { RelatedSection, RelatedSession } from './session-start/related-sessions.ts'
export type { SessionStart, SessionStartInput } from './session-start/session-start.ts'
export type { BudgetCheck } from './usage/budget.ts'
export type { PriceOverride } from './usage/price-book.ts'
export {
  createDisplayStream,
  type DisplayStream,
  type DisplaySubagent,
  type ToolLink,
} from './session/display-stream.ts'
export type { DeletedRange, DisplayItem, DisplayMarker, DisplayMessage } from './session/display-stream.ts'
export type { EntryBlockPosition } from './session/display-stream.ts'
export { callBrief, firstLine } from './session/call-brief.ts'
export { toHistoryItem, type HistoryItem, type HistoryItemDetails } from './session/history-item.ts'
export { modelHistory, type ModelHistoryOptions, type ModelMessage } from './session/model-history.ts'
export { createLiveEntries, liveEntries, type LiveEntries, type SeqRange } from './session/live-entries.ts'
export { messagesNamed, planRewind, type RewindPlan, type RewindTo } from './session/rewind.ts'
export { createTimeIndex, entriesAt, type TimeIndex, type TimeIndexBuilder } from './session/time-index.ts'

export { createFileActivity, fileActivity, fileEditsIn, locateEdit, relativePath } from './file-activity/index.ts'
export type { FileActivity, FileActivityFold, FileEdit, SessionFiles } from './file-activity/index.ts'

export { createFileTracker, filesInContext } from './tracking/file-tracker.ts'
export type { FileTracker, FileTrackerOptions, FilesInContextQuery, KnownContent } from './tracking/file-tracker.ts'
export type { ChangeVerdict } from './watching/attribution-types.ts'
export type { EngineFiles, FilesSince, KnownText, SessionFilesAnswer } from './engine/files.ts'
export { comparedFiles } from './engine/compared-files.ts'
export type { CompareDeps, FileInContext, FilesOfLog, SessionFilesQuery } from './engine/compared-files.ts'
export { lastKnownOf } from './watching/compare-file.ts'
export { createCommandRuns, type CommandRun } from './tracking/command-runs.ts'
export type { FileWarning } from './watching/file-warning.ts'
export type { ReadTranscript } from './watching/known-files.ts'
export type { GitRecords, WorkingFile } from './ports/git-records.ts'
export type { DiskCheck, DiskState, LastKnown, OtherEdit } from './watching/file-on-disk.ts'
export { createModelUses, modelUses, type ModelUse, type ModelUses } from './tracking/model-use.ts'
export type { FileDates, FileRecord, FileSource, FileState, TrackedFile } from './tracking/tracked-file.ts'
export type { DocumentsInput, EngineDocuments } from './engine/documents.ts'
export type { EngineRelatedFiles, EngineRelatedQuery } from './engine/related-files.ts'
export { contextBudget, fits, shouldCompress, windowLevel } from './models/context-budget.ts'
export type { ContextBudget, ContextBudgetInput, WindowLevel } from './models/context-budget.ts'
export { contextWindowInfo, usedTokens, type ContextWindowInfo, type WindowSource } from './models/cline-window.ts'
export type { CacheKind, ThinkingSignature } from './models/known-models.ts'
export { createModelCatalog, type ModelCatalog } from './models/model-catalog.ts'
export { modelFacts } from './models/model-facts.ts'
export { nearestModels, nearestNames } from './models/nearest-models.ts'
export type { ListedModel, ListedModelLookup, ModelFacts, ModelFactsOptions } from './models/model-facts.ts'
export type { ModelOverride, ModelOverrides } from './models/model-overrides.ts'

export { DEFAULT_CHARS_PER_TOKEN, estimateTokens, type Estimable, type EstimateOptions } from './tokens/estimate.ts'
export type { Tokenizer } from './ports/tokenizer.ts'

export type { AcceptedSummary, RefusalCode } from './summary/accept-summary.ts'
export { TODO_LIST } from './context/todo-in-view.ts'
export { taggedParts, type TextPart } from './user-words/tagged-parts.ts'
export { isRequest, messageOrigin, userAuthoredText, type AuthoredMessage } from './user-words/user-words.ts'
export type { ConversationMessage, FileOperationsOf } from './summary/conversation.ts'
export type { Layer, LayeredSummary, LayeredUnit } from './summary/layered-summary.ts'
export { escapeTags } from './summary/markup.ts'
export { mergeSummaries } from './summary/merge-summaries.ts'
export { parseThreadSummary } from './summary/parse-summary.ts'
export { recoveryContext, type GitActivity, type RecoveryState } from './summary/recovery-context.ts'
export { renderThreadSummary, type RenderOptions } from './summary/render-summary.ts'
export { summariseMessages, type SummariseOptions } from './summary/summarise-messages.ts'
export type { SummaryFailure, WrittenSummary } from './summary/summarise-with-model.ts'
export type { ContinuationMessage } from './summary/summary-prompt.ts'
export type {
  AgentText,
  Commit,
  Exchange,
  FileMention,
  LastItems,
  NewestItems,
  ThreadSummary,
  ToolCount,
  UserText,
} from './summary/thread-summary.ts'
export { showUnseen } from './summary/unseen-characters.ts'
export { asCodePoints, controlPicture, hasUnsafe, replaceUnsafe, type UnsafeKind } from './unsafe-characters.ts'

export { deduplicateFileReads, findDuplicateReads } from './context/steps/file-reads/deduplicate.ts'
export type {
  BlockReplacement,
  DeduplicateOptions,
  DeduplicateResult,
  DuplicateRead,
  DuplicateReads,
} from './context/steps/file-reads/deduplicate.ts'
export {
  applyEdits,
  editsOfDuplicates,
  recordEdits,
  restoreEdits,
  rollbackTo,
  serializeEdits,
  type EditHistory,
  type EditRecord,
  type EditUpdate,
  type RestoredEdits,
  type SerializedEdits,
} from './context/steps/file-reads/edit-history.ts'
export type { FileContentKind, FileContentOptions } from './context/steps/file-reads/file-contents.ts'
export { nextTruncationRange, type TruncationKeep } from './context/policies/cline/truncation-range.ts'
export type { LooseMessage, MadeMessage, BlockPosition } from './context/messages/loose.ts'
export { normaliseMessages, type NormaliseOptions } from './context/messages/normalise.ts'
export { toAnthropicMessages, type AnthropicMessage } from './context/messages/to-anthropic.ts'
export { repairPairs, type RepairedMessage } from './context/messages/repair.ts'
export type { MessageRepair } from './context/messages/sound-exchange.ts'
export { validateMessages, type MessageProblem, type MessageProblemCode } from './context/messages/validate.ts'
export { combineDisplayMessages, type ClineDisplayMessage } from './session/combine-display.ts'
export { afterTaskEntry, createTaskStateFold, initialTaskState, taskEffects, taskState } from './session/task-state.ts'
export type { TaskEffect, TaskEvent, TaskLimits, TaskState, TaskStateFold } from './session/task-state.ts'
export { createTodoFold, parseChecklist, readyTodos, todoList, type TodoFold } from './session/todo.ts'

export { trimContext, type Trim, type TrimInput } from './context/trim.ts'
export { createContextView, type ContextView, type ViewListener } from './context/view.ts'
export { createDraft, type Draft, type RewriteDraft } from './context/draft.ts'
export type { ViewBlock, BlockKind } from './context/view-block.ts'
export { ContextOverflowError, type Obstacle } from './context/overflow.ts'
export { reasonText, type BlockReason } from './context/block-reason.ts'
export { manualChange, targetOf } from './context/manual-change.ts'
export type { ManualAction, ManualChange, ManualTarget } from './context/manual-change.ts'
export { sessionContext } from './context/session-context.ts'
export type {
  ContextBlock,
  ContextMessage,
  ContextState,
  RequestCost,
  SessionContext,
  SessionContextInput,
} from './context/session-context.ts'
export { combinedCommands, type CombinedCommand } from './context/combined-commands.ts'
export { notesBeforeTrims, type NoteBeforeTrim } from './context/progress-notes.ts'
export { ratioOfSession, type EstimateRatio } from './context/learned-ratio.ts'
export type { CountedPart, PartCount, RequestCount } from './context/count-request.ts'
export { sessionModel, windowFor, type SessionModel, type WindowOrigin } from './context/session-model.ts'
export type { ContextPrices, Policy, PolicyRun, Situation } from './context/policy.ts'
export { cacheAwarePolicy } from './context/policies/cache-aware/policy.ts'
export type { CacheAwarePreset, CacheAwareSettings } from './context/policies/cache-aware/settings.ts'
export { clinePolicy, type ClineOptions } from './context/policies/cline/policy.ts'
export { clioPolicy, type ClioOptions } from './context/policies/clio/policy.ts'
export { POLICY_NAMES, PRESET_NAMES, policyOf, type PolicyName } from './context/policies/registry.ts'
export { compactionPays } from './context/compact/compaction-pays.ts'
export type { CompactionCase, CompactionVerdict, SummaryPrice } from './context/compact/compaction-pays.ts'
export { compactWithModel } from './context/compact/compact-with-model.ts'
export type {
  CompactFailure,
  CompactRequest,
  Compacted,
  CompactionForecast,
} from './context/compact/compact-with-model.ts'
export { createContext } from './context/create-context.ts'
export type { BlockState, Context, Prepared, PreparedBlock, WithheldBlock } from './context/create-context.ts'
export type { Removal, RewriteReport } from './context/rewrite-report.ts'
export { prepare, situationOf, type PrepareInput, type RequestSetting } from './context/request.ts'

export { needsOf } from './replay/needs.ts'
export type { Anchor, BlockFacts, BlockKey, Needs, Reference, TurnNeeds } from './replay/needs.ts'
export { DEFAULT_REPLAY_PRICES, pricesOfModel } from './replay/prices.ts'
export { replayPolicy, replayRequests, replyReserve } from './replay/run.ts'
export type { PolicyReplay, ReplaySettings, RequestTrace, TokenUse } from './replay/run.ts'
export type { CostByClass } from './replay/costs.ts'
export { createTraceLines, type TracedBlock } from './replay/trace.ts'
export { trajectoryOf } from './replay/trajectory.ts'
export type { RecordedOutput, Trajectory, TrajectorySource, Turn } from './replay/trajectory.ts'
export { RECORDED, REPLAY_POLICY_NAMES, defaultReplayPolicies, replayedPolicy } from './replay/recorded.ts'
export type { ReplayPolicyName, ReplayedPolicy } from './replay/recorded.ts'
export { WHY_PAID_DIFFERS, paidRequests, paidUsage, savedUsd, type PaidRequest, type PaidUsage } from './replay/paid.ts'

export type { RecordedModelOptions } from './requests/recorded-model.ts'
export type { Requests } from './requests/send.ts'
export type {
  NewSession,
  RequestEvent,
  RequestSettings,
  RequestStored,
  SendInput,
  SentRequest,
} from './requests/send-input.ts'

export { knownModels } from './engine/model-list.ts'
export { unpricedModels, type UnpricedModel, type UnpricedModels } from './engine/unpriced-models.ts'
export type { KnownModel, KnownModels, KnownModelsOptions, ModelPrices, NamedModel } from './engine/model-list.ts'
