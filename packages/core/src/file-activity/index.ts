/** The public exports of this folder. */
export { createFileActivity, fileActivity, relativePath } from './file-activity.ts'
export type { FileActivity, FileActivityFold, SessionFiles } from './file-activity.ts'
export { fileEditsIn, locateEdit } from './file-edits.ts'
export type { FileEdit } from './file-edits.ts'
