// The extension as it is packaged, away from the repository (where a file that the package lacks would be found by
// accident), in a stub of the editor: opens a store, shows it, follows another process. Run by the e2e target.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openStore } from '@cairn/storage-prisma'
import { installPackaged, openStub } from './packaged.mjs'

const folder = mkdtempSync(join(tmpdir(), 'cairn-vscode-'))
const installed = join(folder, 'extension')
const opened = join(folder, 'shop')
const home = join(folder, 'home')

const record = async (store, id, costNano) => {
  const at = Date.now()
  const request = {
    callId: id,
    at,
    model: 'model-1',
    inputTokens: 1000,
    cacheReadTokens: 0,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
    outputTokens: 500,
    costNano,
    costState: 'computed',
  }
  const entry = { kind: 'message', at, role: 'assistant', id, content: [{ type: 'text', text: 'done' }] }
  await store.sessions.append({ id: `cairn:${id}`, agent: 'cairn', externalId: id, workspace: opened }, 0, [
    { entry, externalId: id, request },
  ])
}

describe('the packaged extension', () => {
  let editor
  const run = (command, ...args) => editor.run(command, ...args)
  const printed = (fits) => editor.printed(fits)

  before(() => {
    installPackaged(installed)
    mkdirSync(opened)
    const variables = { PATH: '/nowhere', CAIRN_HOME: home, HOME: folder, USERPROFILE: folder }
    // What it follows by itself is tried below.
    editor = openStub({ installed, opened, variables, settings: { watch: false } })
  })

  after(() => {
    editor.kill()
  })

  it('says that there is no store, and creates none', async () => {
    const { label } = await printed(({ label }) => label?.includes('Cairn: Import Now'))
    assert.ok(label.includes(join(home, 'cairn.db')))
    assert.equal(existsSync(home), false)
  })

  it('says where there is no git that checkpoints need one, and is asked for nothing', async () => {
    await printed(({ context, value }) => context === 'cairn.checkpoints.empty' && value === 'no-git')
    assert.equal(existsSync(home), false)
  })

  it("shows the store once it exists, and follows another process's writes", async () => {
    const store = await openStore(`file:${join(home, 'cairn.db')}`)
    await record(store, 'one', 1_250_000_000n)
    const { label } = await printed(({ status }) => status === '$(graph) $1.25 · 1.5K')
    assert.equal(label, 'Cairn: $1.25 and 1.5K tokens today in shop')
    await record(store, 'two', 2_000_000_000n)
    await printed(({ status }) => status === '$(graph) $3.25 · 3K')
    await store.close()
  })

  it('shows the tables', async () => {
    run('cairn.showUsage')
    const { document } = await printed(({ document }) => document?.includes('$3.25'))
    assert.match(document, /\| Total +\| +\$3\.25 \| +2 \| +3K \|/)
    assert.match(document, /shop ← here/)
  })

  it('lists the sessions, the newest first, and opens one', async () => {
    const { tree } = await printed(({ tree }) => tree?.[0]?.sessions.length === 2)
    assert.equal(tree[0].label, 'Today')
    assert.deepEqual(
      tree[0].sessions.map(({ label, description }) => [label, description]),
      [
        ['two', 'cairn · $2.00 · now'],
        ['one', 'cairn · $1.25 · now'],
      ],
    )
    const { command } = tree[0].sessions[0]
    run(command.command, ...command.arguments)
    const { html, title } = await printed(({ page }) => page === 'cairn.session')
    assert.equal(title, '/Cairn sessions/two')
    assert.match(
      html,
      /default-src 'none'; style-src https:\/\/stub\.example; script-src 'nonce-[0-9a-f]{32}'; img-src data:/,
    )
    const says = (message) => run('stub.post', 'cairn.session', message)
    says({ type: 'ready' })
    const { told } = await printed(({ told }) => told?.type === 'session')
    assert.deepEqual([told.head.title, told.head.entries], ['two', 1])
    says({ type: 'outline' })
    assert.equal((await printed(({ told }) => told?.type === 'outline')).told.outline.cost, '$2.00')
    says({ type: 'entries', page: 0 })
    const { entries } = (await printed(({ told }) => told?.type === 'entries')).told
    assert.deepEqual(
      entries.map(({ role, blocks }) => [role, blocks.map(({ text }) => text)]),
      [['assistant', ['done']]],
    )
    says({ type: 'run', command: 'anything' })
    says({ type: 'copy-link', seq: 0 })
    const { copied } = await printed(({ copied }) => copied !== undefined)
    assert.equal(copied, 'vscode://cairn.cairn-vscode/session?id=cairn%3Atwo&entry=0')
  })

  it('opens a session as a text, and at an entry by a link', async () => {
    run('cairn.openSessionAsText', 'cairn:two')
    const { document } = await printed(({ document }) => document?.startsWith('# two'))
    assert.match(document, /\n## assistant · \d\d:\d\d:\d\d\n {2}done\n$/)
    run('stub.uri', { path: '/session', query: 'id=cairn%3Aone&entry=0' })
    await printed(({ page, title }) => page === 'cairn.session' && title === '/Cairn sessions/one')
    run('stub.post', 'cairn.session', { type: 'ready' })
    await printed(({ told }) => told?.type === 'show' && told.seq === 0)
    run('cairn.openSession', '../../nothing')
    await printed(({ error }) => error?.includes('not in the store'))
  })

  it('imports in a separate thread, shows what is new, and logs what was left out', async () => {
    const project = join(folder, '.claude', 'projects', '-code-shop')
    mkdirSync(project, { recursive: true })
    const line = {
      type: 'user',
      uuid: 'u1',
      sessionId: 'abc',
      timestamp: new Date().toISOString(),
      cwd: opened,
      message: { role: 'user', content: 'Fix the login' },
    }
    writeFileSync(join(project, 'abc.jsonl'), `${JSON.stringify(line)}\nno JSON\n`)
    run('cairn.importNow')
    const { message } = await printed(({ message }) => message !== undefined)
    assert.equal(message, 'Read 1 file: 1 new session, 1 new message, 0 new requests. 1 place was left out.')
    await printed(({ log }) => log?.includes('abc.jsonl:2: '))
    await printed(({ tree }) => tree?.[0]?.sessions.some(({ description }) => description.startsWith('claude-code')))
  })

  it('releases everything when it is deactivated', async () => {
    assert.equal(await editor.end(), 0)
  })
})

describe('the packaged extension, by itself', () => {
  const projects = join(folder, '.claude', 'projects', '-code-shop')
  const data = join(folder, 'followed')
  const store = `file:${join(data, 'cairn.db')}`
  const editors = []

  /** An editor's window of its own. */
  const openEditor = () => {
    const variables = { PATH: '/nowhere', CAIRN_HOME: data, HOME: folder, USERPROFILE: folder }
    const editor = openStub({ installed, opened, variables })
    editors.push(editor)
    return editor
  }
  const says = (text) => (line) => line.tooltip?.includes(text) === true
  const write = (id, text) => {
    const line = {
      type: 'user',
      uuid: `u-${id}`,
      sessionId: id,
      timestamp: new Date().toISOString(),
      cwd: opened,
      message: { role: 'user', content: text },
    }
    writeFileSync(join(projects, `${id}.jsonl`), `${JSON.stringify(line)}\n`)
  }
  const sees = (session) => (line) =>
    line.tree?.some(({ sessions }) => sessions.some(({ label }) => label === session)) === true

  before(() => {
    installPackaged(installed)
    mkdirSync(projects, { recursive: true })
  })
  after(() => {
    for (const editor of editors) editor.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  it('begins to follow transcripts once there is a store; of two windows one does, and the other takes over', async () => {
    const first = openEditor()
    await first.printed(says('There is no store yet'))
    assert.equal(existsSync(data), false)
    await (await openStore(store)).close()
    await first.printed(says('Following'))
    const second = openEditor()
    await second.printed(says('Followed by VS Code'))
    write('one', 'Paint the door')
    await Promise.all([first, second].map(({ printed }) => printed(sees('Paint the door'))))
    first.kill('SIGKILL')
    await second.printed(says('Following'))
    write('two', 'Oil the hinges')
    await second.printed(sees('Oil the hinges'))
    assert.equal(await second.end(), 0)
    assert.deepEqual(readdirSync(join(data, 'watch')), [])
  })
})
