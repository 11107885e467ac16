/** The process that an agent starts: its time limit, its answer, its exit. Starts as soon as it is loaded. */
import { writeSync } from 'node:fs'
import { homedir } from 'node:os'
import { codeOf } from '@cairn/core/node'
import { TIME_LIMIT_MS, logTimeLimit, runHookProgram } from './hook-program.ts'

/** Returns the working folder; undefined if it was deleted or can't be told. */
const workingFolder = (): string | undefined => {
  try {
    return process.cwd()
  } catch {
    return undefined
  }
}

/**
 * Writes a text to a file descriptor completely, or until the time limit. Streams are avoided because loading them
 * takes a tenth of a run. If the reader has gone, the rest is dropped.
 */
const writeWhole = (file: number, text: string): void => {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length;) {
    try {
      from += writeSync(file, bytes, from)
    } catch (error) {
      // Whoever reads is not as fast; the time limit ends it.
      if (codeOf(error) !== 'EAGAIN' || performance.now() > TIME_LIMIT_MS) return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
    }
  }
}

const argv = process.argv.slice(2)
const surroundings = { variables: process.env, platform: process.platform, home: homedir(), folder: workingFolder() }
setTimeout(() => void logTimeLimit(argv, surroundings).then(() => process.exit(0)), TIME_LIMIT_MS)
void runHookProgram(argv, {
  surroundings,
  write: (text) => {
    writeWhole(1, text)
    return Promise.resolve()
  },
  note: (text) => writeWhole(2, `${text}\n`),
  // Standard input may still be open at the other end.
}).then((exitCode) => process.exit(exitCode))
