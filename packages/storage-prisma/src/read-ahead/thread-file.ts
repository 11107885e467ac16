/** The file that a thread that reads ahead is started with. */
import { runReadAheadThread } from './thread.ts'

runReadAheadThread()
