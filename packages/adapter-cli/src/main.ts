/** Starts the command: terminal in, exit code out. */
import { createContext } from './runtime/context.ts'
import { surroundingsOfProcess } from './config/locations.ts'
import { exitCodeOf, failureOf, sentenceOf } from './runtime/failure.ts'
import { jsonText } from './output/json-output.ts'
import { run } from './program.ts'
import { createTerminal } from './terminal/terminal.ts'
import packageJson from '../package.json' with { type: 'json' }

const argv = process.argv.slice(2)
const own = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv

process.stderr.on('error', () => undefined)

const terminal = createTerminal(
  { input: process.stdin, output: process.stdout, error: process.stderr, variables: process.env },
  !own.includes('--no-color'),
)
const context = createContext(terminal, surroundingsOfProcess())

/**
 * Sets the exit code after the output was written. A reader that has gone (`cairn usage | head`) is not a failure; any
 * other failure to write is, with exit code 1.
 */
const checkOutput = async (exitCode: number): Promise<void> => {
  await terminal.flush()
  const failure = terminal.outputFailure
  if (failure === undefined || failure.code === 'EPIPE') return
  terminal.note(`The output can't be written: ${failure.message}.`)
  if (exitCode === 0) process.exitCode = 1
}

try {
  await run(argv, context, () => packageJson.version)
  process.exitCode = context.exitCode
  await checkOutput(process.exitCode)
} catch (error) {
  process.exitCode = exitCodeOf(error)
  if (own.includes('--json')) await terminal.line(jsonText(failureOf(error)))
  terminal.note(sentenceOf(error))
  if ((process.env['CAIRN_DEBUG'] ?? '') !== '') console.error(error)
} finally {
  await context.close()
}
