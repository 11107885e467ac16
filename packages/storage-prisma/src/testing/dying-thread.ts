/** A thread that reads ahead, and ends in the middle of it: at the fourth batch that it is asked to complete. */
import { parentPort } from 'node:worker_threads'
import { runReadAheadThread } from '../read-ahead/thread.ts'

let left = 4
parentPort?.on('message', ({ kind }: { readonly kind: string }) => {
  if (kind !== 'complete') return
  left -= 1
  if (left === 0) process.exit(7)
})
runReadAheadThread()
