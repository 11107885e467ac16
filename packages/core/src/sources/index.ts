/** What the files of a workspace tell: related files, imports and context documents, as the engine and `@cairn/core/node/sources` answer (`@cairn/core/sources`). */
export { isDocumentId } from './documents/document-layout.ts'
export type { DocumentId, DocumentLayout, LayoutChange } from './documents/document-layout.ts'
export type { SectionState } from './documents/marked-sections.ts'
export type { DocumentMode, DocumentPlan, ExistingDocument } from './documents/plan-documents.ts'
export type { ImportCycle } from './imports/import-cycles.ts'
export type { ImportEdge } from './imports/import-graph.ts'
export type { FileImports } from './imports/import-index.ts'
export type { RelatedFile } from './related/related.ts'
