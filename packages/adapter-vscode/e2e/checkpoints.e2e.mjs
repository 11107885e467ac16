// Checkpoints in the extension as it is packaged, in a stub of the editor: made, compared, restored, undone, and seen when
// the command makes one. Run by the e2e target.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { installPackaged, openStub, packageManifest } from './packaged.mjs'

const cairn = fileURLToPath(new URL('../../adapter-cli/bin/cairn.js', import.meta.url))
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-vscode-')))
const installed = join(folder, 'extension')
const opened = join(folder, 'shop')
const home = join(folder, 'home')
const variables = { PATH: process.env.PATH, CAIRN_HOME: home, HOME: folder, USERPROFILE: folder }
const VIEW = 'cairn.checkpoints'

const file = (name) => join(opened, name)
const put = (files) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(file(name), text)
}

describe('checkpoints in the packaged extension', () => {
  let editor

  before(() => {
    installPackaged(installed)
    mkdirSync(opened)
    put({ 'a.ts': 'one\n', 'b.ts': 'one\n', 'logo.png': 'PNG\0one' })
    editor = openStub({ installed, opened, variables, settings: { watch: false } })
  })
  after(async () => {
    editor.kill()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  })

  /** The newest list of the view that fits. */
  const listed = async (fits) => (await editor.printed(({ view, items }) => view === VIEW && fits(items))).items
  const below = (node) => editor.children(VIEW, node)

  it('registers every command that the manifest names', async () => {
    await editor.printed(({ activated }) => activated === true)
    editor.run('stub.commands')
    const { commands } = await editor.printed(({ commands }) => commands !== undefined)
    const named = packageManifest().contributes.commands.map(({ command }) => command)
    assert.deepEqual(
      named.filter((command) => !commands.includes(command)),
      [],
    )
  })

  it('says that there are none, and makes the first', async () => {
    await editor.printed(({ context, value }) => context === `${VIEW}.empty` && value === 'none')
    assert.equal(existsSync(home), false)
    editor.run('stub.answer', 'before the upgrade')
    editor.run('cairn.createCheckpoint')
    await editor.printed(({ message }) => message === 'Checkpoint made: 3 files.')
    const [item] = await listed((items) => items.length === 1)
    assert.equal(item.label, 'before the upgrade')
    assert.equal(item.description, 'now · the first, 3 files')
    assert.equal(item.spoken, 'before the upgrade, just now, the first, 3 files')
  })

  it('shows what differs now, and compares it in the editor', async () => {
    put({ 'a.ts': 'two\n', 'c.ts': 'new\n', 'logo.png': 'PNG\0two!' })
    rmSync(file('b.ts'))
    const [{ node }] = await listed((items) => items.length === 1)
    const items = await below(node)
    assert.deepEqual(
      items.map(({ label, contextValue }) => [label, contextValue]),
      [
        ['a.ts', 'difference-modified'],
        ['b.ts', 'difference-removed'],
        ['c.ts', 'difference-added'],
        ['logo.png', 'difference-modified'],
      ],
    )
    for (const { command, node } of items) editor.run(command, node)
    const diff = (name) => editor.printed(({ diff }) => diff === `${name} (before the upgrade ↔ now)`)
    const { before, now } = await diff('a.ts')
    assert.deepEqual([before, now], ['one\n', 'two\n'])
    const gone = await diff('b.ts')
    assert.deepEqual([gone.before, gone.now], ['one\n', ''])
    const came = await diff('c.ts')
    assert.deepEqual([came.before, came.now], ['', 'new\n'])
    await editor.printed(
      ({ message }) => message?.startsWith('logo.png is no text') && message.includes('7 B then, 8 B now'),
    )
    editor.run('cairn.compareCheckpoint', node)
    const { sides } = await editor.printed(({ changes }) => changes !== undefined)
    assert.deepEqual(sides.slice(0, 3), [
      ['one\n', 'two\n'],
      ['one\n', null],
      [null, 'new\n'],
    ])
  })

  it('restores one file, then all, and undoes it, each after it was agreed to', async () => {
    const [{ node }] = await listed((items) => items.length === 1)
    const gone = (await below(node)).find(({ label }) => label === 'b.ts')
    editor.run('stub.answer', undefined)
    editor.run('cairn.restoreCheckpointFile', gone.node)
    const first = await editor.printed(({ asked }) => asked?.startsWith('Restore b.ts of'))
    assert.match(first.asked, /No file loses what it holds now\.\nCome back:\n {4}b\.ts\n/)
    assert.equal(existsSync(file('b.ts')), false)
    editor.run('stub.answer', 'Restore')
    editor.run('cairn.restoreCheckpointFile', gone.node)
    await editor.printed(({ message }) => message === 'Restored: 1 file written, 0 files removed.')
    assert.equal(readFileSync(file('b.ts'), 'utf8'), 'one\n')
    assert.equal(readFileSync(file('a.ts'), 'utf8'), 'two\n')

    editor.run('stub.answer', 'Restore')
    editor.run('cairn.restoreCheckpoint', node)
    const all = await editor.printed(({ asked }) => asked?.startsWith('Restore “before the upgrade” (just now)?'))
    assert.match(all.asked, /3 files lose what they hold now\.\nRemoved, as they came since:\n {4}c\.ts\n/)
    await editor.printed(({ message }) => message === 'Restored: 2 files written, 1 file removed.')
    assert.equal(existsSync(file('c.ts')), false)

    editor.run('stub.answer', 'Restore')
    editor.run('cairn.undoRestore')
    await editor.printed(({ asked }) => asked?.startsWith('Undo the last restore?'))
    await editor.printed(({ message }) => message === 'Restored: 3 files written, 0 files removed.')
    assert.equal(readFileSync(file('a.ts'), 'utf8'), 'two\n')
    assert.equal(readFileSync(file('c.ts'), 'utf8'), 'new\n')
  })

  it('shows one that the command makes, with what it changed', async () => {
    put({ 'a.ts': 'three\n' })
    const made = execFileSync(process.execPath, [cairn, 'checkpoint', 'create', '--label', 'elsewhere', '--json'], {
      cwd: opened,
      env: variables,
      encoding: 'utf8',
    })
    const { changed } = JSON.parse(made)
    const [item] = await listed(([first]) => first?.label === 'elsewhere' && first.description.includes('changed'))
    assert.equal(item.description, `now · ${changed} changed`)
  })

  it('makes and restores nothing in a folder that is not trusted, and shows what there is', async () => {
    const careful = openStub({ installed, opened, variables, settings: { watch: false, trusted: false } })
    try {
      const { items } = await careful.printed(({ view, items }) => view === VIEW && items?.length > 1)
      const { node } = items.find(({ label }) => label === 'before the upgrade')
      careful.run('cairn.createCheckpoint')
      await careful.printed(({ error }) => error?.startsWith('No checkpoint was made: this folder is not trusted'))
      careful.run('cairn.restoreCheckpoint', node)
      await careful.printed(({ error }) => error?.startsWith('Nothing was restored: this folder is not trusted'))
      const files = await careful.children(VIEW, node)
      assert.deepEqual(
        files.map(({ label }) => label),
        ['a.ts', 'c.ts', 'logo.png'],
      )
      assert.equal(readFileSync(file('a.ts'), 'utf8'), 'three\n')
    } finally {
      careful.kill()
    }
  })

  it('releases everything when it is deactivated', async () => {
    assert.equal(await editor.end(), 0)
  })
})
