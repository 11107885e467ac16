// A session's page in the real workbench: its outline, what is drawn and what must not be, an entry that is not drawn yet, a session of
// 20,000 entries, where one was after the page was hidden, and what comes while it is open. Run by the target e2e-workbench. With
// CAIRN_SCREENSHOTS set, a screenshot is made.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { pictures } from './code-server.mjs'
import { startEditor, temporaryFolders } from './editor-under-test.mjs'
import { keepScreenshotOf } from './failure-screenshot.mjs'
import { importByCommand, writeSession } from './transcripts.mjs'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const REPLY = [
  '## What was wrong',
  'The cookie was set **after** the redirect, see `src/login.ts`:',
  '```ts\nreturn redirect(home)\n```',
  '| step | before | now |\n| --- | --- | --- |\n| cookie | 2nd | 1st |',
  '- [x] the fix\n- [ ] its test',
].join('\n\n')

/** What a session might hold to get out of the page. */
const HOSTILE = [
  '<script>window.parent.document.title = "broken out"</script>',
  '<img src="https://evil.example/x.png" onerror="document.title = 1">',
  '[run](command:workbench.action.closeWindow) and [page](https://docs.example/cookies)',
].join('\n\n')

describe("a session's page in the real workbench", () => {
  const { folder, home, shop, profile, variables } = temporaryFolders()
  let editor
  let window

  const page = () => window.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame')
  const entry = (text) => page().locator('.entry', { hasText: text }).first()
  const opens = async (text) => {
    await window.row(text).click()
    await page().locator('h1', { hasText: text }).waitFor()
  }
  /** One of another day: its group in the side bar is folded. */
  const picks = async (words) => {
    await window.runCommand('Cairn: Open Session…')
    await window.page.waitForSelector('.quick-input-widget input[placeholder^="Words of the title"]')
    await window.page.keyboard.insertText(words)
    await window.page.locator('.quick-input-list .monaco-list-row', { hasText: words }).first().waitFor()
    await window.page.keyboard.press('Enter')
    const started = performance.now()
    await page().locator('h1', { hasText: words }).waitFor()
    return started
  }
  const long = { id: 'long', folder: shop, prompt: 'Rename the products', answer: 'Renamed.' }

  /** A session of Claude Code from messages: their roles and contents. */
  const writeMessages = (id, messages) => {
    let parent = null
    const lines = messages.map(([type, content], index) => {
      const uuid = `${id}-${index}`
      const line = {
        ...{ type, uuid, parentUuid: parent, sessionId: id, cwd: shop, gitBranch: 'main' },
        timestamp: new Date(Date.now() - (messages.length - index) * 20_000).toISOString(),
        message:
          type === 'user'
            ? { role: 'user', content }
            : {
                ...{ id: `msg-${id}-${index}`, type: 'message', role: 'assistant', content },
                model: 'claude-sonnet-4-5-20250929',
                usage: { input_tokens: 1_200, cache_read_input_tokens: 9_000 * index, output_tokens: 90 * index + 7 },
              },
        ...(type === 'assistant' ? { requestId: `req-${id}-${index}` } : {}),
      }
      parent = uuid
      return line
    })
    const file = join(home, '.claude', 'projects', shop.replaceAll('/', '-'), `${id}.jsonl`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
  const call = (id, name, input) => ({ type: 'tool_use', id, name, input })
  const result = (id, content, isError = false) => [
    { type: 'tool_result', tool_use_id: id, content, is_error: isError },
  ]

  before(async () => {
    mkdirSync(home)
    mkdirSync(join(shop, 'src'), { recursive: true })
    writeFileSync(join(shop, 'src/login.ts'), 'export const login = () => redirect(home)\n')
    writeMessages('login', [
      [
        'user',
        [{ type: 'text', text: 'The login fails after a redirect <system-reminder>be brief</system-reminder>' }],
      ],
      [
        'assistant',
        [
          { type: 'thinking', thinking: 'The cookie comes too late.' },
          call('t1', 'Read', { file_path: join(shop, 'src/login.ts') }),
        ],
      ],
      ['user', result('t1', 'export const login = () => undefined\n')],
      ['assistant', [call('t2', 'Bash', { command: 'npm test' })]],
      ['user', result('t2', 'Error: 2 tests failed\n  at login.test.ts:12', true)],
      [
        'assistant',
        [
          call('t3', 'Edit', {
            file_path: join(shop, 'src/login.ts'),
            old_string: '() => undefined',
            new_string: '() => redirect(home)',
          }),
        ],
      ],
      ['user', result('t3', 'The file was updated.')],
      ['assistant', [{ type: 'text', text: REPLY }]],
      [
        'user',
        [
          { type: 'text', text: 'It looks like this now' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
        ],
      ],
      ['assistant', [{ type: 'text', text: `Then all is well.\n\n${HOSTILE}` }]],
    ])
    writeSession(home, { ...long, rounds: 5_000, startedAt: Date.now() - 48 * 3_600_000 })
    editor = await startEditor({ folder, home, profile, opened: shop, variables })
    window = editor.window
    await importByCommand(home, variables)
  })
  afterEach((test) => keepScreenshotOf(test, window))
  after(() => editor?.close())

  it('opens from the side bar, with its outline and figures', async () => {
    await opens('The login fails')
    const turns = page().getByRole('navigation', { name: 'Outline' }).getByRole('listitem')
    await turns.filter({ hasText: 'It looks like this now' }).waitFor()
    assert.equal(await turns.count(), 2)
    assert.match(await turns.first().innerText(), /^1 ?\n?The login fails.*\$0\.\d+.*tokens · context [\d.]+K/s)
    assert.match(await page().locator('header summary').innerText(), /claude-code · 10 messages.*\$0\./)
  })

  it('draws Markdown, tags as what they mean, images, and a call together with its result', async () => {
    await entry('What was wrong').locator('strong', { hasText: 'after' }).waitFor()
    await entry('What was wrong').locator('pre', { hasText: 'return redirect(home)' }).waitFor()
    await entry('What was wrong').getByRole('cell', { name: '2nd' }).waitFor()
    await entry('The login fails').locator('.tagged', { hasText: 'Reminder by the agent’s program be brief' }).waitFor()
    await entry('It looks like this now').locator('img[src^="data:image/png;base64,"]').waitFor()
    const test = entry('npm test').locator('details.tool.failed')
    await test.locator('.error-line', { hasText: 'Error: 2 tests failed' }).waitFor()
    assert.equal(await test.locator('pre').count(), 0)
    await test.locator('summary').click()
    await test.locator('pre', { hasText: 'at login.test.ts:12' }).waitFor()
  })

  it(
    'takes its picture',
    { skip: process.env.CAIRN_SCREENSHOTS ? false : 'CAIRN_SCREENSHOTS is not set' },
    async () => {
      mkdirSync(pictures, { recursive: true })
      await page()
        .locator('.conversation')
        .evaluate((list) => list.scrollTo(0, 0))
      await window.page.mouse.move(450, 704)
      await window.page.waitForTimeout(1_000)
      await window.page.screenshot({ path: join(pictures, 'session-light.png'), animations: 'disabled', caret: 'hide' })
    },
  )

  it('runs and loads nothing of what a session holds', async () => {
    await entry('Then all is well').locator('.markdown', { hasText: '<script>window.parent' }).waitFor()
    await entry('Then all is well').locator('.markdown', { hasText: 'run (command:workbench' }).waitFor()
    assert.equal(await page().locator('.conversation :is(script, svg, iframe, a, style, object)').count(), 0)
    assert.doesNotMatch(await window.page.title(), /broken out|^1$/)
    await page().getByRole('link', { name: 'page' }).click()
    const dialog = window.page.locator('.monaco-dialog-box')
    await dialog.filter({ hasText: 'https://docs.example/cookies' }).waitFor()
    await window.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  it('shows what a call wrote as a diff, and opens the file at it', async () => {
    const edit = entry('Edit').locator('details.tool.done', { hasText: '+1 −1' })
    await edit.locator('summary').click()
    await edit.locator('.diff .removed', { hasText: '() => undefined' }).waitFor()
    await edit.locator('.diff .added', { hasText: '() => redirect(home)' }).waitFor()
    await edit.getByRole('button', { name: 'Open the file at this edit' }).click()
    await window.waitForEditor('export const login')
  })

  it('opens 20,000 entries, of which it draws only what is near the sight', async (test) => {
    const started = await picks('Rename the products')
    await entry('Rename the products').waitFor()
    const shown = performance.now() - started
    await page().getByRole('navigation', { name: 'Outline' }).locator('.total', { hasText: '5,000 turns' }).waitFor()
    test.diagnostic(
      `shown after ${Math.round(shown)} ms, its outline after ${Math.round(performance.now() - started)} ms`,
    )
    assert.ok((await page().locator('.entry').count()) < 1_500)
  })

  it('goes to an entry far away, and is there again after it was hidden', async () => {
    await page().locator('.turns button', { hasText: 'Rename the products (4321)' }).click()
    const far = page().locator('.entry.marked', { hasText: 'Rename the products (4321)' })
    await far.waitFor()
    await window.runCommand('View: Keep Editor')
    await opens('The login fails')
    await window.page.locator('.tab', { hasText: 'Rename the products' }).click()
    await entry('Rename the products (4321)').waitFor()
    assert.ok(await entry('Rename the products (4321)').evaluate((each) => each.getBoundingClientRect().top < 400))
    assert.ok((await page().locator('.entry').count()) < 1_500)
  })

  it('finds words in what is not drawn', async () => {
    const find = page().getByRole('textbox', { name: 'Find in the whole session' })
    await find.fill('2718')
    await page().locator('.entry.marked', { hasText: '2718' }).waitFor()
  })

  it('shows what comes while it is open, and its text on demand', async () => {
    await page()
      .locator('.conversation')
      .evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await entry('Rename the products (5000)').waitFor()
    writeSession(home, { ...long, rounds: 5_001, startedAt: Date.now() - 48 * 3_600_000 })
    await importByCommand(home, variables)
    await page().locator('.total', { hasText: '5,001 turns' }).waitFor()
    await page()
      .locator('.conversation')
      .evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await entry('Rename the products (5001)').waitFor()
    await page().locator('button', { hasText: 'As text' }).click()
    await window.waitForEditor('Rename the products')
  })
})
