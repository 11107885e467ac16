/** What `cairn session show` tells of compactions: how much was cleared or left, by the agent's log and its requests. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createSandbox } from '../testing/run-cli.ts'
import { claudeLine } from '../testing/transcripts.ts'

const SESSION = 'fdd24234-3c2a-4958-91ed-59c63b12ba1e'
const minute = (value: number): string => `2026-02-15T16:${String(value).padStart(2, '0')}:00.000Z`

const reply = (id: string, at: number, read: number, written: number): string =>
  claudeLine({ session: SESSION, id, at: minute(at), text: 'on it', tokens: [3, read, written, 50] })

const boundary = (subtype: string, at: number, details: object): string =>
  JSON.stringify({
    type: 'system',
    subtype,
    sessionId: SESSION,
    uuid: `${subtype}-${at}`,
    timestamp: minute(at),
    level: 'info',
    content: subtype,
    ...details,
  })

const LINES = [
  claudeLine({ session: SESSION, id: 'u', at: minute(0), role: 'user', text: 'Mend the tests' }),
  reply('a', 1, 18_591, 116_000),
  boundary('microcompact_boundary', 2, {
    microcompactMetadata: { trigger: 'auto', preTokens: 60_364, tokensSaved: 21_294, compactedToolIds: ['t1'] },
  }),
  reply('b', 3, 18_591, 92_000),
  boundary('compact_boundary', 4, { compactMetadata: { trigger: 'auto', preTokens: 167_045 } }),
  reply('c', 5, 9_600, 16_566),
]

interface Shown {
  readonly compactions: readonly unknown[]
}

describe('cairn session show', () => {
  const sandbox = createSandbox()
  beforeAll(async () => {
    sandbox.file('home/s.jsonl', LINES.map((line) => `${line}\n`).join(''))
    await sandbox.cairn('import', '--agent', 'claude-code', '--from', 'home/s.jsonl')
  })
  afterAll(() => sandbox.remove())

  it('tells how much old results had, and what a compaction left', async () => {
    const { stdout } = await sandbox.cairn('session', 'show', SESSION)
    expect(stdout).toContain('── old tool results cleared (auto, about 21.3k tokens) ──')
    expect(stdout).toContain('── context compacted (auto, 167k tokens before, 26.2k after) ──')
    expect(stdout).not.toContain('60.4k')
  })

  it('has the sizes in its JSON, at a time only what was there', async () => {
    const { compactions } = (await sandbox.json('session', 'show', SESSION)) as Shown
    expect(compactions).toEqual([{ seq: 4, tokensBefore: 167_045, tokensAfter: 26_169 }])
    const at = async (time: string) =>
      ((await sandbox.json('session', 'show', SESSION, '--at', time)) as Shown).compactions
    expect(await at(minute(3))).toEqual([])
    expect(await at(minute(4))).toEqual([{ seq: 4, tokensBefore: 167_045, tokensAfter: null }])
  })

  it('names what was cleared as the cause of a broken cache', async () => {
    const { leaks } = (await sandbox.json('insights', '--session', SESSION)) as {
      readonly leaks: readonly { readonly kind: string; readonly causes: readonly { readonly cause: string }[] }[]
    }
    const broken = leaks.find(({ kind }) => kind === 'cache-break')
    expect(broken?.causes).toMatchObject([{ cause: 'cleared-results', requests: 1 }])
  })
})
