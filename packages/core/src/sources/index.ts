/** What the files of a workspace tell: related files and imports, as the engine and `@cairn/core/node/sources` answer (`@cairn/core/sources`). */
export type { ImportCycle } from './imports/import-cycles.ts'
export type { ImportEdge } from './imports/import-graph.ts'
export type { FileImports } from './imports/import-index.ts'
export type { RelatedFile } from './related/related.ts'
