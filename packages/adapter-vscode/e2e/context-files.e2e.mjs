// Files in context in the extension as it is packaged, in a stub of the editor: the last active session's, another one's, a
// file compared with what the agent wrote, and a warning acknowledged; and the files that belong to a text. Run by the e2e target.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openStore } from '@cairn/storage-prisma'
import { installPackaged, openStub, temporaryFolders } from './packaged.mjs'

const { installed, opened, home, variables, remove } = temporaryFolders()
const VIEW = 'cairn.contextFiles'
const MINUTE_MS = 60_000

/** A session of an agent that wrote one file and read another, so many minutes ago. */
const work = async (store, agent, minutesAgo, { wrote, text, read }) => {
  const at = Date.now() - minutesAgo * MINUTE_MS
  const call = (id, name, input) => [
    { kind: 'message', at, id: `${id}-call`, role: 'assistant', content: [{ type: 'tool_call', id, name, input }] },
    {
      kind: 'message',
      at: at + 1,
      id: `${id}-result`,
      role: 'tool',
      content: [{ type: 'tool_result', callId: id, content: [{ type: 'text', text: 'done' }], isError: false }],
    },
  ]
  const entries = [
    ...call('write', 'Write', { file_path: join(opened, wrote), content: text }),
    ...call('read', 'Read', { file_path: join(opened, read) }),
  ]
  const result = await store.sessions.append(
    { id: `${agent}:1`, agent, externalId: `${agent}-1`, workspace: opened },
    0,
    entries.map((entry) => ({ entry, externalId: entry.id })),
  )
  assert.equal(result.ok, true)
}

describe('files in context in the packaged extension', () => {
  let editor
  let store

  before(async () => {
    installPackaged(installed)
    mkdirSync(opened)
    writeFileSync(join(opened, 'cart.ts'), 'by the agent\n')
    store = await openStore(`file:${join(home, 'cairn.db')}`)
    editor = openStub({ installed, opened, variables, settings: { watch: false } })
  })
  after(async () => {
    editor.kill()
    await store.close()
    remove()
  })

  /** The newest list at the top of the view that fits. */
  const listed = async (fits) => (await editor.printed(({ view, items }) => view === VIEW && fits(items))).items
  const below = ({ node }) => editor.children(VIEW, node)

  it('says that there is no session, and shows the first one that comes', async () => {
    await editor.printed(({ context, value }) => context === `${VIEW}.empty` && value === 'no-session')
    await work(store, 'codex', 30, { wrote: 'cart.ts', text: 'by the agent\n', read: 'gone.ts' })
    const [stale, active] = await listed((items) => items.length === 2)
    assert.deepEqual([stale.label, stale.description], ['Stale', '1 · not as the agent knows them'])
    assert.equal(active.spoken, 'Active, 1 file, as the agent knows them')
    assert.deepEqual(
      (await below(stale)).map(({ label, description, contextValue }) => [label, description, contextValue]),
      [['gone.ts', 'is gone', 'context-stale']],
    )
    assert.deepEqual(
      (await below(active)).map(({ label, description }) => [label, description]),
      [['cart.ts', 'edited 30 min ago']],
    )
  })

  it('compares a file with what the agent wrote, and says where that is not known', async () => {
    writeFileSync(join(opened, 'cart.ts'), 'by a person\n')
    editor.run('cairn.refreshContextFiles')
    const [stale] = await listed(([first]) => first?.description.startsWith('2 ·'))
    const files = await below(stale)
    for (const { command, node } of files) editor.run(command, node)
    const { before, now } = await editor.printed(({ diff }) => diff === 'cart.ts (as codex knows it ↔ now)')
    assert.deepEqual([before, now], ['by the agent\n', 'by a person\n'])
    await editor.printed(({ message }) =>
      message?.startsWith('The session does not hold all that codex knows of gone.ts'),
    )
  })

  it('follows to the session that is active next, or stays with one that was chosen', async () => {
    await work(store, 'claude-code', 5, { wrote: 'login.ts', text: '', read: 'cart.ts' })
    const [stale] = await listed((items) => items.some(({ node }) => node.id.startsWith('claude-code:1:')))
    assert.deepEqual((await below(stale)).map(({ label }) => label).sort(), ['cart.ts', 'login.ts'])
    editor.run('cairn.showContextFiles', { kind: 'session', session: { id: 'codex:1' } })
    await editor.printed(({ context, value }) => context === `${VIEW}.chosen` && value === true)
    await listed((items) => items.every(({ node }) => node.id.startsWith('codex:1:')))
    editor.run('cairn.followLastSession')
    await editor.printed(({ view, items }) => view === VIEW && items?.[0]?.node.id.startsWith('claude-code:1:'))
  })

  it('lists the files that belong to a text, with why, and opens the one that is chosen', async () => {
    writeFileSync(join(opened, 'discount.ts'), 'export const discount = 0.1\n')
    editor.run('stub.answer', 'rounding of the discount', 'discount.ts')
    editor.run('cairn.relatedFiles')
    const { items } = await editor.printed(({ picks }) => picks === 'Related files')
    assert.equal(items[0].label, 'discount.ts')
    assert.match(items[0].detail, /^path: discount/)
    assert.equal((await editor.printed(({ opened }) => opened !== undefined)).opened, join(opened, 'discount.ts'))
  })

  it('releases everything when it is deactivated', async () => {
    assert.equal(await editor.end(), 0)
  })
})
