/** Loaded only by hooks that import. */
export { queueImport } from '../import-queue.ts'
