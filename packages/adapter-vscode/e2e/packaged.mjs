// The extension's files as they are packaged, and the stub of the editor that runs them, for the tests beside.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** How long to wait, ms: far longer than anything takes, even on a busy machine. */
export const LIMIT_MS = 60_000

const root = fileURLToPath(new URL('..', import.meta.url))

export const packageManifest = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Copies the files of the package, as the packager lists them. */
export const installPackaged = (folder) => {
  const vsce = createRequire(import.meta.url).resolve('@vscode/vsce/vsce')
  const { stdout, status } = spawnSync(process.execPath, [vsce, 'ls', '--no-dependencies'], {
    cwd: root,
    encoding: 'utf8',
  })
  assert.equal(status, 0)
  for (const file of stdout.trim().split('\n')) cpSync(join(root, file), join(folder, file))
}

/** A temporary folder with paths for the extension, the folder that is opened, and Cairn's data; nothing is made in it yet. */
export const temporaryFolders = () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-vscode-')))
  const home = join(folder, 'home')
  return {
    folder,
    home,
    installed: join(folder, 'extension'),
    opened: join(folder, 'shop'),
    variables: { PATH: process.env.PATH, CAIRN_HOME: home, HOME: folder, USERPROFILE: folder },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
}

/**
 * A window of the editor's stub. `printed` waits for the newest line of its output that passes a test; `end` closes it, and
 * gives its exit code.
 */
export const openStub = ({ installed, opened, variables, settings = {}, limitMs = LIMIT_MS }) => {
  const stub = fileURLToPath(new URL('./stub-editor.cjs', import.meta.url))
  const editor = spawn(process.execPath, [stub, installed, opened, JSON.stringify(settings)], {
    cwd: join(opened, '..'),
    env: variables,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const seen = []
  const lines = createInterface({ input: editor.stdout })
  lines.on('line', (line) => seen.push(JSON.parse(line)))
  const exited = once(editor, 'exit', { signal: AbortSignal.timeout(4 * limitMs) })
  // Not waited for by every test.
  exited.catch(() => undefined)
  const run = (command, ...args) => editor.stdin.write(`${JSON.stringify({ command, args })}\n`)
  let tickets = 0
  const stubbed = {
    run,
    /** What is below a node of a view now. */
    children: async (view, node) => {
      const own = ++tickets
      run('stub.children', view, node, own)
      return (await stubbed.printed(({ ticket }) => ticket === own)).items
    },
    printed: async (fits) => {
      // One limit for all lines: something is printed every minute.
      const signal = AbortSignal.timeout(limitMs)
      for (;;) {
        const found = seen.findLast(fits)
        if (found !== undefined) return found
        await once(lines, 'line', { signal })
      }
    },
    exited,
    kill: (signal) => editor.kill(signal),
    end: async () => {
      editor.stdin.end()
      return (await exited)[0]
    },
  }
  return stubbed
}
