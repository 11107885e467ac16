/** Starts the command: terminal in, exit code out. */
import { createContext } from './context.ts'
import { surroundingsOfProcess } from './config/locations.ts'
import { exitCodeOf, failureOf, sentenceOf } from './failure.ts'
import { jsonText } from './json-output.ts'
import { run } from './program.ts'
import { createTerminal } from './terminal/terminal.ts'
import packageJson from '../package.json' with { type: 'json' }

const argv = process.argv.slice(2)
const own = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv

// Whoever read the output has seen enough: `cairn session show … | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(process.exitCode ?? 0)
})
process.stderr.on('error', () => undefined)

const terminal = createTerminal({ input: process.stdin, output: process.stdout, error: process.stderr, variables: process.env }, !own.includes('--no-color'))
const context = createContext(terminal, surroundingsOfProcess())

try {
  await run(argv, context, () => packageJson.version)
  process.exitCode = context.exitCode
} catch (error) {
  process.exitCode = exitCodeOf(error)
  if (own.includes('--json')) await terminal.line(jsonText(failureOf(error)))
  terminal.note(sentenceOf(error))
  if ((process.env['CAIRN_DEBUG'] ?? '') !== '') console.error(error)
} finally {
  await context.close()
}
