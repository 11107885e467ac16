/** Writes what each request of a replay was sent with. */
import { resolve } from 'node:path'
import { CairnError } from '@cairn/core'
import { realPathOf } from '@cairn/core/node'
import type { Context } from '../command.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { writeOutput } from './session-export.ts'

/** The program's own output, under its names as files: the report goes there. */
const OPEN_ALREADY = /^\/(?:dev\/(?:std(?:in|out|err)|fd\/\d+)|proc\/self\/fd\/\d+)$/

const targetOf = (trace: string, { surroundings }: Context): string => resolve(surroundings.folder, trace)

/** Throws for a trace that would replace the transcript that is read, or mix with the report. */
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

/** Writes the lines as they come; a file is there complete or not at all. */
export const writeTrace = async (trace: string, lines: AsyncIterable<string>, context: Context): Promise<void> => {
  await writeOutput(targetOf(trace, context), lines, neutraliseLine(trace))
}
