// The extension alone in the real workbench, with no cairn command on the PATH: its walkthrough, setup in the editor's own
// comparison, the dashboard, the command in a terminal. Run by the target e2e-workbench.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startEditor, temporaryFolders } from './editor-under-test.mjs'
import { keepScreenshotOf } from './failure-screenshot.mjs'

/** Far longer than anything takes, even on a busy machine. */
const LIMIT_MS = 60_000

describe('the extension alone in the real workbench', () => {
  const { folder, home, shop, profile, variables } = temporaryFolders()
  const settings = join(home, '.claude', 'settings.json')
  let editor
  let window

  const text = (words) => window.page.getByText(words).first()
  const button = (name) => window.page.getByRole('button', { name })
  const toast = (words) => window.page.locator('.notification-toast', { hasText: words })

  before(async () => {
    mkdirSync(dirname(settings), { recursive: true })
    mkdirSync(shop)
    writeFileSync(settings, '{\n  "model": "opus"\n}\n')
    const path = [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter)
    editor = await startEditor({ folder, home, profile, opened: shop, variables: { ...variables, PATH: path } })
    window = editor.window
  })
  afterEach((test) => keepScreenshotOf(test, window))
  after(() => editor?.close())

  // From the buttons, as a user does: for half a second after it opens the walkthrough takes the focus to itself, twice, and
  // the editor then closes a command palette that was opened meanwhile, with nothing run.
  it('sets up agents from the walkthrough, and shows first what it would write', async () => {
    await window.runCommand('Cairn: Get Started')
    await text('Read what your agents recorded').waitFor()
    await text('Set up your agents').click()
    await button('Set up agents').click()
    const list = window.page.locator('.quick-input-widget', { hasText: 'Set up your agents' })
    await list.locator('.monaco-list-row', { hasText: 'Claude Code' }).waitFor()
    await window.page.locator('.view-line', { hasText: 'SessionStart' }).first().waitFor()
    assert.equal(readFileSync(settings, 'utf8'), '{\n  "model": "opus"\n}\n')
    await list.getByRole('button', { name: 'OK' }).click()
    const question = window.page.locator('.monaco-dialog-box', { hasText: 'Change 2 files?' })
    await question.getByRole('button', { name: 'Write' }).click()
    await toast('Cairn wrote 2 files.').waitFor()
    assert.match(readFileSync(settings, 'utf8'), /bin\/cairn-node \S+dist\/hook\.js session-start/)
  })

  it('opens the dashboard that is inside of it', async () => {
    const opening = window.page.context().waitForEvent('page', { timeout: LIMIT_MS })
    await window.runCommand('Cairn: Open Dashboard')
    assert.match((await opening).url(), /token=/)
  })

  it('has the command in its terminals', async () => {
    await window.runCommand('Terminal: Create New Terminal')
    await window.page.locator('.terminal-wrapper.active .xterm-helper-textarea').first().focus()
    const answer = join(folder, 'answer.json')
    const until = Date.now() + LIMIT_MS
    // What is typed before the shell reads is lost.
    while (!existsSync(answer) && Date.now() < until) {
      await window.page.keyboard.type(`cairn doctor --json > ${answer}.part && mv ${answer}.part ${answer}\n`)
      for (let looks = 0; looks < 20 && !existsSync(answer); looks += 1) await pause(250)
    }
    assert.ok(readFileSync(answer, 'utf8').includes(join(folder, 'data')))
  })
})
