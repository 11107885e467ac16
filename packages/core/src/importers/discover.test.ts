import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { createWorkbench, generic, type Workbench } from '../testing/import-workbench.ts'

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

const ID = '11111111-2222-3333-4444-555555555555'
const claude = `${JSON.stringify({ type: 'user', uuid: 'u', sessionId: ID, message: { role: 'user', content: 'hi' } })}\n`
const codex = `${JSON.stringify({ timestamp: '2026-01-01T00:00:00Z', type: 'session_meta', payload: { id: ID, cwd: '/x' } })}\n${JSON.stringify({ type: 'response_item', payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] } })}\n`

describe('discovery', () => {
  it('finds every agent in its usual folder, without reporting other files', async () => {
    bench.write(`home/.claude/projects/p/${ID}.jsonl`, claude)
    bench.write('home/.claude/projects/p/notes.txt', 'x')
    bench.write(`home/.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-${ID}.jsonl`, codex)
    bench.write(
      'home/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/t/api_conversation_history.json',
      '[{"role":"user","content":"hi"}]',
    )
    expect(await bench.import({ home: join(bench.folder, 'home') })).toMatchObject({
      files: 3,
      sessions: 3,
      messages: 3,
      skipped: [],
    })
    expect(await bench.import({ home: join(bench.folder, 'home'), agent: 'codex' })).toMatchObject({
      files: 0,
    })
  })

  it.each(['.', 'root', 'root/projects', 'root/projects/p', `root/projects/p/${ID}.jsonl`])(
    'accepts any level of a layout: %s',
    async (level) => {
      bench.write(`root/projects/p/${ID}.jsonl`, claude)
      expect(await bench.import({ from: [join(bench.folder, level)] })).toMatchObject({
        files: 1,
        messages: 1,
        skipped: [],
      })
    },
  )

  it("recognises files by their first lines where the path doesn't identify them", async () => {
    bench.write('a.jsonl', claude)
    bench.write('b.jsonl', codex)
    bench.write('c.txt', `${generic('hi')}\n`)
    await bench.import()
    await bench.import({ from: [join(bench.folder, 'c.txt')] })
    const { sessions } = await bench.store.sessions.list({})
    expect(sessions.map(({ agent }) => agent).sort()).toEqual(['claude-code', 'codex', 'generic'])
  })

  it("reports arguments that can't be used", async () => {
    bench.write('empty.jsonl', '')
    bench.write('binary.jsonl', Uint8Array.from([1, 0, 2]))
    bench.write('other.jsonl', '{"a":1}\n')
    bench.write('text.jsonl', 'hello\n')
    bench.write('readme.md', '# x')
    symlinkSync(join(bench.folder, 'gone'), join(bench.folder, 'dangling.jsonl'))
    const { skipped } = await bench.import({ from: [bench.folder, join(bench.folder, 'missing')] })
    expect(
      Object.fromEntries(skipped.map(({ file, reason }) => [file.slice(bench.folder.length + 1), reason])),
    ).toEqual({
      'empty.jsonl': 'empty',
      'binary.jsonl': 'a binary file',
      'other.jsonl': 'not a transcript of a known agent',
      'text.jsonl': 'not JSON Lines',
      'readme.md': 'not a transcript of a known agent',
      'dangling.jsonl': 'a link to nowhere',
      missing: 'no such file or folder',
    })
  })

  it('reports a text in UTF-16', async () => {
    const text = Buffer.from(`\uFEFF${generic('hi')}\n`, 'utf16le')
    bench.write('big.jsonl', Uint8Array.from(Buffer.from(text).swap16()))
    bench.write('little.jsonl', Uint8Array.from(text))
    const reason = 'a text in UTF-16; save it as UTF-8 in order to import it'
    expect((await bench.import({ from: [bench.folder] })).skipped).toMatchObject([{ reason }, { reason }])
  })

  it.each([
    ['big', 'ends with a mark', false],
    ['little', 'ends with a mark', false],
    ['big', 'holds ten words of Greek', true],
    ['little', 'holds ten words of Greek', true],
  ])('names a text in UTF-16 without a byte order mark: %s endian, it %s', async (order, _what, isGreek) => {
    const text = isGreek ? 'δέκα λέξεις '.repeat(5) : 'the end\uFEFF'
    const bytes = Buffer.from(`${generic(text)}\n`.repeat(200), 'utf16le')
    if (order === 'big') bytes.swap16()
    // The second name promises a transcript, so that nothing but the reading itself looks at the content.
    for (const name of ['a.jsonl', `projects/p/${ID}.jsonl`]) bench.write(name, Uint8Array.from(bytes))
    const reason = 'a text in UTF-16; save it as UTF-8 in order to import it'
    const report = await bench.import({ from: [bench.folder] })
    expect(report.skipped).toMatchObject([{ reason }, { reason }])
    expect(report.messages).toBe(0)
  })

  it('reads rollouts that Codex has packed with zstd, and counts nothing twice that was read before', async () => {
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
    const lines = [
      { type: 'session_meta', payload: { id: 'c', cwd: '/w' } },
      { type: 'response_item', payload: { type: 'message', role: 'user', content: 'hi' } },
      {
        type: 'event_msg',
        payload: { type: 'token_count', info: { total_token_usage: usage, last_token_usage: usage } },
      },
    ].map((line) => `${JSON.stringify({ timestamp: '2026-01-01T00:00:00Z', ...line })}\n`)
    const plain = bench.write('sessions/2026/01/01/rollout-a.jsonl', lines.slice(0, 2).join(''))
    expect(await bench.import()).toMatchObject({ files: 1, messages: 1, requests: 0 })
    rmSync(plain)
    bench.write('sessions/2026/01/01/rollout-a.jsonl.zst', zstdCompressSync(lines.join('')))
    expect(await bench.import()).toMatchObject({ files: 1, messages: 0, requests: 1, skipped: [] })
    expect(await bench.import()).toMatchObject({ files: 0, skipped: [] })
    expect((await bench.store.sessions.list({})).sessions.map(({ id, messages }) => [id, messages])).toEqual([
      ['codex:c', 1],
    ])
    bench.write('b.jsonl.zst', zstdCompressSync(`${generic('other')}\n`))
    bench.write('c.jsonl.zst', 'no zstd')
    expect(await bench.import()).toMatchObject({
      messages: 1,
      skipped: [{ reason: 'the compressed content is damaged' }],
    })
  })

  it('says of packed files and blank lines without content that they are empty', async () => {
    bench.write('packed.jsonl.gz', gzipSync(''))
    bench.write('blank.jsonl', '\n \n\t\n')
    expect((await bench.import({ from: [bench.folder] })).skipped.map(({ reason }) => reason)).toEqual([
      'empty',
      'empty',
    ])
  })

  it('says of a document that is no list the same at every import', async () => {
    bench.write('roo/tasks/t/api_conversation_history.json', '{"role":"user","content":"hi"}')
    for (let time = 0; time < 2; time++)
      expect((await bench.import({ from: [bench.folder] })).skipped).toMatchObject([{ reason: 'not a JSON array' }])
    bench.write('roo/tasks/t/api_conversation_history.json', '[{"role":"user","content":"hi"}')
    const reason = 'the document is incomplete; it is tried again at the next import'
    for (let time = 0; time < 2; time++)
      expect((await bench.import({ from: [bench.folder] })).skipped).toMatchObject([{ reason }])
  })

  it('takes text for UTF-8 in which single NULs stand', async () => {
    bench.write('a.jsonl', `${generic('one')}\0\n${generic('two')}\n\0\0${generic('three')}\n`)
    expect((await bench.import({ from: [bench.folder] })).messages).toBe(3)
  })

  it('names links that lead in a circle as such, also when one is all that is given', async () => {
    bench.write('a.jsonl', `${generic('hi')}\n`)
    symlinkSync('second.jsonl', join(bench.folder, 'first.jsonl'))
    symlinkSync('first.jsonl', join(bench.folder, 'second.jsonl'))
    const reason = 'a link that leads in a circle, so that there is no file at its end'
    for (const from of [bench.folder, join(bench.folder, 'first.jsonl'), join(bench.folder, 'first.jsonl', 'below')]) {
      const { skipped } = await bench.import({ from: [from] })
      expect(new Set(skipped.map((row) => row.reason))).toEqual(new Set([reason]))
    }
  })

  it('reports a file whose name is not UTF-8', async () => {
    const name = Buffer.concat([Buffer.from(`${bench.folder}/latin-`), Buffer.from([0xff]), Buffer.from('.jsonl')])
    try {
      writeFileSync(name, `${generic('hi')}\n`)
    } catch {
      return // macOS and Windows have no such names
    }
    expect((await bench.import({ from: [bench.folder] })).skipped).toEqual([
      expect.objectContaining({ reason: 'its name is not valid UTF-8; rename it in order to import it' }),
    ])
  })

  it('reports a binary file even when its path or the named agent suggests a transcript', async () => {
    const path = bench.write(`projects/p/${ID}.jsonl`, Uint8Array.from([1, 0, 2]))
    expect((await bench.import()).skipped).toEqual([{ file: path, reason: 'a binary file', count: 1 }])
  })

  it('follows links but no cycles, and reads a file once however many links lead to it', async () => {
    const real = bench.write('real/a.jsonl', `${generic('hi')}\n`)
    mkdirSync(join(bench.folder, 'links'))
    symlinkSync(bench.folder, join(bench.folder, 'links', 'circle'))
    symlinkSync(real, join(bench.folder, 'links', 'same.jsonl'))
    expect(await bench.import()).toMatchObject({ files: 1, messages: 1, skipped: [] })
  })

  it('skips and reports links that lead out of the folder, which may itself be a link', async () => {
    bench.write('outside/b.jsonl', `${generic('not asked for', { session: 'other' })}\n`)
    bench.write('inside/a.jsonl', `${generic('hi')}\n`)
    const folder = join(bench.folder, 'inside')
    symlinkSync('/', join(folder, 'root'))
    symlinkSync('..', join(folder, 'up'))
    symlinkSync('../outside/b.jsonl', join(folder, 'b.jsonl'))
    symlinkSync('a.jsonl', join(folder, 'same.jsonl'))
    symlinkSync('loop', join(folder, 'loop'))
    symlinkSync(folder, join(bench.folder, 'given'))
    const given = join(bench.folder, 'given')
    const { messages, skipped } = await bench.import({ from: [given] })
    expect(messages).toBe(1)
    expect(skipped.map(({ file, reason }) => `${file.slice(given.length + 1)}: ${reason.slice(0, 31)}`)).toEqual([
      'b.jsonl: a link that leads out of the fo',
      'loop: a link that leads in a circle, ',
      'root: a link that leads out of the fo',
      'up: a link that leads out of the fo',
    ])
    const both = await bench.import({ from: [given, join(bench.folder, 'outside')] })
    expect(both).toMatchObject({ messages: 1, skipped: [{ file: join(given, 'loop') }, {}, {}] })
  })

  it("attributes the extension's files to the given agent, whatever the folder's name", async () => {
    bench.write('saved/t1/api_conversation_history.json', '[{"role":"user","content":"hi"}]')
    await bench.import({ agent: 'roo' })
    expect((await bench.store.sessions.list({})).sessions.map(({ id }) => id)).toEqual(['roo:t1'])
  })

  it('summarises the names of very many unknown files', async () => {
    for (let number = 0; number < 60; number++) bench.write(`f${number}.bin`, 'x')
    const { skipped } = await bench.import()
    expect(skipped).toHaveLength(51)
    expect(skipped.at(-1)).toMatchObject({ count: 10, reason: expect.stringContaining('further') })
  })

  it('trusts the user when file and agent are given', async () => {
    const path = bench.write('chat.log', `${generic('hi')}\n{"session":1}\n`)
    expect(await bench.import({ from: [path], agent: 'generic' })).toMatchObject({
      files: 1,
      messages: 1,
      skipped: [{ line: 2 }],
    })
  })

  it.each([
    ['vscode', 'unsupported'],
    ['nobody', 'usage'],
  ])('refuses the agent %s', async (agent, code) => {
    await expect(bench.import({ agent })).rejects.toMatchObject({ code })
  })

  it('reports its progress', async () => {
    bench.write('a.jsonl', `${generic('hi')}\n`)
    bench.write('b.jsonl', '')
    await bench.import()
    expect(bench.events.map(({ type }) => type)).toEqual([
      'import-started',
      'import-skipped',
      'import-progress',
      'import-file',
      'import-progress',
      'store-changed',
    ])
    expect(bench.events[0]).toEqual({ type: 'import-started', files: 1, bytes: generic('hi').length + 1 })
  })
})
