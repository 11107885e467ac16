/** Writes the trace of a replay: the content of each request. */
import { resolve } from 'node:path'
import { CairnError } from '@cairn/core'
import { realPathOf } from '@cairn/core/node'
import type { Context } from '../command.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { writeOutput } from './session-export.ts'

/** Names of this process's own output as files: the report is written there. */
const OPEN_ALREADY = /^\/(?:dev\/(?:std(?:in|out|err)|fd\/\d+)|proc\/self\/fd\/\d+)$/

/** Returns the trace's absolute path. */
const targetOf = (trace: string, { surroundings }: Context): string => resolve(surroundings.folder, trace)

/**
 * Throws `usage` for a trace that would overwrite the transcript, or get mixed with the report. `source`: the
 * transcript's path, undefined for a session of the store.
 */
export const checkTraceTarget = (trace: string, source: string | undefined, context: Context): void => {
  const target = targetOf(trace, context)
  if (trace === '-' || OPEN_ALREADY.test(target))
    throw new CairnError('usage', `--trace takes a file, not ${neutraliseLine(trace)}: the report goes there.`)
  if (source !== undefined && realPathOf(target) === realPathOf(source))
    throw new CairnError(
      'usage',
      `--trace ${neutraliseLine(trace)} would replace the transcript itself; name another file.`,
    )
}

/**
 * Replaces the file once it is complete; a pipe or device is written into.
 * @throws CairnError `invalid-input` where it can't be written.
 */
export const writeTrace = async (trace: string, lines: AsyncIterable<string>, context: Context): Promise<void> => {
  await writeOutput(targetOf(trace, context), lines, neutraliseLine(trace))
}
