import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { rmSync, utimesSync } from 'node:fs'
import { incognitoLine } from '../incognito/incognito-record.ts'
import { createWorkbench, type Workbench } from '../testing/import-workbench.ts'
import { ChatSections, NO_CHAT, type ChatSection } from './aider-sections.ts'
import { parseReport } from './aider-usage.ts'

const PATH = 'harbour/.aider.chat.history.md'
const FIRST = '2025-07-15 11:38:37'
const SECOND = '2025-07-15 14:53:34'
const sessionOf = (started: string): string => `aider:harbour-${started.replace(/[ :]/g, '-')}`

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

/** As Aider writes them. */
const started = (time: string, model = 'gpt-4o'): string =>
  `\n# aider chat started at ${time}\n\n> Aider v0.85.1  \n> Main model: ${model} with diff edit format  \n> Weak model: gpt-4o-mini  \n`
const user = (...lines: readonly string[]): string => `\n#### ${lines.join('  \n#### ')}  \n`
const reply = (text: string): string => `\n${text}\n\n`
const printed = (...lines: readonly string[]): string => lines.map((line) => `> ${line}  \n`).join('')
const tokens = (sent: string, received: string, cost: string): string =>
  printed(`Tokens: ${sent} sent, ${received} received. Cost: $${cost} message, $0.99 session.`)

const HISTORY = [
  started(FIRST),
  user('hello'),
  reply('Hi!'),
  tokens('3.2k', '21', '0.0082'),
  user('/ask Why does the crane', '', 'stop?'),
  reply('The sensor:\n\n#### Step 1\n\n> quoted\n\n```sh\n# restart\n```'),
  tokens('12k', '1,184', '0.03'),
  printed('crane.ts', 'Add file to the chat? (Y)es/(N)o [Yes]: y'),
  user("Add file to the chat? (Y)es/(N)o/(D)on't ask again [Yes]: skip"),
  user('Mend it'),
  reply('Mended.'),
  tokens('950', '66', '0.0090'),
  printed('Applied edit to src/crane.ts', 'Commit dde0244 fix: mend the crane'),
  started(SECOND, 'claude-sonnet-4-5'),
  user('Paint it'),
  reply('Painted.'),
  tokens('2.0k', '10', '0.01'),
] as const
const TEXT = HISTORY.join('')

/** Writes a history that was last written to long ago, so that nothing of it is open. */
const writeSettled = (text: string, name = PATH): string => {
  const path = bench.write(name, text)
  utimesSync(path, 1, 1)
  return path
}
const LATER = { clock: { now: () => 10_000_000 } }
const read = async (session: string): Promise<readonly string[]> =>
  (await bench.store.sessions.read(session)).flatMap((entry) =>
    entry.kind === 'message'
      ? [`${entry.role}: ${entry.content.map((block) => (block.type === 'text' ? block.text : '')).join('')}`]
      : [],
  )

