/** The page of memory: what it shows is what `cairn memory` prints, and what it changes the command line sees. */
import type { KnownMemory, MemoryVersion } from '@cairn/core'
import type { Locator, Page } from 'playwright-core'
import { cairnJson } from './cairn.ts'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import { CHECKOUT, OTHER, addKnowledge, engineOver } from './knowledge.ts'
import { HOSTILE, LONG_SESSION, addLongSession } from './sample-session.ts'
import { TOKEN, ask, startServer } from './server.ts'

/** Appends sessions of a project that all ran the same check, so that it is suggested. */
const addCheckingSessions = async ({ store }: Pick<DashboardUnderTest, 'store'>): Promise<void> => {
  for (let session = 0; session < 6; session += 1) {
    const at = Date.now() - (6 - session) * 3_600_000
    const call = { type: 'tool_call', id: `c${session}`, name: 'Bash', input: { command: 'npm run lint' } } as const
    const result = { type: 'tool_result', callId: `c${session}`, content: [{ type: 'text', text: 'ok' }] } as const
    await store.sessions.append(
      {
        id: `test:check-${session}`,
        agent: 'claude-code',
        externalId: `check-${session}`,
        workspace: OTHER,
        title: `Task ${session}`,
      },
      0,
      [
        {
          entry: { kind: 'message', id: 'a', at, role: 'user', content: [{ type: 'text', text: 'Check it, please.' }] },
        },
        { entry: { kind: 'message', id: 'b', at: at + 1_000, role: 'assistant', content: [call] } },
        { entry: { kind: 'message', id: 'c', at: at + 2_000, role: 'user', content: [result] } },
      ],
    )
  }
}

