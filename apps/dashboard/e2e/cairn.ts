/** The command line, asked for the same store. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const CLI = fileURLToPath(new URL('../../../packages/adapter-cli/bin/cairn.js', import.meta.url))
const run = promisify(execFile)

/** What `cairn <words> --json` prints for the store of a file, parsed; in no project's folder. */
export const cairnJson = async (file: string, words: readonly string[]): Promise<unknown> => {
  const { stdout } = await run(process.execPath, [CLI, ...words, '--json', '--store', `file:${file}`], {
    cwd: '/',
    env: { ...process.env, NODE_OPTIONS: '' },
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout)
}
