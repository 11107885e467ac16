/** An exported session in a real browser: nothing in it runs, nothing leaves, it holds no secret, and it is readable. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { ContentBlock, EntryWrite } from '@cairn/core'
import { openStore } from '@cairn/storage-prisma'
import AxeBuilder from 'axe-core'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { CHROMIUM_FLAGS, findChromium } from './chromium.ts'
import { describeInBrowser } from './dashboard-under-test.ts'

const CLI = fileURLToPath(new URL('../../../packages/adapter-cli/bin/cairn.js', import.meta.url))
const run = promisify(execFile)

/** Parted, so that no scanner takes this file for a leak. */
const KEY = ['AK', 'IAQ3EGRS7TUVWX2YZA'].join('')
const COLOURED_KEY = ['AK', 'IAQ3EGRS7', '\u001b[0m', 'TUVWX2YZB'].join('')
const FLAG = 'window.broken=1'
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const LINKS = [
  'javascript:window.broken=1',
  'JaVaScRiPt:window.broken=1',
  ' javascript:window.broken=1',
  'java\tscript:window.broken=1',
  'java\nscript:window.broken=1',
  '\u0001javascript:window.broken=1',
  'javascript&colon;window.broken=1',
  '&#106;avascript:window.broken=1',
  'javascript%3Awindow.broken=1',
  'vbscript:window.broken=1',
  'data:text/html,<script>window.broken=1</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'file:///etc/passwd',
  '//evil.example/x',
  'https://good.example\\@evil.example/',
  'https://good.example@evil.example/',
  'https:javascript:window.broken=1',
  'x" onmouseover="window.broken=1',
]

const HOSTILE = [
  `<script>${FLAG}</script>`,
  `<img src=x onerror="${FLAG}"> <svg onload="${FLAG}"> <iframe srcdoc="<script>parent.broken=1</script>"></iframe>`,
  '</details></article></main></style></title></textarea><style>body{display:none}</style>',
  `--></script><script>${FLAG}</script>`,
  '![pixel](https://evil.example/pixel.png) ![x](data:image/svg+xml,<svg onload=alert(1)>)',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/"><base href="https://evil.example/"><link rel=stylesheet href=https://evil.example/x.css>',
  `\u001b[31mred\u001b[0m \u001b]8;;javascript:${FLAG}\u0007click\u001b]8;;\u0007 \u202e reversed \u2066 \ud800 lone \u0000 nul`,
  '`code` **bold** [good](https://good.example/?a=1&b="2") <https://auto.example> mailto: [mail](mailto:ann@good.example)',
  `the key ${KEY} and ${COLOURED_KEY}`,
  ...LINKS.flatMap((address) => [`[link](${address})`, `[link](<${address}>)`, `<${address}>`, `[ref]: ${address}`]),
  '```js\n</code></pre><script>window.broken=1</script>\n```',
  'x'.repeat(10_000),
  '[[[['.repeat(2000) + '**__``'.repeat(2000),
].join('\n\n')

const says = (role: 'user' | 'assistant', id: string, ...content: readonly ContentBlock[]): EntryWrite => ({
  entry: { kind: 'message', at: Date.UTC(2026, 0, 31, 8), id, role, content },
  externalId: id,
})
const text = (value: string): ContentBlock => ({ type: 'text', text: value })

const ENTRIES: readonly EntryWrite[] = [
  says('user', 'u1', text(HOSTILE)),
  says('assistant', 'a1', { type: 'thinking', text: HOSTILE }, text(HOSTILE), {
    type: 'tool_call',
    id: 'c1',
    name: '<b>Edit</b>',
    input: {
      file_path: `"><script>${FLAG}</script>`,
      old_string: `a\n</pre><script>${FLAG}</script>\nb`,
      new_string: `a\n${HOSTILE}\nb`,
    },
  }),
  says('user', 'r1', {
    type: 'tool_result',
    callId: 'c1',
    content: [
      { type: 'text', text: HOSTILE },
      { type: 'image', mediaType: 'image/svg+xml', data: 'PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+' },
      { type: 'image', mediaType: 'image/png', data: `${PIXEL}" onerror="${FLAG}` },
      { type: 'image', mediaType: 'image/png', data: PIXEL },
    ],
  }),
  says(
    'assistant',
    'a2',
    { type: 'other', value: { [HOSTILE]: HOSTILE } },
    { type: 'file', path: HOSTILE, text: HOSTILE },
    { type: 'tool_call', id: 'c2', name: 'Bash', input: HOSTILE },
  ),
  { entry: { kind: 'notice', at: null, level: 'error', text: HOSTILE } },
  {
    entry: {
      kind: 'rewrite',
      at: null,
      policy: HOSTILE,
      trigger: HOSTILE,
      changes: [{ seq: 0, block: 0, why: HOSTILE, text: HOSTILE }],
      insertions: [{ why: HOSTILE, text: HOSTILE }],
    },
  },
  { entry: { kind: 'todo', at: null, items: [{ text: HOSTILE, status: 'pending' }] } },
  {
    entry: { ...says('assistant', 's1', text('of a subagent')).entry, subagent: HOSTILE } as EntryWrite['entry'],
    externalId: 's1',
  },
]

