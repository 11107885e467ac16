import { describe, expect, it } from '@jest/globals'
import { createHasher } from '../node/index.ts'
import {
  createInMemoryFileSystem,
  createInMemoryStore,
  createSequentialIds,
  createTestClock,
} from '../testing/index.ts'
import { parseClioMemory, parseClioNotes } from './clio-import.ts'
import { createMemory } from './create-memory.ts'
import { WORKSPACE } from './memory-entry.fixture.ts'

const AT = Date.UTC(2026, 0, 15)
const SECONDS = AT / 1000

const LTM = {
  patterns: {
    discoveries: [
      { fact: 'Config uses YAML, not JSON', confidence: 0.9, timestamp: SECONDS, verified: 1 },
      { fact: 'Größe in Ångström: 単位', confidence: '0.75', timestamp: '2026-01-15T00:00:00Z' },
      { confidence: 1 },
      'a bare text',
      null,
    ],
    problem_solutions: [
      {
        error: 'Session save fails: permission denied',
        solution: 'Check who owns .clio/',
        solved_count: 5,
        examples: ['lib/State.pm:45', ''],
        timestamp: SECONDS,
        updated: SECONDS + 86_400,
      },
    ],
    code_patterns: [{ pattern: 'Writes go to a temporary file first', confidence: 7, examples: ['lib/A.pm'] }],
    workflows: [{ sequence: ['read', 'fix', 'test'], count: 10, success_rate: 0.95 }],
    failures: [
      {
        what: 'Changed the API without its callers.',
        impact: 'Errors at run time',
        prevention: 'grep first',
        occurrences: 2,
      },
    ],
    context_rules: { 'lib/Core/': ['use strict', 'POD required'] },
    dreams: [],
  },
  metadata: { created: SECONDS, version: '1.0' },
}

describe('parseClioMemory', () => {
  it("reads all sections and both date formats, and names what it can't read", () => {
    const { entries, skipped } = parseClioMemory(JSON.stringify(LTM))
    expect(entries.map(({ entry }) => `${entry.kind}: ${entry.text}`)).toEqual([
      'discovery: Config uses YAML, not JSON',
      'discovery: Größe in Ångström: 単位',
      'discovery: a bare text',
      'solution: Session save fails: permission denied → Check who owns .clio/',
      'pattern: Writes go to a temporary file first',
      'workflow: read → fix → test',
      'failure: Changed the API without its callers. Impact: Errors at run time. Prevention: grep first',
      'context_rule: lib/Core/: use strict',
      'context_rule: lib/Core/: POD required',
    ])
    expect(entries[0]?.entry).toMatchObject({ confidence: 0.9, firstSeenAt: AT, lastConfirmedAt: AT, confirmations: 1 })
    expect(entries[1]?.entry).toMatchObject({ confidence: 0.75, firstSeenAt: AT })
    expect(entries[3]?.entry).toMatchObject({
      applications: 5,
      examples: ['lib/State.pm:45'],
      firstSeenAt: AT,
      lastConfirmedAt: AT + 86_400_000,
    })
    expect(entries[4]?.entry).not.toHaveProperty('confidence')
    expect(entries[5]?.entry).toMatchObject({ confidence: 0.95, applications: 10 })
    expect(skipped.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^discoveries\[2\] can't/),
      expect.stringMatching(/^discoveries\[4\] can't/),
      expect.stringMatching(/^dreams is/),
    ])
  })

  it('repairs texts that CLIO encoded twice, and no others', () => {
    const twice = Buffer.from('Größe → 語', 'utf8').toString('latin1')
    const { entries } = parseClioMemory(
      JSON.stringify({ patterns: { discoveries: [{ fact: twice }, { fact: 'naïve café' }] } }),
    )
    expect(entries.map(({ entry }) => entry.text)).toEqual(['Größe → 語', 'naïve café'])
  })

  it.each([['[1, 2'], ['{"a": 1}'], ['[]'], ['"text"']])('refuses %s in one sentence', (text) => {
    expect(() => parseClioMemory(text)).toThrow(/can't be read as JSON|not CLIO's memory/)
  })

  it('is imported once, without secrets, and later imports add what CLIO learnt since', async () => {
    const memory = createMemory({
      storage: createInMemoryStore().memory,
      clock: createTestClock(AT + 864_000_000),
      ids: createSequentialIds(),
      hasher: createHasher(),
      fileSystem: createInMemoryFileSystem(),
      timeZone: 'UTC',
    })
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const text = JSON.stringify({
      ...LTM,
      patterns: { ...LTM.patterns, discoveries: [{ fact: `the token is ${secret}` }] },
    })
    expect(await memory.importText(WORKSPACE, text)).toMatchObject({ added: 7, updated: 0 })
    expect(await memory.importText(WORKSPACE, text)).toMatchObject({ added: 0, updated: 0, unchanged: 7 })
    expect(JSON.stringify(await memory.list(WORKSPACE))).not.toContain(secret)
    expect((await memory.list(WORKSPACE)).every(({ source }) => source === 'import:clio')).toBe(true)
    expect(await memory.importText(WORKSPACE, text.replace('"solved_count":5', '"solved_count":6'))).toMatchObject({
      added: 0,
      updated: 1,
      unchanged: 6,
    })
    expect((await memory.list(WORKSPACE, { kind: 'solution' }))[0]?.applications).toBe(6)
  })
})

describe('parseClioNotes', () => {
  it('reads notes with any key, and names invalid ones', () => {
    const json = (value: unknown): string => JSON.stringify(value)
    const read = parseClioNotes([
      { name: 'auth_bug.json', text: json({ key: 'auth_bug', content: 'Root cause: ключ 🔑', timestamp: SECONDS }) },
      { name: 'escape.json', text: json({ key: '../../escape', content: 'x' }) },
      { name: 'data.json', text: json({ content: { a: [1] } }) },
      { name: 'session_progress.md', text: '# Progress\n' },
      { name: 'broken.json', text: '{"key": "x' },
      { name: 'empty.json', text: json({ key: 'e', content: ' ' }) },
      { name: 'list.json', text: '[]' },
    ])
    expect(read.notes).toEqual([
      { key: 'auth_bug', text: 'Root cause: ключ 🔑', at: AT },
      { key: '../../escape', text: 'x', at: null },
      { key: 'data', text: '{"a":[1]}', at: null },
      { key: 'session_progress', text: '# Progress', at: null },
    ])
    expect(read.skipped.map(({ file }) => file)).toEqual(['broken.json', 'empty.json', 'list.json'])
  })
})
