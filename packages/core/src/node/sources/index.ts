/** Files of workspaces, and what git tells of them (`@cairn/core/node/sources`). */
export { createDocumentFiles, type DocumentFiles } from './document-files.ts'
export { createGitFacts } from './git-facts.ts'
export { createGitHistory } from './git-history.ts'
export { createSourceAccess } from './source-access.ts'
export { createWorkspaceFiles, ignoredBy, type WorkspaceFilesOptions } from './workspace-files.ts'
export { openImportIndex, type ImportIndexSetting } from './open-import-index.ts'
export { openProjectMaps, type MadeProjectMap, type ProjectMapOptions, type ProjectMaps } from './open-project-map.ts'
