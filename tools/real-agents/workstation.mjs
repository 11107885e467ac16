// A machine of its own for an agent: an empty home, an empty data folder of Cairn, a project under git.
import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram, waitFor } from './run-program.mjs'

const command = fileURLToPath(new URL('../../packages/adapter-cli/bin/cairn.js', import.meta.url))

/** What programs need of the outer environment; all else, such as keys and settings of agents, is left out. */
const PASSED_ON = ['SystemRoot', 'ComSpec', 'PATHEXT', 'LANG', 'npm_config_registry', 'HTTPS_PROXY', 'HTTP_PROXY']

/**
 * Makes a home, a data folder and a project with a repository, all in a new temporary folder. `remove` takes them away
 * again.
 * @param {string} name of the agent, for the folder's name
 */
export async function createWorkstation(name) {
  // The folder's name does not hold Cairn's: tests look for it in settings.
  const root = realpathSync(mkdtempSync(join(tmpdir(), `agent-${name}-`)))
  const [home, data, project, temporary] = ['home', 'data', 'project', 'tmp'].map((folder) => join(root, folder))
  for (const folder of [home, data, project, temporary]) mkdirSync(folder)
  const passed = Object.fromEntries(PASSED_ON.flatMap((key) => (process.env[key] ? [[key, process.env[key]]] : [])))
  const env = {
    ...passed,
    PATH: [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, 'AppData', 'Roaming'),
    LOCALAPPDATA: join(home, 'AppData', 'Local'),
    TMPDIR: temporary,
    TEMP: temporary,
    NO_PROXY: '127.0.0.1,localhost',
    NO_COLOR: '1',
    TERM: 'xterm',
    CAIRN_HOME: data,
  }

  const run = (words, variables = {}) => runProgram(words, { cwd: project, env: { ...env, ...variables } })

  const done = async (words, variables) => {
    const { status, stdout, stderr } = await run(words, variables)
    assert.equal(status, 0, `${words.join(' ')} ended with ${status}: ${stderr.trim()} ${stdout.trim()}`)
    return stdout
  }
  const cairn = (...words) => run([process.execPath, command, ...words])

  /** Waits until no import that a hook asked for is waiting or at work. */
  const importsEnd = () =>
    waitFor('end of the imports', async () => {
      const queue = join(data, 'import-queue')
      return !existsSync(queue) || readdirSync(queue).length === 0 ? true : undefined
    })

  writeFileSync(join(project, 'README.md'), '# A harbour\n')
  await done(['git', 'init', '--quiet', '--initial-branch', 'main'])
  await done(['git', 'add', '.'])
  await done(['git', '-c', 'user.name=Test', '-c', 'user.email=test@example.org', 'commit', '--quiet', '-m', 'Begin'])

  return {
    home,
    data,
    project,
    env,
    /** Runs a program in the project, whatever it ends with. */
    run,
    /** Runs a program in the project, which must end with 0. @returns {Promise<string>} its standard output */
    done,
    /** Runs `cairn`, whatever it ends with. */
    cairn,
    /** Runs `cairn … --json`, which must end with 0. */
    cairnJson: async (...words) => JSON.parse(await done([process.execPath, command, ...words, '--json'])),
    /** Writes a file of the user's into the home. */
    write: (path, text) => {
      const file = join(home, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    },
    /** A file of the home as text. */
    read: (path) => readFileSync(join(home, path), 'utf8'),
    importsEnd,
    /** Leaves nothing behind: an import that still ran would make its folders again. */
    remove: async () => {
      await importsEnd()
      rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 })
    },
  }
}

/** @typedef {Awaited<ReturnType<typeof createWorkstation>>} Workstation */
