// Memory, search, and the sessions of a file in the extension as it is packaged, in a stub of the editor. Run by the e2e target.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openStore } from '@cairn/storage-prisma'
import { installPackaged, openStub, temporaryFolders } from './packaged.mjs'

const { installed, opened, home, variables, remove } = temporaryFolders()
const VIEW = 'cairn.memory'

/** A session that found something out and edited a file, with one request. */
const work = async (store) => {
  const at = Date.now()
  const message = (id, role, content) => ({ kind: 'message', at, id, role, content })
  const edit = { file_path: join(opened, 'cart.ts'), old_string: '0', new_string: 'return sum(items)' }
  const request = {
    callId: 'r1',
    at,
    model: 'claude-sonnet-4-5-20250929',
    inputTokens: 2_000,
    cacheReadTokens: 95_000,
    cacheWrite5mTokens: 2_000,
    cacheWrite1hTokens: 0,
    outputTokens: 1_000,
    costNano: 9_000_000_000n,
    costState: 'computed',
  }
  const result = await store.sessions.append(
    { id: 'codex:1', agent: 'codex', externalId: '1', workspace: opened, title: 'Mend the cart' },
    0,
    [
      { entry: message('m1', 'user', [{ type: 'text', text: 'why is the total always zero?' }]), externalId: 'm1' },
      {
        entry: message('m2', 'assistant', [{ type: 'text', text: 'The Redis cache was never flushed.' }]),
        externalId: 'm2',
        request,
      },
      {
        entry: message('m3', 'assistant', [{ type: 'tool_call', id: 'c1', name: 'Edit', input: edit }]),
        externalId: 'm3',
      },
    ],
  )
  assert.equal(result.ok, true)
}

