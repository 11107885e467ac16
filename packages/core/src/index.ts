/** The engine's public interface. Everything is exported by name, so that what is public is decided here. */
export { CairnError, StorageError, messageOf } from './errors.ts'
export type { ErrorCode } from './errors.ts'
export type { EngineEvent, EngineListener, ImportSkip } from './events.ts'
export { arrayOf, countOf, isJsonObject, objectOf, stringOf } from './json.ts'
export type { JsonObject, JsonValue } from './json.ts'
export { textOfBlock, textOfJson, visibleCharacters } from './messages.ts'
export type { ContentBlock, FileBlock, ImageBlock, Message, OtherBlock, Role, TextBlock, ThinkingBlock, ToolCallBlock, ToolResultBlock } from './messages.ts'
export { formatUsd, nanoFromUsd, usdFromNano } from './money.ts'
export type { NanoUsd } from './money.ts'
export { err, ok } from './result.ts'
export type { Result } from './result.ts'
export type { EntryKind, LogEntry, MessageEntry, NewLogEntry, TodoItem } from './session-log.ts'

export type { CheckpointRecord, CheckpointStorage } from './ports/checkpoint-storage.ts'
export type { Clock } from './ports/clock.ts'
export type { FileFacts, FileSystem } from './ports/file-system.ts'
export type { Hasher } from './ports/hasher.ts'
export type { Ids } from './ports/ids.ts'
export type { ImportBatch, ImportCounts, ImportCursor, ImportStorage, ImportedFile, SessionBatch, SourceRun } from './ports/import-storage.ts'
export type { MemoryEntry, MemoryKind, MemoryStorage } from './ports/memory-storage.ts'
export type { Note, NoteStorage } from './ports/note-storage.ts'
export type { CostSplit, PriceBook, PriceQuery, TokenUsage } from './ports/price-book.ts'
export type { SearchHit, SearchIndex, SearchQuery } from './ports/search-index.ts'
export type {
  DeletionReport,
  EntryWrite,
  SequenceConflict,
  SessionFacts,
  SessionPage,
  SessionQuery,
  SessionStorage,
  SessionSummary,
  SourceLine,
} from './ports/session-storage.ts'
export type { StateScope, StateStorage } from './ports/state-storage.ts'
export type { Store, StoreFault, StoreStatistics } from './ports/store.ts'
export { isPartial, missingOutputTokens } from './ports/usage-storage.ts'
export type {
  CostState,
  RequestFact,
  StoredRequest,
  UsageDimension,
  UsageGrouping,
  UsagePeriod,
  UsageQuery,
  UsageReport,
  UsageRow,
  UsageStorage,
  UsageTotals,
} from './ports/usage-storage.ts'

export { BUCKET_MS, DAY_MS, assertTimeZone, bucketOf, periodKey, zoneOffsets } from './usage/calendar.ts'
export { mergeReports } from './usage/merge-reports.ts'
export type { RequestReport } from './usage/merge-reports.ts'
export { parseTime } from './usage/time-text.ts'
export { addTotals, allInputTokens, cacheHitRatio, emptyTotals } from './usage/totals.ts'

export { createEngine } from './engine.ts'
export type { Engine, EngineDeps } from './engine.ts'
export type { BudgetCheck } from './usage/budget.ts'
export type { PriceOverride } from './usage/price-book.ts'
export { createDisplayStream } from './session/display-stream.ts'
export type { DisplayItem, DisplayMarker, DisplayMessage, DisplayStream, DisplaySubagent } from './session/display-stream.ts'
export { toHistoryItem } from './session/history-item.ts'
export type { HistoryItem, HistoryItemDetails } from './session/history-item.ts'
export { createModelHistory, modelHistory } from './session/model-history.ts'
export type { ModelHistory, ModelHistoryOptions, ModelMessage } from './session/model-history.ts'
export { createTimeIndex, entriesAt } from './session/replay.ts'
export type { TimeIndex, TimeIndexBuilder } from './session/replay.ts'

export { createFileActivity, fileActivity } from './tracking/file-activity.ts'
export type { FileActivity, FileActivityFold, SessionFiles } from './tracking/file-activity.ts'