describe('a chat history', () => {
  it('gives a session for each chat, with messages, requests, costs, edits and the folder', async () => {
    writeSettled(TEXT)
    // A project, whatever the temporary folder lies in.
    bench.write('harbour/.git/HEAD', 'ref: refs/heads/main\n')
    expect(await bench.import(LATER)).toMatchObject({ files: 1, sessions: 2, messages: 9, requests: 4, skipped: [] })
    expect(await read(sessionOf(FIRST))).toEqual([
      'user: hello',
      'assistant: Hi!',
      'user: /ask Why does the crane\n\nstop?',
      'assistant: The sensor:\n\n#### Step 1\n\n> quoted\n\n```sh\n# restart\n```',
      "user: Add file to the chat? (Y)es/(N)o/(D)on't ask again [Yes]: skip",
      'user: Mend it',
      'assistant: Mended.',
    ])
    expect(await read(sessionOf(SECOND))).toEqual(['user: Paint it', 'assistant: Painted.'])
    const log = await bench.store.sessions.read(sessionOf(FIRST))
    expect(log.filter(({ kind }) => kind === 'file')).toMatchObject([{ path: 'src/crane.ts', operation: 'edit' }])
    expect(log).toContainEqual(expect.objectContaining({ role: 'user', origin: 'meta' }))
    expect(log.every(({ at }) => at === new Date(2025, 6, 15, 11, 38, 37).getTime())).toBe(true)
    expect(await bench.store.sessions.get(sessionOf(FIRST))).toMatchObject({
      agent: 'aider',
      title: 'Why does the crane stop?',
      workspace: `${bench.folder}/harbour`,
    })
    const { rows } = await bench.store.usage.report({ by: 'session' })
    expect(rows.find(({ key }) => key === sessionOf(FIRST))).toMatchObject({
      requests: 3,
      inputTokens: 16_150,
      outputTokens: 1_271,
      recordedCostNano: 47_200_000n,
    })
    const models = await bench.store.usage.report({ by: 'model' })
    expect(models.rows.map(({ key, requests }) => [key, requests]).sort()).toEqual([
      ['claude-sonnet-4-5', 1],
      ['gpt-4o', 3],
    ])
  })

  it('is taken in as it grows, and nothing twice', async () => {
    let text = ''
    for (const part of HISTORY) {
      text += part
      bench.write(PATH, text)
      await bench.import()
    }
    writeSettled(text)
    await bench.import(LATER)
    const grown = await bench.store.sessions.read(sessionOf(FIRST))
    expect(await bench.import(LATER)).toMatchObject({ files: 0, messages: 0, requests: 0, skipped: [] })
    const whole = createWorkbench()
    whole.write('harbour/.aider.chat.history.md', TEXT)
    await whole.import({ clock: { now: () => Date.now() + 600_000 } })
    const texts = (log: typeof grown): readonly unknown[] =>
      log.map((entry) => ('content' in entry ? entry.content : 0))
    expect(texts(grown)).toEqual(texts(await whole.store.sessions.read(sessionOf(FIRST))))
    const { total } = await bench.store.usage.report({ by: 'session' })
    expect(total).toMatchObject({ requests: 4, recordedCostNano: 57_200_000n })
    whole.end()
  })

  it('that is being written to keeps its last section for later', async () => {
    const open = TEXT.slice(0, TEXT.indexOf('Painted.') + 4)
    bench.write(PATH, open)
    const first = await bench.import()
    expect(first.skipped.map(({ reason }) => reason)).toEqual([
      'the last message is not finished; it is tried again at the next import',
    ])
    expect(await read(sessionOf(SECOND))).toEqual(['user: Paint it'])
    bench.write(PATH, TEXT)
    expect(await bench.import()).toMatchObject({ messages: 1, requests: 1, skipped: [] })
    expect(await read(sessionOf(SECOND))).toEqual(['user: Paint it', 'assistant: Painted.'])
  })

  it('of which older chats were cut away keeps them, and repeats nothing', async () => {
    writeSettled(TEXT)
    await bench.import(LATER)
    writeSettled(
      `${TEXT.slice(TEXT.indexOf(`\n# aider chat started at ${SECOND}`))}${user('Dry it')}${reply('Dried.')}`,
    )
    expect(await bench.import(LATER)).toMatchObject({ sessions: 0, messages: 2, requests: 0 })
    expect(await read(sessionOf(FIRST))).toHaveLength(7)
  })

  it('without a price has tokens, and with cached ones their classes', async () => {
    const report = 'Tokens: 12k sent, 1.5k cache write, 8.2k cache hit, 21 received.'
    writeSettled(
      [
        started(FIRST),
        user('One'),
        reply('Two.'),
        // The cost stands in a line of its own.
        `> ${report}\nCost: $0.02 message, $0.05 session.  \n`,
        user('Three'),
        reply('Four.'),
        printed('Tokens: 3.2k sent, 7 received.'),
        user('Five'),
        printed('Tokens: 900 sent, 3 received.'),
      ].join(''),
    )
    expect(await bench.import(LATER)).toMatchObject({ messages: 5, requests: 3, skipped: [] })
    const requests = await bench.store.usage.requests(sessionOf(FIRST))
    expect(requests).toMatchObject([
      {
        inputTokens: 2_300,
        cacheReadTokens: 8_200,
        cacheWrite5mTokens: 1_500,
        outputTokens: 21,
        costState: 'recorded',
      },
      { inputTokens: 3_200, outputTokens: 7, costState: 'unpriced' },
      { inputTokens: 900, outputTokens: 3 },
    ])
    expect(await read(sessionOf(FIRST))).toContain('assistant: Two.')
  })

  it('written on Windows, without a header, or damaged, costs only what is damaged', async () => {
    writeSettled(TEXT.replaceAll('\n', '\r\n'), 'windows/.aider.chat.history.md')
    writeSettled(`${user('Go on')}${reply('Gone.')}`, 'headless/.aider.chat.history.md')
    writeSettled(`${started(FIRST)}${'\0'.repeat(512)}\n${user('Go')}\xff\n`, 'nuls/.aider.chat.history.md')
    const { messages, requests } = await bench.import(LATER)
    expect([messages, requests]).toEqual([9 + 2 + 3, 4])
    expect(await read('aider:headless-undated')).toEqual(['user: Go on', 'assistant: Gone.'])
    expect((await read(sessionOf(FIRST).replace('harbour', 'windows')))[2]).toBe(
      'user: /ask Why does the crane\n\nstop?',
    )
  })

  it('is found by its name in a folder, and by its beginning under another; its other files are passed over', async () => {
    writeSettled(TEXT)
    bench.write('harbour/.aider.input.history', '# 2025\n+hello\n')
    expect(await bench.import({ from: [`${bench.folder}/harbour`], ...LATER })).toMatchObject({ files: 1, skipped: [] })
    const copy = writeSettled(TEXT, 'copy/chat.md')
    expect(await bench.import({ from: [copy], ...LATER })).toMatchObject({ files: 1, messages: 9 })
    expect(await bench.import({ from: [copy], agent: 'aider', ...LATER })).toMatchObject({ files: 0 })
  })

  it('is found in the home folder', async () => {
    writeSettled(TEXT, '.aider.chat.history.md')
    expect(await bench.import({ home: bench.folder, from: [], ...LATER })).toMatchObject({ files: 1, messages: 9 })
  })

  it('leaves out a chat that is incognito', async () => {
    const session = sessionOf(FIRST).replace('aider:', '')
    bench.write('home/.local/share/cairn/incognito.jsonl', incognitoLine({ agent: 'aider', session }, 1))
    const path = writeSettled(TEXT)
    expect(await bench.import({ from: [path], ...LATER })).toMatchObject({ sessions: 1, messages: 2 })
    expect(await bench.store.sessions.get(sessionOf(FIRST))).toBeUndefined()
  })

  it('leaves out the chats of a project whose setting is incognito, and marks them: they stay out when it is gone', async () => {
    const path = writeSettled(TEXT)
    const settings = bench.write('harbour/.cairn/config.json', '{"hooks":{"incognito":true}}')
    const report = await bench.import({ from: [path], ...LATER })
    expect(report).toMatchObject({ sessions: 0, messages: 0, requests: 0 })
    expect(report.skipped.map(({ reason }) => reason)).toEqual(['incognito', 'incognito'])
    rmSync(settings)
    writeSettled(`${TEXT}${user('Once more')}${reply('Done.')}`)
    expect(await bench.import({ from: [path], ...LATER })).toMatchObject({ sessions: 0, messages: 0, requests: 0 })
  })

  it('has secrets taken out that go over several lines', async () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEA'.repeat(4)}\n-----END RSA PRIVATE KEY-----`
    writeSettled(`${started(FIRST)}${user('Show it')}${reply(key)}${tokens('1k', '9', '0.01')}`)
    await bench.import({ ...LATER, redact: true })
    const [, shown = ''] = await read(sessionOf(FIRST))
    expect(shown).not.toContain('MIIEow')
  })

  it('is taken in, and the log of requests beside it is not, which would count them twice', async () => {
    writeSettled(TEXT)
    const log = bench.write(
      'harbour/analytics.jsonl',
      `${JSON.stringify({ event: 'message_send', properties: { main_model: 'gpt-4o', prompt_tokens: 3_204 }, time: 1 })}\n`,
    )
    const { requests, skipped } = await bench.import({ from: [`${bench.folder}/harbour`], ...LATER })
    expect(requests).toBe(4)
    expect(skipped).toMatchObject([{ file: log, reason: expect.stringContaining('import those instead') }])
  })
})

