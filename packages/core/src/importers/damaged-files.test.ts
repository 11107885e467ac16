import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { JSON_LEVELS } from '../json.ts'
import { createWorkbench, generic, type Workbench } from '../testing/import-workbench.ts'

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

const ID = '5f0c1a2b-0000-4000-8000-000000000001'
/** More than the runtime's own JSON.stringify goes along with. */
const DEEP = 8_000
/** For files of many megabytes, on a machine that has other things to do, ms. */
const PATIENCE = 60_000
const nested = (levels = DEEP): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)
const listed = (levels = DEEP): string => '['.repeat(levels) + ']'.repeat(levels)
const NESTED = `nested over ${JSON_LEVELS} levels deep: what lies deeper is kept as text`

const claude = (uuid: string, type: 'user' | 'assistant', content: string): string =>
  `{"type":"${type}","uuid":"${uuid}","sessionId":"${ID}","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"${type}","id":"m${uuid}","model":"known","content":${content},"usage":{"input_tokens":1,"output_tokens":2}}}`
const codex = (type: string, payload: string): string =>
  `{"timestamp":"2026-01-01T00:00:00.000Z","type":"${type}","payload":${payload}}`
const copilot = (type: string, data: string): string =>
  `{"type":"${type}","data":${data},"timestamp":"2026-01-01T00:00:00.000Z","parentId":null}`

/** A file of each format with deep lines, the messages that it gives, and how many lines are named. */
const DEEP_FILES = [
  {
    name: `projects/p/${ID}.jsonl`,
    content: [
      claude('1', 'user', '"first"'),
      claude('2', 'assistant', `[{"type":"tool_use","id":"t","name":"Deep","input":${nested()}}]`),
      claude('3', 'user', `[{"type":"tool_result","tool_use_id":"t","content":${listed()}}]`),
      claude('4', 'user', listed()),
      `{"type":"progress","sessionId":"${ID}","data":${nested()}}`,
      // Written in escapes, so that the line is rewritten.
      claude('5', 'user', `[{"type":"text","text":"\\u0053ECRET"},{"type":"other","value":${nested()}}]`),
      claude('6', 'user', '"last"'),
    ].join('\n'),
    messages: 6,
    named: 5,
  },
  {
    name: 'rollout-1.jsonl',
    content: [
      codex('session_meta', '{"id":"c"}'),
      codex('response_item', `{"type":"function_call","call_id":"c","name":"shell","arguments":${nested()}}`),
      codex('response_item', `{"type":"function_call_output","call_id":"c","output":${nested()}}`),
      codex('turn_context', nested()),
      codex('response_item', '{"type":"message","role":"user","content":"last"}'),
    ].join('\n'),
    messages: 3,
    named: 3,
  },
  {
    name: 'roo-code/tasks/t1/api_conversation_history.json',
    content: `[{"role":"user","ts":1,"content":"first"},{"role":"assistant","ts":2,"content":[{"type":"tool_use","id":"q","name":"z","input":${nested()}}]},{"role":"user","ts":3,"content":"last"}]`,
    messages: 3,
    named: 1,
  },
  {
    name: 'pi.jsonl',
    content: [
      '{"type":"session","version":3,"id":"p","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}',
      `{"type":"message","id":"1","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"x","name":"y","arguments":${nested()}}]}}`,
      '{"type":"message","id":"2","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"last"}}',
    ].join('\n'),
    messages: 2,
    named: 1,
  },
  {
    name: '.gemini/tmp/w/chats/session-1.jsonl',
    content: [
      '{"sessionId":"g","projectHash":"h","startTime":"2026-01-01T00:00:00.000Z","kind":"main"}',
      `{"id":"r","timestamp":"2026-01-01T00:00:00.000Z","type":"gemini","content":"","toolCalls":[{"id":"c","name":"x","args":${nested()},"result":${listed()},"status":"success"}]}`,
      `{"$set":{"messages":[{"id":"u","type":"user","content":${nested()}}]}}`,
      '{"id":"v","type":"user","content":"last"}',
    ].join('\n'),
    messages: 4,
    named: 2,
  },
  {
    name: `session-state/${ID}/events.jsonl`,
    content: [
      copilot('user.message', '{"content":"first"}'),
      copilot('assistant.message', `{"toolRequests":[{"toolCallId":"t","name":"deep","arguments":${nested()}}]}`),
      copilot('tool.execution_complete', `{"toolCallId":"t","result":{"content":"x","structuredContent":${nested()}}}`),
      copilot('user.message', `{"content":"more","attachments":[${listed()}]}`),
      copilot('session.shutdown', `{"modelMetrics":${nested()}}`),
      copilot('user.message', '{"content":"last"}'),
    ].join('\n'),
    messages: 5,
    named: 4,
  },
  {
    name: 'generic.jsonl',
    content: [
      `{"session":"s","role":"assistant","text":"first","tool":{"name":"x","input":${nested()}}}`,
      `{"session":"s","role":"user","text":"more","unknown":${listed()}}`,
      generic('last'),
    ].join('\n'),
    messages: 3,
    named: 2,
  },
] as const