describeInBrowser('the page of memory', () => {
  let dashboard: DashboardUnderTest
  let cookie: string
  beforeAll(async () => {
    dashboard = await startDashboard(
      async (store) => {
        await addLongSession(store, 60, Date.now())
        await addKnowledge(store)
        await addCheckingSessions({ store })
      },
      { isWritable: true },
    )
    const entered = await ask(`${dashboard.server.url}?token=${TOKEN}`)
    cookie = String(entered.headers['set-cookie']).split(';')[0] ?? ''
  })
  afterAll(() => dashboard.close())

  const listed = async (workspace: string): Promise<readonly KnownMemory[]> =>
    (
      (await cairnJson(dashboard.file, ['memory', 'list', '--workspace', workspace])) as {
        readonly entries: readonly KnownMemory[]
      }
    ).entries
  const shownIds = (page: Page): Promise<readonly (string | null)[]> =>
    page.locator('[data-entry]').evaluateAll((all) => all.map((entry) => entry.getAttribute('data-entry')))
  const openMemory = async (query: string): Promise<Page> => {
    const page = await dashboard.open(await dashboard.browser.newContext({ timezoneId: 'UTC' }), `memory${query}`)
    await page.getByRole('heading', { name: 'Memory', level: 1 }).waitFor()
    return page
  }
  const of = (workspace: string): string => `project=${encodeURIComponent(workspace)}`

  it('shows the entries of a project and of all, as the command line lists them', async () => {
    for (const workspace of [CHECKOUT, OTHER]) {
      const page = await openMemory(`?${of(workspace)}`)
      await page.locator('[data-entry]').first().waitFor()
      const entries = await listed(workspace)
      expect(await shownIds(page)).toEqual(entries.map(({ id }) => id))
      const confidences = await page
        .locator('[data-confidence]')
        .evaluateAll((all) => all.map((element) => Number(element.getAttribute('data-confidence'))))
      expect(confidences).toEqual(entries.map(({ confidence }) => confidence))
      await page.context().close()
    }
    const page = await openMemory('')
    await page.locator('[data-entry]').first().waitFor()
    const all = [...(await listed(CHECKOUT)), ...(await listed(OTHER))]
    expect([...(await shownIds(page))].sort()).toEqual(all.map(({ id }) => id).sort())
    // Hostile texts are texts.
    expect(await page.locator('main').innerText()).toContain('<script>window.broken = 1</script>')
    expect(await page.locator('main').innerText()).toContain('⟨U+202E⟩')
    expect(await page.evaluate('window.broken')).toBeUndefined()
    await page.context().close()
  })

  it('opens an entry with its history, and leads to the session that it was learnt in', async () => {
    const entries = await listed(OTHER)
    const edited = entries.find(({ text }) => text.startsWith('Run the linter'))
    const page = await openMemory(`?${of(OTHER)}&entry=${edited?.id}`)
    await page.locator('[data-version]').first().waitFor()
    const { versions } = (await cairnJson(dashboard.file, ['memory', 'history', edited?.id ?? ''])) as {
      readonly versions: readonly MemoryVersion[]
    }
    expect(await page.locator('[data-version] p:last-child').allInnerTexts()).toEqual(
      versions.toReversed().map(({ entry }) => entry.text),
    )
    const learnt = (await listed(CHECKOUT)).find(({ sessionId }) => sessionId === LONG_SESSION)
    await page.goto(`${dashboard.server.url}memory?${of(CHECKOUT)}&entry=${learnt?.id}`)
    await page.locator('[data-details] dd a').click()
    await page.waitForURL(/sessions\//)
    expect(decodeURIComponent(page.url())).toContain(LONG_SESSION)
    await page.context().close()
  })

  it('edits, confirms, contradicts and forgets, by the keyboard, through the engine', async () => {
    const { memory } = engineOver(dashboard.store)
    const { entry } = await memory.add({
      workspace: CHECKOUT,
      kind: 'pattern',
      text: 'Tests lie in a folder',
      confidence: 0.6,
    })
    const page = await openMemory(`?${of(CHECKOUT)}&entry=${entry.id}`)
    const act = async (name: string): Promise<void> => {
      const button = page.locator('[data-details]').getByRole('button', { name, exact: true })
      await button.focus()
      await page.keyboard.press('Enter')
    }
    await act('Still true')
    await page.getByText('Confirmed.', { exact: true }).waitFor()
    const confirmed = await memory.get(entry.id)
    expect([confirmed.confirmations, confirmed.confidence > 0.6]).toEqual([entry.confirmations + 1, true])
    await act('Edit')
    const text = page.getByRole('textbox', { name: 'Text' })
    await text.fill('Tests lie beside what they test')
    await page.getByRole('spinbutton', { name: 'How sure, %' }).fill('35')
    await act('Save')
    await page.getByText('Changed; the former version').waitFor()
    expect(await memory.get(entry.id)).toMatchObject({
      text: 'Tests lie beside what they test',
      confidence: 0.35,
      kind: 'pattern',
    })
    // What the engine refuses is said, and nothing is changed.
    await act('Edit')
    await text.fill('x'.repeat(20_001))
    await act('Save')
    await page.locator('[data-details] [role=status].text-danger').filter({ hasText: '20,0' }).waitFor()
    expect((await memory.get(entry.id)).text).toBe('Tests lie beside what they test')
    await act('Cancel')
    await act('Wrong…')
    await page.getByRole('textbox').last().fill('Tests lie in __tests__')
    await act('Replace it')
    await page
      .getByText(/This entry has ended|Replaced;/)
      .first()
      .waitFor()
    const entries = await listed(CHECKOUT)
    expect(entries.some(({ id }) => id === entry.id)).toBe(false)
    const replacement = entries.find((other) => other.text === 'Tests lie in __tests__')
    await page.goto(`${dashboard.server.url}memory?${of(CHECKOUT)}&entry=${replacement?.id}`)
    await act('Forget')
    await page.getByText('This entry has ended').waitFor()
    expect((await memory.history(replacement?.id ?? '')).at(-1)?.ended).toBe('forgotten')
    // The browser itself reports what was refused.
    expect(dashboard.complaints.filter((complaint) => !complaint.includes('400 (Bad Request)'))).toEqual([])
    await page.context().close()
  })

  it('says what was confirmed and what contradicted, and leads from an entry to what it replaced and back', async () => {
    const { memory, notes } = engineOver(dashboard.store)
    const workspace = '/home/ann/code/doubts'
    const add = async (text: string): Promise<string> =>
      (await memory.add({ workspace, kind: 'discovery', text, confidence: 0.8 })).entry.id
    const doubted = await add('The tests take two minutes')
    await memory.contradict(doubted)
    const former = await add('The tests need Redis')
    const { id: next } = await memory.contradict(former, 'The tests need a queue in memory')
    const sure = await add('The tests run in parallel')
    await memory.confirm(sure)
    await notes.set(workspace, 'deploy', 'On Fridays')
    const page = await openMemory(`?${of(workspace)}`)
    const row = (id: string): Locator => page.locator(`[data-entry="${id}"]`)
    await row(sure).waitFor()
    // What projects hold comes in an answer of its own, later than the entries or before them.
    const chosen = page.getByRole('combobox', { name: 'Project' }).locator('option:checked')
    await chosen.filter({ hasText: /^doubts \(3 entries, 1 note\)$/ }).waitFor({ state: 'attached' })
    expect(await page.locator('[data-total=entries]').innerText()).toBe(
      '3 entries, on average 68 % sure, 1 contradicted',
    )
    expect([await row(sure).innerText(), await row(next).innerText(), await row(doubted).innerText()]).toEqual([
      expect.stringMatching(/confirmed \w/),
      expect.stringMatching(/recorded \w/),
      expect.stringMatching(/recorded \w[^]*contradicted once, \w/),
    ])
    await row(next).getByRole('button', { name: /^More/ }).click()
    await row(next).locator('[data-replaces]').getByRole('link', { name: 'The tests need Redis' }).click()
    const ended = page.locator(`[data-details="${former}"]`)
    await ended.getByText('This entry has ended').waitFor()
    await ended.locator('[data-replaced-by]').getByRole('link').click()
    await row(next).locator(`[data-details="${next}"]`).waitFor()
    await page.getByRole('combobox', { name: 'State' }).selectOption('ended')
    await page.getByText('1 ended entry').waitFor()
    const { ended: listedEnded } = (await cairnJson(dashboard.file, [
      'memory',
      'list',
      '--ended',
      '--workspace',
      workspace,
    ])) as { readonly ended: readonly MemoryVersion[] }
    expect(listedEnded.map(({ entry, replacedBy }) => [entry.id, replacedBy])).toEqual([[former, next]])
    await row(former).waitFor()
    expect(await shownIds(page)).toEqual([former])
    expect(await row(former).locator('[data-ended=superseded]').innerText()).toMatch(/^ended: replaced \w/)
    const search = page.getByRole('searchbox', { name: 'Search entries' })
    await search.fill('lorem')
    await page.getByText('Nothing matches').waitFor()
    await page.context().close()
  })

  it('offers what `cairn memory suggest` offers; one is remembered, another dismissed', async () => {
    const suggested = async (): Promise<readonly { readonly id: string; readonly text: string }[]> =>
      (
        (await cairnJson(dashboard.file, ['memory', 'suggest', '--workspace', OTHER])) as {
          readonly suggestions: readonly { readonly id: string; readonly text: string }[]
        }
      ).suggestions
    const offered = await suggested()
    expect(offered.length).toBeGreaterThan(0)
    const page = await openMemory(`?${of(OTHER)}&view=suggestions`)
    await page.locator('[data-suggestion]').first().waitFor()
    const ids = (): Promise<readonly (string | null)[]> =>
      page.locator('[data-suggestion]').evaluateAll((all) => all.map((one) => one.getAttribute('data-suggestion')))
    expect(await ids()).toEqual(offered.map(({ id }) => id))
    const [first] = offered
    await page
      .locator(`[data-suggestion="${first?.id}"]`)
      .getByRole('button', { name: /^Remember/ })
      .click()
    // It keeps its place, so that no other comes under the pointer.
    await page.locator(`[data-suggestion="${first?.id}"]`).getByText('Remembered', { exact: true }).waitFor()
    expect(await ids()).toEqual(offered.map(({ id }) => id))
    expect((await listed(OTHER)).some(({ text }) => text === first?.text)).toBe(true)
    expect((await suggested()).some(({ id }) => id === first?.id)).toBe(false)
    await page.context().close()
  })

  it('writes notes and the profile', async () => {
    const { notes, profile } = engineOver(dashboard.store)
    const page = await openMemory(`?${of(CHECKOUT)}&view=notes`)
    await page.getByRole('button', { name: 'New note' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('plan')
    await page.getByRole('textbox', { name: 'Text' }).fill('First the tests,\nthen the rest\n')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('[data-note="plan"]').waitFor()
    expect((await notes.get(CHECKOUT, 'plan')).text).toBe('First the tests,\nthen the rest\n')
    await page.locator('[data-note="plan"]').getByRole('button', { name: /^More/ }).click()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.locator('[data-note="plan"]').waitFor({ state: 'detached' })
    expect((await notes.list(CHECKOUT)).map(({ key }) => key)).toEqual(['deploy'])
    await page.getByRole('button', { name: 'Profile' }).click()
    await page.locator('[data-line="language"]').waitFor()
    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByText('off: given to no session').waitFor()
    expect(await profile.show()).toMatchObject({
      enabled: false,
      items: [{ key: 'language' }, { key: 'tone', text: HOSTILE }],
    })
    await page.context().close()
  })

  it('changes nothing for others: without the cookie, from other sites, as a form, too much at once, by GET', async () => {
    const { url } = dashboard.server
    const { host, origin } = new URL(url)
    const [entry] = await listed(CHECKOUT)
    const body = JSON.stringify({ id: entry?.id })
    const good = { host, cookie, origin, 'content-type': 'application/json', 'content-length': String(body.length) }
    const before = await dashboard.store.memory.history(entry?.id ?? '')
    const post = async (headers: Record<string, string>, path = 'api/trpc/memory.forget'): Promise<number> =>
      (await ask(`${url}${path}`, headers, 'POST', body)).status
    const { cookie: _cookie, ...noCookie } = good
    const { origin: _origin, ...noOrigin } = good
    expect(await post(noCookie)).toBe(401)
    expect(await post(noOrigin)).toBe(403)
    expect(await post({ ...good, origin: 'http://attacker.example' })).toBe(403)
    expect(await post({ ...good, 'sec-fetch-site': 'same-site' })).toBe(403)
    expect(await post({ ...good, host: 'attacker.example' })).toBe(421)
    expect(await post({ ...good, 'content-type': 'text/plain' })).toBe(415)
    expect(await post(good, 'api/trpc/usage.overview')).toBe(405)
    const { 'content-length': _length, ...unsized } = good
    expect(await post({ ...unsized, 'transfer-encoding': 'chunked' })).toBe(411)
    expect(
      (await ask(`${url}api/trpc/memory.forget`, { ...good, 'content-length': '9000000' }, 'POST', body)).status,
    ).toBe(413)
    const asked = `${url}api/trpc/memory.forget?input=${encodeURIComponent(body)}`
    expect((await ask(asked, { host, cookie })).status).toBe(405)
    for (const method of ['PUT', 'DELETE', 'PATCH'])
      expect((await ask(`${url}api/trpc/memory.forget`, good, method, body)).status).toBe(405)
    expect(await dashboard.store.memory.history(entry?.id ?? '')).toEqual(before)
  })

  it('can only be read where it was opened so: no buttons, and no way around them', async () => {
    const server = await startServer(`file:${dashboard.file}`)
    try {
      const [entry] = await listed(CHECKOUT)
      const context = await dashboard.browser.newContext()
      const page = await context.newPage()
      await page.goto(`${server.url}memory?${of(CHECKOUT)}&entry=${entry?.id}&token=${TOKEN}`)
      await page.getByText('This dashboard can only be read').waitFor()
      await page.locator('[data-version]').first().waitFor()
      expect(await page.getByRole('button', { name: 'Forget' }).count()).toBe(0)
      const entered = await ask(`${server.url}?token=${TOKEN}`)
      const own = String(entered.headers['set-cookie']).split(';')[0] ?? ''
      const { host, origin } = new URL(server.url)
      const body = JSON.stringify({ id: entry?.id })
      const headers = {
        host,
        origin,
        cookie: own,
        'content-type': 'application/json',
        'content-length': String(body.length),
      }
      const { status } = await ask(`${server.url}api/trpc/memory.forget`, headers, 'POST', body)
      expect(status).toBe(405)
      expect((await listed(CHECKOUT)).some(({ id }) => id === entry?.id)).toBe(true)
      await context.close()
    } finally {
      await server.stop()
    }
  })
})
