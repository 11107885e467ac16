// The views of checkpoints and of files in context, in the real workbench: what a user sees and does, in a browser. Run by the
// target e2e-workbench. With CAIRN_SCREENSHOTS set, a screenshot of both is made.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { keepScreenshotOf } from './failure-screenshot.mjs'
import { pictures } from './code-server.mjs'
import { startEditor, temporaryFolders } from './editor-under-test.mjs'
import { importByCommand, writeSession } from './transcripts.mjs'

const cairn = fileURLToPath(new URL('../../adapter-cli/bin/cairn.js', import.meta.url))

describe('checkpoints and files in context in the real workbench', () => {
  const { folder, home, shop, profile, variables } = temporaryFolders()
  let editor
  let window

  const put = (files) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(shop, name)), { recursive: true })
      writeFileSync(join(shop, name), text)
    }
  }
  const checkpoint = (label, ...more) =>
    execFileSync(process.execPath, [cairn, 'checkpoint', 'create', '--label', label, ...more], {
      cwd: shop,
      env: { ...variables, HOME: home },
    })
  const pane = (name) =>
    window.page.locator('.sidebar .pane', { has: window.page.locator(`.pane-header:has-text("${name}")`) })
  const row = (name, text) => pane(name).locator('.monaco-list-row', { hasText: text }).first()
  const unfold = async (name, text) => {
    await row(name, text).click()
    await window.page.keyboard.press('ArrowRight')
  }

  before(async () => {
    mkdirSync(home)
    put({
      'src/login.ts': 'export const login = () => undefined\n',
      'src/cart.ts': 'export const total = 0\n',
      'README.md': '# Shop\n',
    })
    writeSession(home, {
      id: 'login',
      folder: shop,
      prompt: 'The login fails after a redirect, please fix it',
      answer: 'Fixed.',
      tool: {
        name: 'Write',
        input: { file_path: join(shop, 'src/login.ts'), content: 'export const login = () => redirect()\n' },
        result: 'done',
      },
      startedAt: Date.now() - 60_000,
    })
    editor = await startEditor({ folder, home, profile, opened: shop, variables })
    window = editor.window
  })
  afterEach((test) => keepScreenshotOf(test, window))
  after(() => editor?.close())

  it('says what a checkpoint is where there is none, and shows those that the command makes', async () => {
    await pane('Checkpoints').locator('text=A checkpoint keeps the files').waitFor()
    await importByCommand(home, variables)
    checkpoint('before the fix')
    put({ 'src/login.ts': 'export const login = () => redirect()\n', 'src/cart.test.ts': 'test()\n' })
    checkpoint('after the fix', '--session', 'login')
    await row('Checkpoints', 'after the fix').filter({ hasText: '2 changed' }).waitFor()
    put({ 'src/login.ts': 'export const login = () => redirect(home)\n', 'logo.png': 'PNG\0\u0001' })
    rmSync(join(shop, 'src/cart.ts'))
  })

  it("shows what differs, and compares it in the editor's own comparison", async () => {
    await unfold('Checkpoints', 'before the fix')
    await row('Checkpoints', 'cart.ts').waitFor()
    await row('Checkpoints', 'login.ts').click()
    await window.page.locator('.diff-editor, .monaco-diff-editor').first().waitFor()
    await window.page.locator('.view-line', { hasText: 'redirect(home)' }).first().waitFor()
    await window.page.locator('.view-line', { hasText: 'undefined' }).first().waitFor()
  })

  it('shows which files are not as the agent knows them', async () => {
    await row('Files in context', 'Stale').waitFor()
    await row('Files in context', 'login.ts').waitFor()
    assert.match(await row('Files in context', 'login.ts').innerText(), /changed by a person or program/)
  })

  it(
    'takes its picture',
    { skip: process.env.CAIRN_SCREENSHOTS ? false : 'CAIRN_SCREENSHOTS is not set' },
    async () => {
      mkdirSync(pictures, { recursive: true })
      await window.widenSideBar(520)
      await window.page.mouse.move(450, 704)
      await window.page.waitForTimeout(1_000)
      await window.page.screenshot({
        path: join(pictures, 'checkpoints-light.png'),
        animations: 'disabled',
        caret: 'hide',
      })
    },
  )

  it('restores a checkpoint after it has shown what would be lost, and undoes it', async () => {
    await window.chooseFor(row('Checkpoints', 'before the fix'), 'Restore checkpoint')
    const dialog = window.page.locator('.monaco-dialog-box')
    await dialog.filter({ hasText: 'lose what they hold now' }).filter({ hasText: 'src/login.ts' }).waitFor()
    await dialog.locator('.monaco-button', { hasText: 'Restore' }).click()
    const toast = window.page.locator('.notification-toast', { hasText: 'Restored:' })
    await toast.waitFor()
    assert.equal(readFileSync(join(shop, 'src/login.ts'), 'utf8'), 'export const login = () => undefined\n')
    assert.ok(existsSync(join(shop, 'src/cart.ts')))
    await toast.locator('.monaco-button', { hasText: 'Undo' }).click()
    await dialog.filter({ hasText: 'Undo the last restore?' }).waitFor()
    await dialog.locator('.monaco-button', { hasText: 'Restore' }).click()
    await row('Checkpoints', 'Before a restore').first().waitFor()
    await window.page.locator('.notification-toast', { hasText: 'Restored:' }).first().waitFor()
    assert.equal(readFileSync(join(shop, 'src/login.ts'), 'utf8'), 'export const login = () => redirect(home)\n')
  })
})
