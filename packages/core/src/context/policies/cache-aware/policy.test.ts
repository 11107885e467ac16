import { describe, expect, it } from '@jest/globals'
import type { ContentBlock } from '../../../messages.ts'
import type { LogEntry } from '../../../session-log.ts'
import type { Situation } from '../../policy.ts'
import { createContext } from '../../create-context.ts'
import { code, session, textOf } from './cache-aware.fixture.ts'
import { SITUATION } from '../../situation.fixture.ts'
import { cacheAwarePolicy } from './policy.ts'

/** Reads files three times each: all but the last reads are superseded. */
const readThrice = (
  given: Parameters<typeof session>,
): { readonly rewrites: readonly string[]; readonly peak: number } => {
  const run = session(...given)
  const rewrites: string[] = []
  let peak = 0
  for (let index = 0; index < 120; index++) {
    const number = Math.floor(index / 3)
    const file = `src/file${number}.ts`
    const { entriesToAppend, tokens } = run.tool('Read', { file_path: file }, code(`f${number}`, 60))
    rewrites.push(...entriesToAppend.map(({ trigger }) => trigger))
    peak = Math.max(peak, tokens)
  }
  return { rewrites, peak }
}

describe('the cache-aware policy', () => {
  it('keeps what was sent byte for byte until a rewrite pays', () => {
    const run = session()
    let before: readonly unknown[] = []
    let rewrites = 0
    for (let index = 0; index < 60; index++) {
      const { messages, entriesToAppend } = run.tool(
        'Bash',
        { command: `npm test -- part${index}` },
        code(`out${index}`, 40),
      )
      rewrites += entriesToAppend.length
      if (entriesToAppend.length === 0) expect(messages.slice(0, before.length)).toEqual(before)
      before = messages
    }
    expect(rewrites).toBeGreaterThan(0)
    expect(rewrites).toBeLessThan(12)
  })

  it('rewrites rarely where cache writes are expensive, and often where they cost no more than reads', () => {
    const anthropic = readThrice([{}])
    const uncached = readThrice([{}, { prices: { input: 3, output: 15, write: 3, read: 3 }, cacheLifetime: 0 }])
    expect(new Set(anthropic.rewrites)).toEqual(new Set(['rent']))
    expect(new Set(uncached.rewrites)).toEqual(new Set(['cold-cache']))
    expect(uncached.rewrites.length).toBeGreaterThan(2 * anthropic.rewrites.length)
    expect(uncached.peak).toBeLessThan(anthropic.peak)
  })

  it('evicts on a cold cache whatever the carrying cost', () => {
    const run = session()
    for (let index = 0; index < 6; index++)
      expect(run.tool('Bash', { command: `ls ${index}` }, code(`out${index}`, 60)).entriesToAppend).toEqual([])
    const { entriesToAppend, reports } = run.tool('Bash', { command: 'ls again' }, 'short', 4000)
    expect(entriesToAppend.map(({ trigger }) => trigger)).toEqual(['cold-cache'])
    expect(reports[0]?.costUsd).toBe(0)
    expect(reports[0]?.removals.every(({ kind, why }) => kind === 'command' && why === 'dead')).toBe(true)
  })

  it('reports what was removed, why, what it saves and costs, and how to restore it', () => {
    const run = session()
    for (let index = 0; index < 60; index++) {
      const { reports } = run.tool('Bash', { command: `npm test -- part${index}` }, code(`out${index}`, 40))
      const report = reports[0]
      if (report === undefined) continue
      expect(report.costUsd).toBeCloseTo((report.rewrittenTokens * (3.75 - 0.3)) / 1e6, 9)
      expect(report.savedUsdPerRequest).toBeCloseTo(((report.tokensBefore - report.tokensAfter) * 0.3) / 1e6, 9)
      expect(report.removals[0]).toMatchObject({ kind: 'command', why: 'dead', what: 'shortened' })
      expect(report.removals[0]?.savedTokens).toBeGreaterThan(100)
      expect(report.restore).toContain('cairn context restore')
      return
    }
    throw new Error('There was no rewrite.')
  })

  it("cuts a command's output before it is first sent, never afterwards", () => {
    const run = session()
    const output = `first line\n${code('long', 900)}\nlast line`
    const prepared = run.tool('Bash', { command: 'make everything' }, output)
    expect(prepared.entriesToAppend).toMatchObject([{ trigger: 'arrival', changes: [{ why: 'long-output' }] }])
    expect(textOf(prepared)).toMatch(/first line.*characters left out.*last line/)
    expect(prepared.tokens).toBeLessThan(3000)
    expect(JSON.stringify(run.log)).toContain('longValue450')
  })

  it('says of a long message of the user how much of it is left out, and not to run a tool again for it', () => {
    const run = session({}, { window: 32_000, availableTokens: 24_000, prefix: 4000 })
    run.user(`first words ${'what I paste here '.repeat(600)} last words`)
    const texts = Array.from({ length: 30 }, (_, index) => {
      run.user(`Step ${index}`)
      return textOf(run.tool('Read', { file_path: `src/file${index}.ts` }, code(`f${index}`, 70)))
    })
    const cut = texts.map((text) => /first words[^"]*last words/.exec(text)?.[0] ?? '')
    const shortened = cut.find((text) => text.includes('characters left out'))
    expect(shortened).toMatch(/^first words.*\[… \d+ characters left out …\].* last words$/)
  })

  it('indexes the names of what was removed, but none that is still in view', () => {
    const run = session()
    run.tool('Grep', { pattern: 'x' }, 'src/lost_module.ts: export const lostThing = 1\n'.repeat(40))
    run.tool('Grep', { pattern: 'y' }, 'src/kept_module.ts: export const keptThing = 1\n'.repeat(40))
    for (let index = 0; index < 4; index++)
      run.tool('Bash', { command: `echo ${index} src/kept_module.ts` }, code(`out${index}`, 60))
    const prepared = run.tool('Bash', { command: 'true' }, 'ok', 4000)
    const index = prepared.blocks.find(({ state }) => state === 'digest')?.content
    expect(index?.type === 'text' ? index.text : '').toContain('lost_module.ts')
    expect(index?.type === 'text' ? index.text : '').not.toContain('src/kept_module.ts')
  })

  it('does not index what a shortened call or an index that stays still shows', () => {
    const run = session({ missUsd: 0.0001, leastCold: 1 })
    const pause = 4000
    run.tool('Read', { file_path: 'src/shown_path.ts' }, code('first', 60))
    for (let index = 0; index < 3; index++) run.tool('Bash', { command: `echo ${index}` }, code(`out${index}`, 60))
    run.tool('Bash', { command: 'true' }, 'ok', pause)
    const prepared = run.tool('Bash', { command: 'true' }, 'ok', pause)
    const indexes = prepared.blocks.flatMap(({ state, content }) =>
      state === 'digest' && content.type === 'text' ? [content.text] : [],
    )
    const listed = indexes.join('\n').split(/\s+/)
    expect(listed).toContain('firstValue59')
    expect(listed).not.toContain('src/shown_path.ts')
    expect(new Set(listed.filter((name) => name.startsWith('firstValue'))).size).toBe(
      listed.filter((name) => name.startsWith('firstValue')).length,
    )
    expect(textOf(prepared)).toContain('src/shown_path.ts')
  })

  it('frees much at once when the window is nearly full, and keeps the newest messages whole', () => {
    const run = session({}, { window: 32_000, availableTokens: 24_000, prefix: 4000 })
    let forced = 0
    for (let index = 0; index < 40; index++) {
      run.user(`Step ${index}, please: ${'word '.repeat(40)}`)
      const prepared = run.tool('Read', { file_path: `src/file${index}.ts` }, code(`f${index}`, 70))
      expect(prepared.fits).toBe(true)
      expect(textOf(prepared)).toContain(`Step ${index}, please: ${'word '.repeat(40)}`)
      expect(textOf(prepared)).toContain(`f${index}Value69`)
      if (prepared.entriesToAppend.some(({ trigger }) => trigger === 'window')) forced += 1
    }
    expect(forced).toBeGreaterThan(0)
    expect(forced).toBeLessThan(15)
  })

  it('never touches pinned blocks, and omits those the user dropped', () => {
    const run = session({}, { window: 32_000, availableTokens: 24_000, prefix: 4000 })
    run.tool('Read', { file_path: 'src/pinned.ts' }, code('pinned', 50))
    run.tool('Read', { file_path: 'src/dropped.ts' }, code('dropped', 50))
    const [pinned, dropped] = [run.log.at(1), run.log.at(3)]
    expect([pinned?.kind, dropped?.kind]).toEqual(['message', 'message'])
    run.context.step([
      { kind: 'pin', seq: run.context.view.nextSeq, at: null, messageId: 'm2', state: 'pinned' },
      { kind: 'pin', seq: run.context.view.nextSeq + 1, at: null, messageId: 'm4', state: 'dropped' },
    ])
    for (let index = 0; index < 30; index++) {
      const text = textOf(run.tool('Read', { file_path: `src/other${index}.ts` }, code(`f${index}`, 60)))
      expect(text).toContain('pinnedValue49')
      expect(text).not.toContain('droppedValue0')
    }
  })

  it('keeps the summary of a compaction that another agent made, however old', () => {
    const run = session({ skeletonRequests: 5 })
    run.context.step([
      { kind: 'compaction', seq: run.context.view.nextSeq, at: 0, trigger: 'auto' },
      {
        kind: 'message',
        seq: run.context.view.nextSeq + 1,
        at: 0,
        id: 'summary',
        role: 'user',
        origin: 'summary',
        content: [{ type: 'text', text: 'This session is being continued.' }],
      },
    ])
    let rewrites = 0
    for (let index = 0; index < 60; index++) {
      const prepared = run.tool('Bash', { command: `npm test -- part${index}` }, code(`out${index}`, 40))
      rewrites += prepared.entriesToAppend.length
      expect(textOf(prepared)).toContain('This session is being continued.')
    }
    expect(rewrites).toBeGreaterThan(0)
  })

  it('decides the same from the log as live where a reply continues after a result', () => {
    const policy = cacheAwarePolicy('lean', { leastWarm: 200, leastCold: 100 })
    const live = createContext(policy, 2.7)
    const log: LogEntry[] = []
    const say = (
      at: number,
      role: 'user' | 'assistant' | 'tool',
      responseId: string | undefined,
      ...content: readonly ContentBlock[]
    ): void => {
      const seq = live.view.nextSeq
      const entry: LogEntry = {
        kind: 'message',
        seq,
        at,
        id: `m${seq}`,
        role,
        content,
        ...(responseId === undefined ? {} : { responseId }),
      }
      log.push(entry)
      live.step([entry])
    }
    const text = (value: string): ContentBlock => ({ type: 'text', text: value })
    const call = (id: string, name: string, input: Record<string, string>): ContentBlock => ({
      type: 'tool_call',
      id,
      name,
      input,
    })
    const result = (callId: string, value: string): ContentBlock => ({
      type: 'tool_result',
      callId,
      content: [{ type: 'text', text: value }],
      isError: false,
    })
    const situation = (at: number): Situation => ({
      ...SITUATION,
      window: 64_000,
      availableTokens: 44_800,
      prefix: 6_400,
      now: at,
    })
    const read = code('read', 150)
    say(0, 'user', undefined, text('Begin.'))
    say(400_000, 'assistant', 'zero', call('z', 'Read', { file_path: 'a.ts' }))
    say(400_000, 'tool', undefined, result('z', read.slice(0, 600)))
    say(800_000, 'assistant', 'more', text('On it.'))
    say(1_200_000, 'assistant', 'one', call('a', 'Read', { file_path: 'a.ts' }))
    say(1_200_000, 'tool', undefined, result('a', read))
    // The same reply goes on: this call stands before the result in the model's view, and came after it.
    say(
      1_200_000,
      'assistant',
      'one',
      call('b', 'Edit', { file_path: 'a.ts', old_string: read.slice(0, 400), new_string: 'none' }),
    )
    say(1_200_000, 'tool', undefined, result('b', 'done'))
    for (let turn = 4; turn < 16; turn++) {
      const at = turn * 400_000
      say(at, turn === 5 ? 'user' : 'assistant', turn === 5 ? undefined : `turn ${turn}`, text('Go on.'))
      const request = live.prepare(situation(at + 500))
      log.push(...request.entriesToAppend)
      const fromLog = createContext(policy, 2.7)
      fromLog.step(log)
      const again = fromLog.prepare(situation(at + 500))
      expect(again.entriesToAppend).toEqual([])
      expect(textOf(again)).toBe(textOf(request))
    }
  })
})