describe('a report of tokens', () => {
  it.each([
    ['Tokens: 999 sent, 1 received.', [999, 0, 0, 1], undefined],
    ['Tokens: 3.2k sent, 21 received. Cost: $0.0082 message, $0.0082 session.', [3_200, 0, 0, 21], 0.0082],
    [
      'Tokens: 1.2M sent, 12k cache hit, 2.5k received. Cost: $12.50 message, $13.00 session.',
      [1_200_000, 0, 12_000, 2_500],
      12.5,
    ],
    ['Tokens: 5 sent, 4 received. Cost: $0.00 message, $0.00 session.', [5, 0, 0, 4], 0],
    ['Tokens: x sent, 1.2.3 received. Cost: $1.2.3 message', [0, 0, 0, 0], undefined],
  ])('%s', (text, expected, cost) => {
    const { tokens: found, ...report } = parseReport(text)
    expect([found.sent, found.cacheWrite, found.cacheHit, found.received]).toEqual(expected)
    expect(report.cost).toBe(cost)
  })
})

describe('sections', () => {
  const line = fc.oneof(
    fc.constantFrom('', ' ', '#### a  ', '####   ', '#### b', '> c  ', '> d', 'e', 'Cost: $1 message  '),
    fc.constantFrom(
      `# aider chat started at ${FIRST}`,
      '> Tokens: 1k sent, 2 received.  ',
      '> Main model: m with diff  ',
    ),
    fc.constant('> Tokens: 1k sent, 1k cache write, 1k cache hit, 2 received.'),
    fc.string({ maxLength: 8 }).filter((text) => !text.includes('\n')),
  )

  it('hold every line that is not blank, and go on from where none is open', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const whole = new ChatSections(NO_CHAT)
        let resumed = new ChatSections(NO_CHAT)
        const found: ChatSection[] = []
        const again: ChatSection[] = []
        for (const each of lines) {
          found.push(...whole.take(each))
          again.push(...resumed.take(each))
          if (resumed.isBetween) resumed = new ChatSections(resumed.state)
        }
        found.push(...whole.end())
        again.push(...resumed.end())
        expect(again).toEqual(found)
        const texts = found.map(({ text, usage }) => `${text} ${usage ?? ''}`).join('\n')
        for (const each of lines) {
          const words = each.replace(/^(?:#### |> )/, '').trim()
          if (!/^# aider chat/.test(each)) expect(texts).toContain(words)
        }
      }),
      { numRuns: 500 },
    )
  })
})
