/** Importers of other agents' transcripts. */
export {
  discover,
  isSearchedFolder,
  isTranscriptName,
  transcriptRoots,
  type DiscoverOptions,
  type Discovery,
  type FoundFile,
} from './discover.ts'
export { LEFT_TO_ANOTHER, isUnfinished } from './import-file.ts'
export type {
  DocumentFormat,
  FileParser,
  ImportAgent,
  ImportEnvironment,
  Importer,
  LineContext,
  ParsedLine,
  ParserInput,
  Recognition,
  RecordBatch,
  RecordRequest,
} from './importer.ts'
export { readFileAhead } from './read-file-ahead.ts'
export { readTranscript, type Transcript, type TranscriptSession } from './read-transcript.ts'
export { importAgents, findImporter, transcriptOf } from './registry.ts'
export type { ImportOptions, ImportReport } from './run.ts'
export type {
  BatchAhead,
  BatchFacts,
  FileAhead,
  FileEnd,
  ReadAhead,
  ThreadedImportStorage,
} from '../ports/read-ahead.ts'
export { createWorkspaceResolver } from './workspace.ts'
