// Memory, search and the sessions of a file in the real workbench: what a user sees and does, in a browser. Run by the target
// e2e-workbench. With CAIRN_SCREENSHOTS set, a screenshot of the memory is made.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { pictures } from './code-server.mjs'
import { startEditor, temporaryFolders } from './editor-under-test.mjs'
import { keepScreenshotOf } from './failure-screenshot.mjs'
import { importByCommand, writeSession } from './transcripts.mjs'

const cairn = fileURLToPath(new URL('../../adapter-cli/bin/cairn.js', import.meta.url))

describe('memory and search in the real workbench', () => {
  const { folder, home, shop, profile, variables } = temporaryFolders()
  let editor
  let window

  const sessionPage = () => window.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame')
  const put = (name, text) => {
    mkdirSync(dirname(join(shop, name)), { recursive: true })
    writeFileSync(join(shop, name), text)
  }
  const remember = (...args) =>
    execFileSync(process.execPath, [cairn, ...args], { cwd: shop, env: { ...variables, HOME: home } })
  const pane = (name) =>
    window.page.locator('.sidebar .pane', { has: window.page.locator(`.pane-header:has-text("${name}")`) })
  const row = (text) => pane('Memory').locator('.monaco-list-row', { hasText: text }).first()
  const quickPick = (text) => window.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first()
  /** Makes a picture of the window; only with `CAIRN_SCREENSHOTS`. */
  const picture = async (name) => {
    if (!process.env.CAIRN_SCREENSHOTS) return
    mkdirSync(pictures, { recursive: true })
    await window.page.mouse.move(300, 704)
    await window.page.waitForTimeout(1_000)
    await window.page.screenshot({ path: join(pictures, name), animations: 'disabled', caret: 'hide' })
  }

  before(async () => {
    mkdirSync(home)
    put('src/cart.ts', `${'// a cart\n'.repeat(40)}export const total = () => {\n  return sum(items)\n}\n`)
    put('.cairn/config.json', JSON.stringify({ budget: { month: 20 } }))
    writeSession(home, {
      id: 'cart',
      folder: shop,
      prompt: 'The total of the cart is always zero',
      answer: 'The cache was never flushed, and the total is computed again now.',
      tool: {
        name: 'Edit',
        input: { file_path: join(shop, 'src/cart.ts'), old_string: 'return 0', new_string: 'return sum(items)' },
        result: 'done',
      },
      rounds: 30,
    })
    await importByCommand(home, variables)
    remember('memory', 'add', 'discovery', 'The tests of the API need a running Redis', '--example', 'src/cart.ts:41')
    remember('memory', 'add', 'failure', 'Node 20 crashes on loading the addon', '--confidence', '0.9')
    remember('note', 'set', 'release-steps', 'tag, build, publish')
    editor = await startEditor({
      folder,
      home,
      profile,
      opened: shop,
      variables,
      settings: { 'security.workspace.trust.enabled': false },
    })
    window = editor.window
  })
  afterEach((test) => keepScreenshotOf(test, window))
  after(() => editor?.close())

  it('shows entries by kind with their confidence, and opens one with its evidence and history', async () => {
    await pane('Memory').locator('.pane-header').click()
    await row('Discoveries').waitFor()
    await row('Failures').waitFor()
    await row('release-steps').waitFor()
    assert.match(await row('Node 20 crashes').innerText(), /90 %/)
    await row('The tests of the API').click()
    await window.waitForEditor('## Evidence')
    await window.waitForEditor('src/cart.ts:41')
    await window.waitForEditor('## History')
    await window.widenSideBar(470)
    await picture('memory-light.png')
  })

  it('keeps what is edited', async () => {
    await window.chooseFor(row('Node 20 crashes'), 'Edit Memory')
    await window.waitForEditor('Node 20 crashes on loading the addon')
    await window.page.locator('.editor-instance .view-line', { hasText: 'Node 20 crashes' }).first().click()
    await window.page.keyboard.press('Control+End')
    await window.page.keyboard.type(' of SQLite since yesterday')
    await window.page.keyboard.press('Control+s')
    await row('Node 20 crashes on loading the addon of SQLite').waitFor()
    // What is kept has a date in its stead, and the editor shows that.
    const line = window.page.locator('.editor-instance .view-line', { hasText: /of.SQLite.*\d{4}-\d\d-\d\d/ })
    await line.first().waitFor()
  })

  it('asks before it forgets', async () => {
    await window.chooseFor(row('Node 20 crashes'), 'Forget Memory')
    const dialog = window.page.locator('.monaco-dialog-box')
    await dialog.filter({ hasText: 'Forget this?' }).waitFor()
    await dialog.locator('.monaco-button', { hasText: 'Forget' }).click()
    await row('Node 20 crashes').waitFor({ state: 'detached' })
  })

  it('finds a message as one types, and opens the session at it', async () => {
    await window.runCommand('Cairn: Search…')
    await window.page.locator('.quick-input-box input[placeholder^="Words"]').fill('cache never flushed role:assistant')
    await quickPick('The cache was never flushed').waitFor()
    await quickPick('The cache was never flushed').click()
    const found = sessionPage().locator('.entry.marked', { hasText: 'The cache was never flushed' })
    await found.waitFor()
    // The session is longer than a screen, and its beginning is not where the message stands.
    assert.ok(
      await sessionPage()
        .locator('.conversation')
        .evaluate((list) => list.scrollTop > 0),
    )
    assert.ok(
      await found.evaluate((each) => each.getBoundingClientRect().top < each.ownerDocument.defaultView.innerHeight),
    )
    await sessionPage().locator('button', { hasText: 'As text' }).click()
    await window.page.locator('.editor-instance .view-line', { hasText: '## assistant' }).first().waitFor()
  })

  it('opens the file at the edit that the cursor is on', async () => {
    await window.runCommand('Cairn: Open the File at This Edit')
    const error = window.page.locator('.notification-toast', { hasText: 'put the cursor on a call' })
    await error.waitFor()
    await window.runCommand('Notifications: Clear All Notifications')
    const call = window.page.locator('.editor-instance .view-line', { hasText: '→ Edit' }).first()
    await call.click()
    await window.runCommand('Cairn: Open the File at This Edit')
    await window.waitForEditor('return sum(items)')
    await window.page.locator('.statusbar-item', { hasText: 'Ln 42' }).waitFor()
  })

  it('lists the sessions of the open file', async () => {
    await window.runCommand('Cairn: Sessions of This File…')
    const session = quickPick('The total of the cart is always zero').filter({ hasText: 'edited 30 times' })
    await session.waitFor()
    await session.click()
    await sessionPage().locator('.entry.marked .tool', { hasText: 'Edit' }).first().waitFor()
  })

  it('tells in the status bar of the budget, and how full the context of the session at work is', async () => {
    await window.page.locator('.statusbar-item[id*="cairn.context"]', { hasText: /\d+ %/ }).waitFor()
    await window.page.locator('.statusbar-item[id*="cairn.usage"]', { hasText: 'of $20.00' }).waitFor()
  })
})
