/** Importers of other agents' transcripts. */
export { claudeCodeImporter } from './claude-code.ts'
export { clineImporter, kiloImporter, rooImporter } from './cline.ts'
export { codexImporter } from './codex.ts'
export { discover, type DiscoverOptions, type Discovery, type FoundFile } from './discover.ts'
export { genericImporter } from './generic.ts'
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
} from './importer.ts'
export { splitElements, type DocumentEnd, type ElementOptions } from './json-elements.ts'
export { splitLines, type SourceItem, type SplitOptions } from './lines.ts'
export { createBatchParser, type BatchOutcome, type ParseDeps } from './parse-batch.ts'
export { piImporter } from './pi.ts'
export { readTranscript, type Transcript, type TranscriptSession } from './read-transcript.ts'
export { importAgents, importerOf } from './registry.ts'
export { runImport, type ImportDeps, type ImportOptions, type ImportReport } from './run.ts'
export { createWorkspaceResolver, repositoryByPath } from './workspace.ts'
