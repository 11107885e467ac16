/** What an import did, in words. */
import type { ImportSkip } from '@cairn/core'
import type { ImportReport } from '@cairn/core/importers'
import { counted } from '../text/format.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import type { ImportProgress } from './import-job.ts'

/**
 * Returns what an import did, in one or two sentences: how many files were read, and new sessions, messages and
 * requests, zeros too; with `files` 0 that nothing is new. Then how many places were left out, if any.
 */
export const importSummary = ({ files, sessions, messages, requests, skipped }: ImportReport): string => {
  const left = skipped.reduce((sum, { count }) => sum + count, 0)
  const leftOut = left === 0 ? '' : ` ${counted(left, 'place was', 'places were')} left out.`
  if (files === 0)
    return left === 0 ? 'Nothing new: everything that your agents recorded is in the store.' : `Nothing new.${leftOut}`
  return `Read ${counted(files, 'file')}: ${counted(sessions, 'new session')}, ${counted(messages, 'new message')}, ${counted(requests, 'new request')}.${leftOut}`
}

/** Returns one line for something that was skipped, safe to show: `file:line: reason (3 times)`. */
export const skipText = ({ file, line, reason, count }: ImportSkip): string =>
  `${neutraliseLine(file)}${line === undefined ? '' : `:${line}`}: ${neutraliseLine(reason)}${count > 1 ? ` (${count.toLocaleString('en-US')} times)` : ''}`

/** Returns how far an import is: `12 of 340 files (43%)`; the share is rounded down. */
export const progressText = ({ filesDone, files, share }: ImportProgress): string =>
  `${filesDone.toLocaleString('en-US')} of ${counted(files, 'file')} (${Math.floor(share * 100)}%)`
