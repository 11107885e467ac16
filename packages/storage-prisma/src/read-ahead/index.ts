/** The thread that reads ahead for imports, for programs that start it from a file of their own. */
export { isReadAheadSetting } from './messages.ts'
export { runReadAheadThread } from './thread.ts'