describe('very deep nesting', () => {
  it.each(DEEP_FILES)(
    'affects only the nested value in $name',
    async ({ name, content, messages, named }) => {
      bench.write(name, `${content}\n`)
      bench.write('sound/a.jsonl', `${generic('sound', { session: 'sound' })}\n`)
      const report = await bench.import()
      expect(report).toMatchObject({ files: 2, messages: messages + 1 })
      const rows = report.skipped.filter(({ reason }) => reason === NESTED)
      expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(named)
      expect(rows.every(({ file, line }) => file === join(bench.folder, name) && line !== undefined)).toBe(true)
      // All that was stored can be written as JSON by whoever shows or exports it.
      for (const { id } of (await bench.store.sessions.list({})).sessions)
        expect(JSON.stringify(await bench.store.sessions.read(id))).not.toBe('[]')
      expect(await bench.import()).toMatchObject({ files: 0, messages: 0, skipped: [] })
    },
    PATIENCE,
  )

  it('keeps the line unchanged, and too deep values as text', async () => {
    const line = `{"session":"s","role":"assistant","text":"x","tool":{"name":"x","input":${nested()}}}`
    bench.write('a.jsonl', `${line}\n`)
    await bench.import()
    expect(await bench.source('generic:s')).toEqual([line])
    const [entry] = await bench.store.sessions.read('generic:s')
    const depth = JSON.stringify(entry).split('{\\"a\\":').length - 1
    expect(depth).toBeGreaterThan(DEEP - JSON_LEVELS)
    expect(depth).toBeLessThan(DEEP)
  })
})

describe('a file that fails unexpectedly', () => {
  it('is reported, and the others are imported', async () => {
    const bad = bench.write('a.jsonl', `${generic('hi')}\n`)
    bench.write('b.jsonl', `${generic('sound', { session: 'sound' })}\n`)
    const report = await bench.import({
      storage: {
        files: () => bench.store.imports.files(),
        file: (path) => bench.store.imports.file(path),
        skips: () => bench.store.imports.skips(),
        messagesWith: (...given) => bench.store.imports.messagesWith(...given),
        prepare: (batch) => {
          if (batch.path === bad) throw new RangeError('Maximum call stack size exceeded')
          return bench.store.imports.prepare(batch)
        },
      },
    })
    expect(report).toMatchObject({
      messages: 1,
      skipped: [{ file: bad, reason: 'could not be read: Maximum call stack size exceeded', count: 1 }],
    })
  })
})

const NULS = '\0'.repeat(4096)

