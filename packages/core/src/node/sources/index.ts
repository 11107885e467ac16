/** Files of workspaces (`@cairn/core/node/sources`). */
export { createWorkspaceFiles, type WorkspaceFilesOptions } from './workspace-files.ts'
export { openImportIndex, type ImportIndexSetting } from './open-import-index.ts'
export { openProjectMaps, type MadeProjectMap, type ProjectMapOptions, type ProjectMaps } from './open-project-map.ts'
