// The chat in the real workbench, against a server that speaks as a provider does: a question, an edit with its approval and
// diff, text that tries to be markup, and the session after a reload. Run by the target e2e-workbench. With CAIRN_SCREENSHOTS set,
// a screenshot is made.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startModelServer } from '@cairn/core/testing'
import { keepScreenshotOf } from './failure-screenshot.mjs'
import { findChromium, launch, openWindow } from './browser.mjs'
import { codeServer, installExtension, pictures, serve, vsix, writeSettings } from './code-server.mjs'

const cairn = fileURLToPath(new URL('../../adapter-cli/bin/cairn.js', import.meta.url))
const { entry } = codeServer()

/** What a model might write to get out of the page. */
const HOSTILE = [
  '<script>window.parent.document.title = "broken out"</script>',
  '<img src="https://evil.example/x.png" onerror="document.title = 1">',
  '<svg onload="document.title = 1"></svg>',
  '[click](javascript:alert(1)) and [page](https://docs.example/redirects)',
].join('\n\n')

describe('the chat in the real workbench', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-')))
  const home = join(folder, 'home')
  const shop = join(folder, 'shop')
  const profile = join(folder, 'profile')
  const variables = { CAIRN_HOME: join(folder, 'data'), PATH: process.env.PATH, ANTHROPIC_API_KEY: 'test-key' }
  const settings = {
    'workbench.startupEditor': 'none',
    'chat.disableAIFeatures': true,
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'git.enabled': false,
    'window.commandCenter': false,
    'cairn.watch': false,
  }
  let models
  let server
  let browser
  let window

  const chat = () => window.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame')
  const config = (name, value) =>
    execFileSync(process.execPath, [cairn, 'config', 'set', name, value], {
      cwd: shop,
      env: { ...variables, HOME: home },
    })

  before(async () => {
    mkdirSync(home)
    mkdirSync(join(shop, 'src'), { recursive: true })
    writeFileSync(join(shop, 'src/login.ts'), 'export const login = () => undefined\n')
    models = await startModelServer()
    models.script(
      {
        reply: {
          blocks: [
            { type: 'text', text: 'I look at **the login** first.' },
            { type: 'tool-call', name: 'read_file', input: { path: 'src/login.ts' } },
          ],
        },
      },
      {
        reply: {
          blocks: [
            {
              type: 'tool-call',
              name: 'edit_file',
              input: {
                path: 'src/login.ts',
                edits: [{ old_text: '() => undefined', new_text: "() => redirect('/home')" }],
              },
            },
          ],
        },
      },
      { reply: { blocks: [{ type: 'text', text: `The login redirects now; see \`src/login.ts\`.\n\n${HOSTILE}` }] } },
    )
    installExtension(entry, { home, profile, file: vsix })
    writeSettings(profile, settings)
    config('model', 'claude-sonnet-5')
    config('provider', 'anthropic')
    config('baseUrl', models.url)
    server = await serve(entry, { home, profile, variables, log: join(folder, 'server.log') })
    browser = await launch(findChromium())
    window = await openWindow(browser, server.url, shop)
  })
  afterEach((test) => keepScreenshotOf(test, window))
  after(async () => {
    await browser?.close()
    await server?.stop()
    await models?.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  })

  it('names the model that is set', async () => {
    await window.runCommand('Cairn: Open the Chat')
    await chat()
      .getByRole('button', { name: /claude-sonnet-5 · Anthropic/ })
      .waitFor()
  })

  it('shows what it does, and asks before it edits, with the diff', async () => {
    await window.widenSideBar(460)
    await chat().getByLabel('Message').fill('Have the login redirect to the home page')
    await chat().getByRole('button', { name: 'Send' }).click()
    await chat().locator('.reply strong', { hasText: 'the login' }).waitFor()
    await chat()
      .getByRole('group', { name: /Approval/ })
      .waitFor()
    await chat().locator('.diff .removed', { hasText: 'undefined' }).waitFor()
    await chat().locator('.diff .added', { hasText: "redirect('/home')" }).waitFor()
    assert.equal(readFileSync(join(shop, 'src/login.ts'), 'utf8'), 'export const login = () => undefined\n')
  })

  it(
    'takes its picture',
    { skip: process.env.CAIRN_SCREENSHOTS ? false : 'CAIRN_SCREENSHOTS is not set' },
    async () => {
      mkdirSync(pictures, { recursive: true })
      await window.page.waitForTimeout(1_000)
      await window.page.screenshot({
        path: join(pictures, 'chat-light.png'),
        animations: 'disabled',
        caret: 'hide',
      })
    },
  )

  it('fits into 300 pixels', async () => {
    await window.widenSideBar(300)
    const tooWide = () =>
      chat()
        .locator('body')
        .evaluate((body) => body.scrollWidth > body.clientWidth)
    await chat().getByRole('button', { name: 'Allow' }).waitFor()
    assert.equal(await tooWide(), false)
    await chat().getByRole('button', { name: 'Deny' }).click({ trial: true })
    await window.widenSideBar(460)
  })

  it('edits once it may, and shows what it cost', async () => {
    await chat().getByRole('button', { name: 'Allow' }).click()
    await chat().locator('.reply', { hasText: 'The login redirects now' }).waitFor()
    await chat().getByRole('button', { name: 'Send' }).waitFor()
    assert.equal(readFileSync(join(shop, 'src/login.ts'), 'utf8'), "export const login = () => redirect('/home')\n")
    assert.match(await chat().locator('.cost').innerText(), /^\$0\.\d+$/)
  })

  it('shows what tries to be markup as text', async () => {
    const page = chat()
    assert.equal(await page.locator('.items :is(script, img, svg, iframe, a, style, object)').count(), 0)
    await page.locator('.reply', { hasText: '<script>window.parent' }).waitFor()
    await page.locator('.reply', { hasText: 'click (javascript:alert(1))' }).waitFor()
    assert.doesNotMatch(await window.page.title(), /broken out|^1$/)
  })

  it('opens a page of the web only after it has asked', async () => {
    await chat().getByRole('link', { name: 'page' }).click()
    const dialog = window.page.locator('.monaco-dialog-box')
    await dialog.filter({ hasText: 'docs.example' }).filter({ hasText: 'https://docs.example/redirects' }).waitFor()
    await window.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  it('shows the session again after the window was loaded again', async () => {
    await window.reload()
    await window.page.click('.activitybar .action-label[aria-label^="Chat (Cairn)"]')
    await chat().locator('.user', { hasText: 'Have the login redirect' }).waitFor()
    await chat().locator('.reply', { hasText: 'The login redirects now' }).waitFor()
    await chat().locator('.tool.done', { hasText: 'edit_file src/login.ts' }).waitFor()
  })
})
