/** Files of workspaces (`@cairn/core/node/sources`). */
export { createWorkspaceFiles, type WorkspaceFilesOptions } from './workspace-files.ts'