describe('memory and search in the packaged extension', () => {
  let editor
  let store

  before(async () => {
    installPackaged(installed)
    mkdirSync(opened)
    mkdirSync(home)
    writeFileSync(join(opened, 'cart.ts'), 'export const total = () => {\n  return sum(items)\n}\n')
    writeFileSync(join(home, 'config.json'), JSON.stringify({ budget: { month: 20 } }))
    store = await openStore(`file:${join(home, 'cairn.db')}`)
    editor = openStub({ installed, opened, variables, settings: { watch: false } })
  })
  after(async () => {
    editor.kill()
    await store.close()
    remove()
  })

  const run = (command, ...args) => editor.run(command, ...args)
  const printed = (fits) => editor.printed(fits)
  /** The newest list at the top of the view that fits. */
  const listed = async (fits) => (await printed(({ view, items }) => view === VIEW && fits(items))).items
  const below = ({ node }) => editor.children(VIEW, node)
  /** The entry of a text, once it reads so. */
  const entry = async (text) => {
    const holds = ({ node }) => node.items.some((item) => item.entry?.text === text)
    const groups = await listed((items) => items.some(holds))
    return (await below(groups.find(holds))).find(({ node }) => node.entry.text === text)
  }

  it('says that nothing is remembered, and remembers what the user adds', async () => {
    await printed(({ context, value }) => context === `${VIEW}.empty` && value === 'none')
    run('stub.answer', 'Discovery', 'Tests need a running Redis')
    run('cairn.addMemory')
    await printed(({ message }) => message === 'Remembered: Tests need a running Redis')
    const [group] = await listed((items) => items.length === 1)
    assert.deepEqual(
      [group.label, group.description, group.spoken],
      ['Discoveries', '1 · a fact', 'Discoveries, 1 entry'],
    )
    const { label, description, contextValue } = await entry('Tests need a running Redis')
    assert.deepEqual([label, description, contextValue], ['Tests need a running Redis', '80 % · now', 'entry'])
  })

  it('opens an entry with its history, and keeps what is saved', async () => {
    const { node } = await entry('Tests need a running Redis')
    run('cairn.openMemoryEntry', node)
    const { document } = await printed(({ document }) => document?.startsWith('# Discovery'))
    assert.match(document, /\n## History\n\n {2}since /)
    run('cairn.editMemory', node)
    await printed(({ document }) => document === 'Tests need a running Redis')
    const query = new URLSearchParams({ project: opened, entry: node.entry.id }).toString()
    const address = { scheme: 'cairn-memory-text', path: '/Cairn memory/x.txt', query }
    run('stub.save', address, 'Tests need Redis 8\non 6380\n')
    await printed(({ saved }) => saved !== undefined)
    run('stub.save', address, ' ')
    await printed(({ notSaved }) => notSaved?.includes('needs a text'))
    await entry('Tests need Redis 8\non 6380')
  })

  it('confirms, contradicts and forgets, and asks before it forgets', async () => {
    const confirm = async () => (await entry('Tests need Redis 8\non 6380')).node
    run('cairn.confirmMemory', await confirm())
    await printed(({ message }) => /^Cairn: confirmed, \d+ % sure$/.test(message ?? ''))
    run('stub.answer', '')
    run('cairn.contradictMemory', await confirm())
    await printed(({ message }) => /^Cairn: contradicted, \d+ % sure$/.test(message ?? ''))
    run('stub.answer', 'Forget')
    run('cairn.forgetMemory', await confirm())
    await printed(({ asked }) => asked?.startsWith('Forget this?\nTests need Redis 8 on 6380'))
    await printed(({ message }) => message === 'Cairn: forgotten; its history stays')
    await printed(({ view, items }) => view === VIEW && items.length === 0)
    run('cairn.openMemoryEntry')
    await printed(({ error }) => error?.includes('nothing is remembered of the open folders'))
  })

  it('makes a note and opens it', async () => {
    run('stub.answer', 'services', 'redis on 6380')
    run('cairn.addNote')
    await printed(({ document }) => document === 'redis on 6380')
    const [group] = await listed(([first]) => first?.label === 'Notes')
    assert.deepEqual([group.label, group.spoken], ['Notes', 'Notes, 1 note'])
  })

  it('shows the budget and the context of the session at work', async () => {
    await work(store)
    await printed(({ item, status }) => item === 'cairn.context' && status === '$(pie-chart) 50 %')
    const { tooltip } = await printed(({ status }) => status?.startsWith('$(graph) $9.00 · 100K · 45 % of $20.00'))
    assert.match(tooltip, /Budget of all projects/)
  })

  it('searches messages, sessions, memory and notes as the user types, and opens the message', async () => {
    run('cairn.search')
    await printed(
      ({ picks, items }) => picks?.startsWith('Search') && items.some(({ label }) => label === 'Mend the cart'),
    )
    run('stub.type', 'redis')
    const { items } = await printed(({ typed, items }) => typed === 'redis' && items.length > 0)
    assert.deepEqual(
      items.map(({ label }) => label),
      ['Messages', 'The Redis cache was never flushed.', 'Notes', 'services'],
    )
    run('stub.type', 'role:boss')
    run('stub.type', 'role:assistant redis')
    await printed(({ typed, items }) => typed?.startsWith('role:assistant') && items.length === 2)
    run('stub.pick', 'The Redis cache was never flushed.')
    await printed(({ page, title }) => page === 'cairn.session' && title === '/Cairn sessions/Mend the cart')
    run('stub.post', 'cairn.session', { type: 'ready' })
    await printed(({ told }) => told?.type === 'session' && told.head.title === 'Mend the cart')
    await printed(({ told }) => told?.type === 'show')
  })

  it('lists the sessions of a file, and opens it at the edit', async () => {
    run('cairn.fileSessions', { scheme: 'file', fsPath: join(opened, 'cart.ts') })
    const { items } = await printed(({ picks }) => picks === 'Sessions of cart.ts')
    assert.deepEqual(items[0].label, 'Mend the cart')
    assert.match(items[0].description, /^edited once · /)
    run('stub.pick', 'Mend the cart', true)
    const { lines } = await printed(({ opened: file }) => file === join(opened, 'cart.ts'))
    assert.deepEqual(lines.slice(0, 3), [1, 0, 1])
  })

  it('releases everything when it is deactivated', async () => {
    assert.equal(await editor.end(), 0)
  })
})
