/** Files of workspaces, and what git tells of them (`@cairn/core/node/sources`). */
export { createGitFacts } from './git-facts.ts'
export { createWorkspaceFiles, type WorkspaceFilesOptions } from './workspace-files.ts'
export { openImportIndex, type ImportIndexSetting } from './open-import-index.ts'
export { openProjectMaps, type MadeProjectMap, type ProjectMapOptions, type ProjectMaps } from './open-project-map.ts'