describeInBrowser('an exported session', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-export-'))
  const file = join(folder, 'talk.html')
  let browser: Browser
  let page: Page
  const complaints: string[] = []
  const asked: string[] = []

  const cairn = async (...args: readonly string[]): Promise<string> =>
    (
      await run(process.execPath, [CLI, ...args, '--store', `file:${join(folder, 's.db')}`], {
        cwd: folder,
        env: { ...process.env, NODE_OPTIONS: '', TZ: 'UTC' },
        maxBuffer: 1e8,
      })
    ).stdout

  beforeAll(async () => {
    // Past the engine, which would replace the key: the store is of a time when nothing was.
    const store = await openStore(`file:${join(folder, 's.db')}`)
    await store.sessions.append(
      {
        id: 'test:hostile',
        agent: 'test',
        externalId: 'hostile',
        workspace: `/code/<script>${FLAG}</script>`,
        branch: HOSTILE,
        title: `</title><script>${FLAG}</script> ${KEY} \u202e`,
      },
      0,
      ENTRIES,
    )
    await store.close()
    await cairn('session', 'export', 'hostile', '--format', 'html', '--output', file)
    const executablePath = findChromium()
    browser = await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: CHROMIUM_FLAGS,
    })
    page = await browser.newPage({ viewport: { width: 400, height: 800 } })
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('dialog', (dialog) => {
      complaints.push(dialog.message())
      void dialog.dismiss()
    })
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(pathToFileURL(file).href)
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true
    })
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  })
  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('runs no script, sends no request, and the browser reports no errors', async () => {
    expect(await page.evaluate(() => 'broken' in window)).toBe(false)
    expect(complaints).toEqual([])
    expect(asked.filter((url) => url !== pathToFileURL(file).href && !url.startsWith('data:'))).toEqual([])
    expect(
      await page.evaluate(
        () =>
          document.querySelectorAll(
            'script,iframe,object,embed,svg,base,form,link:not([rel=icon]),[style],meta[http-equiv=refresh]',
          ).length,
      ),
    ).toBe(0)
    expect(
      await page.evaluate(
        () =>
          [...document.querySelectorAll('*')]
            .flatMap(({ attributes }) => [...attributes])
            .filter(({ name }) => name.startsWith('on')).length,
      ),
    ).toBe(0)
  })

  it('links to web pages and mail only, however an address is disguised', async () => {
    const links = await page.evaluate(() =>
      [...document.querySelectorAll('a')].map((link) => ({
        href: link.href,
        rel: link.rel,
        isWithin: link.getAttribute('href')?.startsWith('#') === true,
      })),
    )
    const outside = links.filter(({ isWithin }) => !isWithin)
    // A plain address is a link to where it says it leads, also to a place that nobody should go to.
    expect([...new Set(outside.map(({ href }) => href))].sort()).toEqual([
      'https://auto.example/',
      'https://evil.example/',
      'https://evil.example/pixel.png',
      'https://evil.example/x.css',
      'https://good.example/',
      'https://good.example/?a=1&b=%222%22',
      'mailto:ann@good.example',
    ])
    expect(new Set(outside.map(({ rel }) => rel))).toEqual(new Set(['noopener noreferrer']))
    for (const link of await page.locator('a:not([href^="#"])').all())
      expect(await link.getAttribute('target')).toBeNull()
  })

  it('shows all messages as text, and images only where nothing in them can run', async () => {
    const shown = await page.evaluate(() => document.body.innerText)
    for (const part of [
      '<script>window.broken=1</script>',
      '</details></article></main></style>',
      '[U+202E] reversed',
      'javascript:window.broken=1',
      '&#106;avascript:',
      'of a subagent',
    ])
      expect(shown).toContain(part)
    expect(await page.evaluate(() => getComputedStyle(document.body).display)).not.toBe('none')
    await page.locator('img').scrollIntoViewIfNeeded()
    await page.waitForFunction(() => document.querySelector('img')?.complete === true)
    expect(
      await page.evaluate(() =>
        [...document.querySelectorAll('img')].map(({ src, naturalWidth }) => [src.slice(0, 15), naturalWidth]),
      ),
    ).toEqual([['data:image/png;', 1]])
    expect(await page.evaluate(() => document.querySelectorAll('article').length)).toBeGreaterThanOrEqual(4)
    expect(await page.evaluate(() => document.querySelector('#m1 .who')?.textContent)).toBe('Assistant')
  })

  it('holds no secret, in no format', async () => {
    const html = readFileSync(file, 'utf8')
    const [markdown, json] = await Promise.all(
      ['md', 'json'].map((format) => cairn('session', 'export', 'hostile', '--format', format)),
    )
    for (const content of [html, markdown, json]) {
      expect(content).not.toContain(KEY)
      expect(content).toContain('[redacted:aws-access-key]')
    }
    for (const content of [html, markdown]) expect(content).not.toContain(COLOURED_KEY.replace('\u001b[0m', ''))
    expect(JSON.parse(json ?? '')).toMatchObject({ session: { id: 'test:hostile' } })
  })

  it('fits a phone and a desk, by day and by night, and passes axe', async () => {
    for (const width of [400, 1400]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      // The document forbids scripts, so the check runs in a context that may pass over its policy.
      const context = await browser.newContext({ bypassCSP: true, colorScheme })
      const checked = await context.newPage()
      const plain = join(folder, 'plain.html')
      writeFileSync(plain, readFileSync(file))
      await checked.goto(pathToFileURL(plain).href)
      await checked.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true
      })
      await checked.addScriptTag({ content: AxeBuilder.source })
      const found = await checked.evaluate(async () => {
        const { violations } = await (
          window as unknown as {
            readonly axe: {
              run(options: object): Promise<{
                readonly violations: readonly {
                  readonly id: string
                  readonly nodes: readonly { readonly html: string }[]
                }[]
              }>
            }
          }
        ).axe.run({ runOnly: ['wcag2a', 'wcag2aa'] })
        return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)
      })
      expect(found).toEqual([])
      await context.close()
    }
  })
})
