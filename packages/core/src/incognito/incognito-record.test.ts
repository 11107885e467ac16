import { describe, expect, it } from '@jest/globals'
import { incognitoLine, incognitoPath, parseIncognito } from './incognito-record.ts'

const ID = '0ccf1a04-7d1b-4a9e-9d63-0a1f1c5b8d11'
const record = (agent: string, session: string) => parseIncognito(incognitoLine({ agent, session }, 1))

describe('the record of incognito sessions', () => {
  it('returns what was added, whatever else it holds: truncated lines, other lines, repeated lines', () => {
    const text = [
      '{"agent":"codex","sess',
      incognitoLine({ agent: 'codex', session: 'a' }, 1),
      incognitoLine({ agent: 'codex', session: 'a' }, 2),
      'null\n[]\n{"agent":"codex"}\n\n',
      incognitoLine({ agent: 'claude-code', session: 'b' }, 3),
    ].join('')
    const parsed = parseIncognito(text)
    expect(parsed.size()).toBe(2)
    expect([parsed.has('codex', 'a'), parsed.has('claude-code', 'b'), parsed.has('codex', 'b')]).toEqual([
      true,
      true,
      false,
    ])
  })

  it.each([
    ['claude-code', `/h/.claude/projects/-p/${ID}.jsonl`],
    ['claude-code', `/h/.claude/projects/-p/${ID}/subagents/agent-a1.jsonl`],
    ['claude-code', `C:\\h\\.claude\\projects\\-p\\${ID}.jsonl.gz`],
    ['codex', `C:\\h\\.codex\\sessions\\rollout-${ID}.jsonl.zst`],
    ['codex', `/h/.codex/sessions/2026/01/31/rollout-2026-01-31T08-00-00-${ID}.jsonl`],
    ['gemini', `/h/.gemini/tmp/w/chats/session-2026-01-31T08-00-${ID.slice(0, 8)}.jsonl`],
    ['gemini', `C:\\h\\.gemini\\tmp\\w\\chats\\session-2026-01-31T08-00-${ID.slice(0, 8)}.json.gz`],
    ['gemini', `/h/.gemini/tmp/w/chats/${ID}/9271a5c1-b43f-4d1a-9790-f3c3d5d737d4.jsonl`],
  ])("of %s matches the session by its transcript's path %s", (agent, path) => {
    expect(record(agent, ID).inPath(agent, path)).toBe(ID)
    expect(record('pi', ID).inPath(agent, path)).toBeUndefined()
    expect(record(agent, ID.replace('0', '1')).inPath(agent, path)).toBeUndefined()
  })

  it('matches a UUID in upper case, anywhere in a path', () => {
    const [capitals, path] = [ID.toUpperCase(), `/h/.claude/projects/-p/${ID}.jsonl`]
    expect(record('claude-code', capitals).has('claude-code', ID)).toBe(true)
    expect(record('claude-code', capitals).inPath('claude-code', path)).toBe(ID)
    expect(record('claude-code', ID).inPath('claude-code', path.toUpperCase())).toBe(capitals)
    expect(record('generic', 'Chat-2026').has('generic', 'chat-2026')).toBe(false)
  })

  it('does not match an id with a short word of a path', () => {
    expect(record('generic', 'home').inPath('generic', '/home/chat.jsonl')).toBeUndefined()
  })

  it('covers forks of a session, of the same agent only', () => {
    const { covers } = record('codex', ID)
    expect(covers({ agent: 'codex', externalId: ID })).toBe(true)
    expect(covers({ agent: 'codex', externalId: 'x', forkedFrom: `codex:${ID}` })).toBe(true)
    expect(covers({ agent: 'codex', externalId: 'x', forkedFrom: `pi:${ID}` })).toBe(false)
    expect(covers({ agent: 'pi', externalId: ID })).toBe(false)
  })

  it('is in the data folder', () => {
    const base = { home: '/h', variables: {} }
    expect(incognitoPath({ ...base, platform: 'linux' })).toBe('/h/.local/share/cairn/incognito.jsonl')
    expect(incognitoPath({ ...base, platform: 'linux', variables: { CAIRN_HOME: '/c' } })).toBe('/c/incognito.jsonl')
    expect(incognitoPath({ home: 'C:\\u', platform: 'win32', variables: {} })).toBe(
      'C:\\u\\AppData\\Local\\cairn\\incognito.jsonl',
    )
  })
})
