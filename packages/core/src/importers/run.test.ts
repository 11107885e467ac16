import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { appendFileSync, truncateSync, utimesSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { CairnError, StorageError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { ImportStorage } from '../ports/import-storage.ts'
import { createWorkbench, generic, type Workbench } from '../testing/import-workbench.ts'

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

const S = 'generic:s'
const lines = (...texts: readonly string[]): string => texts.map((text) => `${generic(text)}\n`).join('')

it('an import that the store ended at a large line stayed busy for its listeners, so that signals were not heard', async () => {
  bench.write('a.jsonl', lines('one', 'x'.repeat(3 << 20), 'three'))
  const storage: ImportStorage = {
    ...bench.store.imports,
    prepare: () => ({ commit: () => Promise.reject(new StorageError('storage-failed', 'The disk is full.')) }),
  }
  await expect(bench.import({ storage })).rejects.toMatchObject({ code: 'storage-failed' })
  expect(bench.events.flatMap((event) => (event.type === 'import-busy' ? [event.isBusy] : []))).toEqual([true, false])
})

describe('importing again', () => {
  it('does not open files that have not changed', async () => {
    for (let number = 0; number < 20; number++)
      bench.write(`f${number}.jsonl`, `${generic('x', { session: `s${number}` })}\n`)
    expect(await bench.import()).toMatchObject({
      files: 20,
      sessions: 20,
      messages: 20,
      requests: 0,
      skipped: [],
    })
    bench.opened.length = 0
    expect(await bench.import()).toMatchObject({
      files: 0,
      sessions: 0,
      messages: 0,
      requests: 0,
      skipped: [],
    })
    expect(bench.opened).toEqual([])
  })

  it('imports only the files named as changed, none from elsewhere, and reports the result of each', async () => {
    const grown = bench.write('in/a.jsonl', lines('one', 'two'))
    const quiet = bench.write('in/b.jsonl', `${generic('x', { session: 'quiet' })}\n`)
    const outside = bench.write('out/c.jsonl', `${generic('y', { session: 'outside' })}\n`)
    const from = [grown.replace(/[/\\]a\.jsonl$/, '')]
    await bench.import({ from, changed: [grown] })
    appendFileSync(grown, lines('three'))
    appendFileSync(quiet, `${generic('z', { session: 'quiet' })}\n`)
    bench.opened.length = 0
    bench.events.length = 0
    expect(await bench.import({ from, changed: [grown, outside, `${grown}.gone`] })).toMatchObject({
      files: 1,
      sessions: 0,
      messages: 1,
    })
    expect(new Set(bench.opened)).toEqual(new Set([grown]))
    expect(bench.events.filter(({ type }) => type === 'import-file')).toEqual([
      {
        type: 'import-file',
        file: grown,
        agent: 'generic',
        sessions: [S],
        newSessions: 0,
        newMessages: 1,
        newRequests: 0,
      },
    ])
    expect(await bench.import({ from })).toMatchObject({ files: 1, sessions: 1, messages: 2 })
  })

  it('continues in a file that grew, and keeps every source line once', async () => {
    const path = bench.write('a.jsonl', lines('one', 'two'))
    await bench.import()
    appendFileSync(path, lines('three'))
    expect(await bench.import()).toMatchObject({ files: 1, sessions: 0, messages: 1 })
    expect(await bench.texts(S)).toEqual(['one', 'two', 'three'])
    expect(await bench.source(S)).toEqual([generic('one'), generic('two'), generic('three')])
  })

  it.each([0, 1, 2, 3, 4095, 4096, 4097, 9000])(
    'continues wherever the file ended before (%d characters more)',
    async (padding) => {
      const path = bench.write('a.jsonl', lines('a'.repeat(padding), 'b'))
      await bench.import()
      for (const text of ['c', 'd'.repeat(padding), 'e']) {
        appendFileSync(path, lines(text))
        expect(await bench.import()).toMatchObject({ messages: 1, skipped: [] })
      }
      expect(await bench.texts(S)).toEqual(['a'.repeat(padding), 'b', 'c', 'd'.repeat(padding), 'e'])
    },
  )

  it('continues after a long run of empty lines, wherever the file ended before', async () => {
    const path = bench.write('a.jsonl', `${lines('one')}${'\n'.repeat(300_000)}`)
    await bench.import()
    appendFileSync(path, `${'\n'.repeat(2000)}${lines('two')}`)
    expect(await bench.import()).toMatchObject({ files: 1, messages: 1, skipped: [] })
    appendFileSync(path, lines('three'))
    expect(await bench.import()).toMatchObject({ files: 1, messages: 1, skipped: [] })
    expect(await bench.texts(S)).toEqual(['one', 'two', 'three'])
    expect((await bench.source(S)).filter((line) => line !== '')).toEqual(
      ['one', 'two', 'three'].map((x) => generic(x)),
    )
    expect((await bench.store.imports.file(path))?.cursor.line).toBe(302_003)
  })

  it('reads a rewritten file again without repeating known messages', async () => {
    const kept = Array.from({ length: 3 }, (_, index) => generic(`kept ${index}`, { id: `k${index}` })).join('\n')
    const path = bench.write('a.jsonl', `${kept}\n${generic('gone', { id: 'gone' })}\n`)
    await bench.import()
    bench.write('a.jsonl', `${generic('first', { id: 'f' })}\n${kept}\n${generic('last', { id: 'l' })}\n`)
    expect(await bench.import()).toMatchObject({ messages: 2 })
    expect(await bench.texts(S)).toEqual(['kept 0', 'kept 1', 'kept 2', 'gone', 'first', 'last'])
    truncateSync(path, kept.length)
    expect(await bench.import()).toMatchObject({ files: 1, messages: 0 })
  })

  it('does not treat a new modification time alone as a change, and stores it', async () => {
    const path = bench.write('a.jsonl', lines('one'))
    await bench.import()
    utimesSync(path, 5, 5)
    expect(await bench.import()).toMatchObject({ files: 0, messages: 0 })
    bench.opened.length = 0
    await bench.import()
    expect(bench.opened).toEqual([])
  })

  it('unpacks compressed files, also when they were recompressed with more content', async () => {
    bench.write('a.jsonl.gz', gzipSync(lines('one', 'x'.repeat(6000))))
    expect(await bench.import()).toMatchObject({ files: 1, messages: 2, skipped: [] })
    bench.write('a.jsonl.gz', gzipSync(lines('one', 'x'.repeat(6000), 'three')))
    expect(await bench.import()).toMatchObject({ files: 1, messages: 1, skipped: [] })
  })

  it('reads documents whole after each save', async () => {
    const name = 'tasks/t1/api_conversation_history.json'
    const message = (ts: number, content: string) => ({ role: 'user', ts, content })
    bench.write(name, JSON.stringify([message(1755635332197, 'one')]))
    expect(await bench.import()).toMatchObject({ files: 1, sessions: 1, messages: 1 })
    bench.write(name, JSON.stringify([message(1755635332197, 'one'), message(1755635332198, 'two')]))
    expect(await bench.import()).toMatchObject({ files: 1, sessions: 0, messages: 1 })
    expect(await bench.import()).toMatchObject({ files: 0, messages: 0 })
    expect(await bench.texts('cline:t1')).toEqual(['one', 'two'])
  })
})

describe('the end of a file', () => {
  it('counts a last line without its end when it is whole', async () => {
    const path = bench.write('a.jsonl', lines('one') + generic('two'))
    expect(await bench.import()).toMatchObject({ messages: 2, skipped: [] })
    appendFileSync(path, `\n${generic('three')}`)
    expect(await bench.import()).toMatchObject({ messages: 1, skipped: [] })
    expect(await bench.source(S)).toEqual([generic('one'), generic('two'), generic('three')])
  })

  it('reports one that is not, every time, and reads it once it is complete', async () => {
    const cut = generic('two').slice(0, 20)
    const path = bench.write('a.jsonl', lines('one') + cut)
    const row = { file: path, line: 2, reason: expect.stringContaining('incomplete'), count: 1 }
    expect(await bench.import()).toMatchObject({ messages: 1, skipped: [row] })
    expect(await bench.import()).toMatchObject({ files: 0, skipped: [row] })
    appendFileSync(path, `${generic('two').slice(20)}\n`)
    expect(await bench.import()).toMatchObject({ messages: 1, skipped: [] })
    expect(await bench.store.imports.skips()).toEqual([])
  })

  it('reads it also when the incomplete line spans many chunks', async () => {
    const long = generic('x'.repeat(3_000_000))
    const path = bench.write('a.jsonl', lines('one') + long.slice(0, 2_500_000))
    expect((await bench.import()).skipped).toHaveLength(1)
    appendFileSync(path, `${long.slice(2_500_000)}\n`)
    expect(await bench.import()).toMatchObject({ messages: 1, skipped: [] })
    expect(await bench.source(S)).toHaveLength(2)
  })
})

describe('damage', () => {
  it('reports bad lines with one reason each, at most five rows per file, and imports the rest', async () => {
    const bad = ['// comment', '{broken', JSON.stringify({ session: 's', role: 'x' }), '[]', '1', '2', '{']
    const path = bench.write('a.jsonl', `${lines('one')}${bad.join('\n')}\n${lines('two')}`)
    const report = await bench.import()
    expect(report.messages).toBe(2)
    expect(report.skipped.map(({ line, reason, count }) => [line, reason, count])).toEqual([
      [2, 'a comment, not JSON', 1],
      [3, 'not valid JSON', 2],
      [4, '"role" must be one of user, assistant, tool, system', 1],
      [5, 'not a JSON object', 3],
    ])
    expect(report.skipped.every(({ file }) => file === path)).toBe(true)
    expect(await bench.source(S)).toEqual([generic('one'), ...bad, generic('two')])
  })

  it('counts by reason where there are more bad lines than rows, however many reasons there are', async () => {
    const odd = (more: object): string => generic('x', more)
    const bad = [
      ...Array.from({ length: 13 }, () => odd({ text: 7 })),
      odd({ at: 'soon' }),
      odd({ text: 8 }),
      odd({ at: 'later' }),
    ]
    const path = bench.write('a.jsonl', `${lines('one')}${bad.join('\n')}\n`)
    expect((await bench.import()).skipped).toEqual([
      { file: path, line: 2, reason: '"text" must be a string', count: 14 },
      { file: path, line: 15, reason: '"at" is not a time', count: 2 },
    ])
    const many = [
      odd({ text: 7 }),
      odd({ at: 'soon' }),
      '{',
      odd({ role: 'x' }),
      odd({ session: '' }),
      odd({ tool: 1 }),
      odd({ text: 7 }),
    ]
    bench.write('b.jsonl', `${lines('two')}${many.join('\n')}\n`)
    expect((await bench.import()).skipped.map(({ line, reason, count }) => [line, reason, count])).toEqual([
      [2, '"text" must be a string', 2],
      [3, '"at" is not a time', 1],
      [4, 'not valid JSON', 1],
      [5, '"role" must be one of user, assistant, tool, system', 1],
      [6, 'other reasons', 2],
    ])
  })

  it('keeps bytes that are not UTF-8, and reports them', async () => {
    const bytes = Uint8Array.from([0x22, 0xff, 0xfe, 0x22, 0x0a])
    bench.write('a.jsonl', Buffer.concat([Buffer.from(lines('one')), bytes, Buffer.from(lines('two'))]))
    expect(await bench.import()).toMatchObject({
      messages: 2,
      skipped: [{ line: 2, reason: 'not valid UTF-8', count: 1 }],
    })
    const kept: Uint8Array[] = []
    for await (const line of bench.store.sessions.sourceLines(S)) kept.push(line.bytes)
    expect([...(kept[1] ?? [])]).toEqual([...bytes.subarray(0, 4)])
  })

  it('leaves a line over 32 MiB out', async () => {
    bench.write('a.jsonl', `${lines('one')}${generic('x'.repeat(33 << 20))}\n${lines('two')}`)
    expect(await bench.import()).toMatchObject({
      messages: 2,
      skipped: [{ line: 2, reason: 'a line over 32 MiB', count: 1 }],
    })
  })

  it("reports a file that can't be read, and continues with the others", async () => {
    const bad = bench.write('a.jsonl', lines('one'))
    bench.write('b.jsonl', lines('two'))
    const report = await bench.import({
      agent: 'generic',
      fileSystem: {
        read: (path) => {
          if (path === bad) throw new CairnError('read-failed', `${path}: permission denied`)
          return (async function* () {
            yield await Promise.resolve(Buffer.from(lines('two')))
          })()
        },
      },
    })
    expect(report).toMatchObject({
      messages: 1,
      skipped: [{ file: bad, reason: 'permission denied', count: 1 }],
    })
  })

  it('redacts before anything is stored, and counts it', async () => {
    bench.write('a.jsonl', lines('my SECRET'))
    await bench.import()
    expect(await bench.texts(S)).toEqual(['my [redacted:x]'])
    expect(await bench.source(S)).toEqual([generic('my [redacted:x]')])
    expect((await bench.store.sessions.get(S))?.redactions).toBe(1)
  })
})

describe('large files', () => {
  const many = Array.from({ length: 1500 }, (_, index) => `message ${index} ${'x'.repeat(index % 700)}`)

  it('keep their order over many batches, with carriage returns', async () => {
    bench.write('a.jsonl', many.map((text) => `${generic(text)}\r\n`).join(''))
    expect(await bench.import()).toMatchObject({ messages: many.length })
    expect(await bench.texts(S)).toEqual(many)
    expect(await bench.source(S)).toEqual(many.map((text) => `${generic(text)}\r`))
  })

  it('resume where an import was stopped by a failing store', async () => {
    bench.write('a.jsonl', lines(...many))
    let left = 3
    const failing: ImportStorage = {
      ...bench.store.imports,
      prepare: (batch) => {
        const prepared = bench.store.imports.prepare(batch)
        return {
          commit: () =>
            left-- > 0 ? prepared.commit() : Promise.reject(new CairnError('storage-failed', 'The disk is full.')),
        }
      },
    }
    await expect(bench.import({ storage: failing })).rejects.toThrow('The disk is full.')
    const report = await bench.import()
    expect(report.messages).toBe(many.length - 600)
    expect(await bench.texts(S)).toEqual(many)
    expect(await bench.source(S)).toHaveLength(many.length)
  })

  it('can be shared by two concurrent importers without repeating anything', async () => {
    bench.write('a.jsonl', lines(...many))
    const reports = await Promise.all([bench.import(), bench.import()])
    expect(reports.reduce((sum, { messages }) => sum + messages, 0)).toBe(many.length)
    expect(await bench.texts(S)).toEqual(many)
    expect(await bench.source(S)).toHaveLength(many.length)
  })

  it('stop between batches at the signal', async () => {
    bench.write('a.jsonl', lines(...many))
    const controller = new AbortController()
    let commits = 0
    const storage: ImportStorage = {
      ...bench.store.imports,
      prepare: (batch) => {
        if (++commits === 3) controller.abort()
        return bench.store.imports.prepare(batch)
      },
    }
    await expect(bench.import({ storage, signal: controller.signal })).rejects.toThrow()
    expect((await bench.texts(S)).length).toBeLessThan(many.length)
    await bench.import()
    expect(await bench.texts(S)).toEqual(many)
  })
})

describe('a batch that takes long', () => {
  /** Each look at the clock takes 30 ms, so that there are several pauses in a batch. */
  const slowClock = (onTurn: (turn: number) => void): Clock => {
    let [now, turns] = [0, 0]
    return { now: () => (now += 30), turn: async () => onTurn(++turns) }
  }
  const few = Array.from({ length: 150 }, (_, index) => `message ${index}`)

  it('yields to the event loop, with the same result', async () => {
    bench.write('a.jsonl', lines(...few))
    let turns = 0
    expect(await bench.import({ clock: slowClock(() => turns++) })).toMatchObject({ messages: few.length })
    expect(turns).toBeGreaterThan(10)
    expect(await bench.texts(S)).toEqual(few)
  })

  it('stops in the middle at the signal', async () => {
    bench.write('a.jsonl', lines(...few))
    const controller = new AbortController()
    const stopAt = 3
    let turns = 0
    const clock = slowClock((turn) => {
      turns = turn
      if (turn === stopAt) controller.abort()
    })
    await expect(bench.import({ clock, signal: controller.signal })).rejects.toThrow()
    expect(turns).toBe(stopAt)
    expect(await bench.store.imports.files()).toEqual([])
    await bench.import()
    expect(await bench.texts(S)).toEqual(few)
  })
})

describe('sessions of a batch', () => {
  it('are interleaved in one file, each with its own lines', async () => {
    bench.write(
      'a.jsonl',
      ['a', 'b', 'a'].map((session, index) => `${generic(`${index}`, { session })}\n`).join('') + '{bad\n',
    )
    expect(await bench.import()).toMatchObject({ sessions: 2, messages: 3 })
    expect(await bench.source('generic:a')).toEqual([
      generic('0', { session: 'a' }),
      generic('2', { session: 'a' }),
      '{bad',
    ])
    expect(await bench.source('generic:b')).toHaveLength(1)
  })

  it('include lines before the first session', async () => {
    bench.write('a.jsonl', `{bad\n${lines('one')}`)
    await bench.import()
    expect(await bench.source(S)).toEqual(['{bad', generic('one')])
  })
})

describe('requests', () => {
  it('are priced where the model is known, and counted once over files and progress lines', async () => {
    const session = '11111111-2222-3333-4444-555555555555'
    const reply = (uuid: string, output: number, model = 'known') => ({
      type: 'assistant',
      uuid,
      timestamp: '2026-01-01T00:00:00Z',
      requestId: 'r',
      message: {
        id: `msg-${model}`,
        role: 'assistant',
        model,
        content: [{ type: 'text', text: uuid }],
        usage: { input_tokens: 1, output_tokens: output },
      },
    })
    const base = { sessionId: session, cwd: '/nowhere/app' }
    const main = [
      { ...base, ...reply('1', 2) },
      { ...base, ...reply('2', 9) },
      {
        ...base,
        type: 'progress',
        uuid: 'p',
        data: { type: 'agent_progress', agentId: 'a1', message: reply('3', 4, 'unknown-model') },
      },
    ]
    bench.write(`projects/p/${session}.jsonl`, main.map((line) => `${JSON.stringify(line)}\n`).join(''))
    bench.write(
      `projects/p/${session}/subagents/agent-a1.jsonl`,
      `${JSON.stringify({ ...base, isSidechain: true, agentId: 'a1', ...reply('3', 5, 'unknown-model') })}\n`,
    )
    expect(await bench.import()).toMatchObject({ files: 2, sessions: 1, messages: 3, requests: 2 })
    const { total } = await bench.store.usage.report({ by: 'session' })
    expect(total).toMatchObject({ requests: 2, outputTokens: 14, costNano: 9n, unpricedRequests: 1 })
  })
})

describe("a transcript in an agent's own folder", () => {
  const claude = (id: string, content: unknown): string =>
    JSON.stringify({
      type: 'user',
      sessionId: 'shot',
      cwd: '/p',
      uuid: id,
      timestamp: '2026-05-01T09:00:00Z',
      message: { role: 'user', content },
    })

  it('is read however long its first line, whatever its name', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBOR'.repeat(120_000) } }
    const content = `${claude('1', [image])}\n${claude('2', 'and now?')}\n`
    bench.write('home/.claude/projects/-p/screenshot.jsonl', content)
    expect(await bench.import({ home: `${bench.folder}/home`, from: [] })).toMatchObject({
      files: 1,
      sessions: 1,
      messages: 2,
    })
    // Named as a folder without its agent it is recognised as well.
    const copy = bench.write('elsewhere/screenshot.jsonl', content.replaceAll('shot"', 'copy"'))
    expect(await bench.import({ from: [copy] })).toMatchObject({ files: 1, sessions: 1, messages: 2 })
  })
})

describe('a file that another importer keeps reading', () => {
  it('is left to it, and reported', async () => {
    const path = bench.write('a.jsonl', lines('one', 'two'))
    await bench.import()
    appendFileSync(path, lines('three'))
    const storage: ImportStorage = {
      ...bench.store.imports,
      prepare: () => ({ commit: async () => undefined }),
    }
    const report = await bench.import({ storage })
    expect(report.skipped.map((skip) => skip.reason)).toEqual([
      'another import is reading it; what is left is read at the next import',
    ])
    expect(await bench.import()).toMatchObject({ messages: 1, skipped: [] })
  })
})

describe('a secret written in JSON escapes', () => {
  it('is found, and the line stays valid', async () => {
    const secret = `gh${'p_'}${'a1B2'.repeat(9)}`
    const line = generic(`key ${secret} end`).replace('key gh', 'key \\u0067h')
    bench.write('a.jsonl', `${line}\n`)
    await bench.import({ redact: true })
    expect(JSON.stringify(await bench.texts(S)) + JSON.stringify(await bench.source(S))).not.toContain('1B2a1B2')
  })
})