describe('NUL bytes after a power failure', () => {
  it.each([
    ['before the first line', `${NULS}${generic('one')}\n${generic('two')}\n`, ['one', 'two'], 'NUL bytes around'],
    ['in lines of their own', `${NULS}\n${generic('one')}\n${NULS}\n${generic('two')}\n`, ['one', 'two'], 'NUL bytes'],
    ['in the first line', `${NULS}the end of a line"}\n${generic('one')}\n`, ['one'], 'NUL bytes'],
    ['in the middle', `${generic('one')}\n{"session${NULS}\n${generic('two')}\n`, ['one', 'two'], 'NUL bytes'],
    ['over two megabytes', `${'\0'.repeat(2 << 20)}\n${generic('one')}\n`, ['one'], 'NUL bytes'],
  ])('lose only their lines: %s', async (_where, content, texts, reason) => {
    const path = bench.write('a.jsonl', content)
    const { skipped } = await bench.import()
    expect(await bench.texts('generic:s')).toEqual(texts)
    expect(skipped.every((skip) => skip.file === path && skip.reason.includes(reason))).toBe(true)
    expect(skipped.length).toBeGreaterThan(0)
  })

  it('lose only their lines where the path identifies the agent', async () => {
    bench.write(`projects/p/${ID}.jsonl`, `${NULS}"}\n${claude('1', 'user', '"one"')}\n`)
    expect(await bench.import()).toMatchObject({ messages: 1, skipped: [{ line: 1 }] })
  })

  it('may split a character', async () => {
    const rest = Buffer.from('\u00e9nd of a line"}').subarray(1)
    bench.write('a.jsonl', Buffer.concat([Buffer.alloc(4096), rest, Buffer.from(`\n${generic('one')}\n`)]))
    expect(await bench.import()).toMatchObject({ messages: 1, skipped: [{ line: 1, reason: 'not valid UTF-8' }] })
  })

  it('wait for the end of the line', async () => {
    const path = bench.write('a.jsonl', `${generic('one')}\n${NULS}`)
    expect((await bench.import()).skipped).toMatchObject([{ file: path, line: 2 }])
    bench.write('a.jsonl', `${generic('one')}\n${NULS}${generic('two')}\n`)
    await bench.import()
    expect(await bench.texts('generic:s')).toEqual(['one', 'two'])
  })
})

describe('a first line that is too long', () => {
  it(
    'loses only itself',
    async () => {
      const path = bench.write('a.jsonl', `${generic('x'.repeat(33 << 20))}\n${generic('one')}\n`)
      const { skipped } = await bench.import()
      expect(skipped).toEqual([{ file: path, line: 1, reason: 'a line over 32 MiB', count: 1 }])
      expect(await bench.texts('generic:s')).toEqual(['one'])
    },
    PATIENCE,
  )
})

describe('gzip', () => {
  const packed = gzipSync(`${generic('one')}\n${generic('two')}\n`)

  it.each([
    ['bytes of another kind', Buffer.from('and more')],
    ['NULs', Buffer.alloc(600)],
    ['a byte that could be a head', Buffer.from([0x1f])],
  ])('is imported with a notice when %s follow', async (_what, rest) => {
    const path = bench.write('a.jsonl.gz', Buffer.concat([packed, rest]))
    const reason = 'what follows the compressed content is no gzip, and was left out'
    expect(await bench.import()).toMatchObject({ messages: 2, skipped: [{ file: path, reason, count: 1 }] })
    expect(await bench.import()).toMatchObject({ files: 0, messages: 0 })
  })

  it('is imported up to the damage', async () => {
    const second = gzipSync(`${generic('three')}\n`)
    const path = bench.write('a.jsonl.gz', Buffer.concat([packed, second.subarray(0, 20)]))
    const reason = 'the compressed content ends too early'
    expect(await bench.import()).toMatchObject({ messages: 2, skipped: [{ file: path, reason }] })
    bench.write('a.jsonl.gz', Buffer.concat([packed, second]))
    expect(await bench.import()).toMatchObject({ messages: 1, skipped: [] })
  })
})

describe('stopping', () => {
  /** Resolves when the import waits; the wait itself never ends. */
  const hanging = (): { readonly reached: Promise<void>; readonly wait: () => Promise<never> } => {
    let reach = (): void => undefined
    const reached = new Promise<void>((resolve) => {
      reach = resolve
    })
    return {
      reached,
      wait: () => {
        reach()
        return new Promise<never>(() => undefined)
      },
    }
  }

  it.each(['stat', 'list', 'read', 'realPath'] as const)('ends a %s that never completes', async (what) => {
    bench.write('a.jsonl', `${generic('one')}\n`)
    const { reached, wait } = hanging()
    const controller = new AbortController()
    async function* read(): AsyncGenerator<Uint8Array> {
      yield await wait()
    }
    const list = async () => [{ path: '/l', kind: 'file', size: 1, modifiedAt: 1, identity: '', isLink: true } as const]
    const fileSystem = what === 'read' ? { read } : what === 'realPath' ? { realPath: wait, list } : { [what]: wait }
    const importing = bench.import({ fileSystem, signal: controller.signal })
    await reached
    controller.abort()
    await expect(importing).rejects.toMatchObject({ name: 'AbortError' })
  })
})
