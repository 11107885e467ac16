// The extension as it is packaged, away from the repository (where a file that the package lacks would be found by
// accident), in a stub of the editor: opens a store, shows it, follows another process. Run by the e2e target.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openStore } from '@cairn/storage-prisma'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'cairn-vscode-'))
const installed = join(folder, 'extension')
const opened = join(folder, 'shop')
const home = join(folder, 'home')

/** What the package holds, by the packager's own word. */
const packagedFiles = () => {
  const vsce = createRequire(import.meta.url).resolve('@vscode/vsce/vsce')
  const { stdout, status } = spawnSync(process.execPath, [vsce, 'ls', '--no-dependencies'], { cwd: root, encoding: 'utf8' })
  assert.equal(status, 0)
  return stdout.trim().split('\n')
}

const record = async (store, id, costNano) => {
  const at = Date.now()
  const request = { callId: id, at, model: 'model-1', inputTokens: 1000, cacheReadTokens: 0, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0, outputTokens: 500, costNano, costState: 'computed' }
  const entry = { kind: 'message', at, role: 'assistant', id, content: [{ type: 'text', text: 'done' }] }
  await store.sessions.append({ id: `cairn:${id}`, agent: 'cairn', externalId: id, workspace: opened }, 0, [{ entry, externalId: id, request }])
}

describe('the packaged extension', () => {
  let editor
  let lines
  const seen = []

  /** The next line that the stub prints and that fits. */
  const printed = async (fits) => {
    for (;;) {
      const found = seen.find(fits)
      if (found !== undefined) return found
      await once(lines, 'line', { signal: AbortSignal.timeout(10_000) })
    }
  }

  before(() => {
    for (const file of packagedFiles()) cpSync(join(root, file), join(installed, file))
    editor = spawn(process.execPath, [fileURLToPath(new URL('./stub-editor.cjs', import.meta.url)), installed, opened], {
      cwd: folder,
      env: { PATH: process.env.PATH, CAIRN_HOME: home, HOME: folder, USERPROFILE: folder },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    lines = createInterface({ input: editor.stdout })
    lines.on('line', (line) => seen.push(JSON.parse(line)))
  })

  after(() => {
    editor.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  it('says that there is no store, and makes none', async () => {
    const { label } = await printed(({ label }) => label?.includes('cairn import'))
    assert.ok(label.includes(join(home, 'cairn.db')))
    assert.equal(existsSync(home), false)
  })

  it('shows the store once it is there, and follows what another process writes', async () => {
    const store = await openStore(`file:${join(home, 'cairn.db')}`)
    await record(store, 'one', 1_250_000_000n)
    editor.stdin.write('cairn.showUsage\n')
    const { label } = await printed(({ status }) => status === '$(graph) $1.25 · 1.5K')
    assert.equal(label, 'Cairn: $1.25 and 1.5K tokens today in shop')
    await record(store, 'two', 2_000_000_000n)
    await printed(({ status }) => status === '$(graph) $3.25 · 3K')
    await store.close()
  })

  it('shows the tables', async () => {
    editor.stdin.write('cairn.showUsage\n')
    const { document } = await printed(({ document }) => document?.includes('$3.25'))
    assert.match(document, /\| Total +\| +2 \| +3K \|/)
    assert.match(document, /shop ← here/)
  })

  it('lets go of everything when it is deactivated', async () => {
    const exited = once(editor, 'exit', { signal: AbortSignal.timeout(10_000) })
    editor.stdin.end()
    const [code] = await exited
    assert.equal(code, 0)
  })
})
