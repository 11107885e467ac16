/** Files of workspaces (`@cairn/core/node/sources`). */
export { createSourceAccess } from './source-access.ts'
export { createWorkspaceFiles, type WorkspaceFilesOptions } from './workspace-files.ts'
