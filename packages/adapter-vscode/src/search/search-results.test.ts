import { HOUR, NOW, SHOP, openFixture } from '../memory/memory.fixture.ts'
import type { MemoryFixture } from '../memory/memory.fixture.ts'
import { parseQuestion } from './search-question.ts'
import { searchResults } from './search-results.ts'

const question = (typed: string) => parseQuestion(typed, 'UTC', NOW)

describe('a question of the search', () => {
  it('has words, and conditions of messages', () => {
    expect(question('  flaky   test ')).toEqual({
      text: 'flaky test',
      filter: {},
      project: undefined,
      searched: ['messages', 'sessions', 'memory', 'notes'],
    })
    expect(question('Role:USER agent:codex redis branch:"my branch" since:2026-05-31 until:1d file:src\\a.ts')).toEqual(
      {
        text: 'redis',
        filter: {
          agent: 'codex',
          branch: 'my branch',
          file: 'src/a.ts',
          role: 'user',
          since: Date.UTC(2026, 4, 31),
          until: NOW - 24 * HOUR,
        },
        project: undefined,
        searched: ['messages'],
      },
    )
    expect(question('agent:codex x').searched).toEqual(['messages', 'sessions'])
    expect(question('in:notes project:shop author: x')).toMatchObject({
      project: 'shop',
      searched: ['notes'],
      filter: {},
    })
  })

  it('says what is wrong with it', () => {
    expect(() => question('role:boss x')).toThrow('role: takes user, assistant, tool, system, not "boss".')
    expect(() => question('in:files x')).toThrow('in: takes messages, sessions, memory, notes')
    expect(() => question('since:soon x')).toThrow(/soon/)
    expect(() => question('in:sessions file:a.ts x')).toThrow('in:sessions takes no role:, author: or file:')
    expect(() => question('in:memory agent:codex x')).toThrow('in:memory takes words and project: only.')
    expect(question('in:sessions agent:codex').searched).toEqual(['sessions'])
  })
})

describe('the results of a search', () => {
  let fixture: MemoryFixture
  const say = async (id: string, workspace: string, title: string, at: number, ...messages: readonly string[]) => {
    await fixture.engine.sessions.append(
      { id, agent: id.split(':')[0] ?? '', externalId: id, workspace, title },
      0,
      messages.map((text, index) => ({
        entry: {
          kind: 'message',
          at: at + index,
          id: `${id}-${index}`,
          role: index % 2 === 0 ? 'user' : 'assistant',
          content: [{ type: 'text', text }],
        },
      })),
    )
  }
  const found = async (typed: string, scope: 'shop' | 'all' = 'shop') =>
    (
      await searchResults(fixture.engine, question(typed), { projects: scope === 'all' ? undefined : [SHOP], now: NOW })
    ).map(({ searched, label, description, detail = '' }) => [searched, label, description, detail].join(' | '))

  beforeEach(async () => {
    fixture = openFixture()
    const { engine } = fixture
    await say(
      'codex:1',
      SHOP,
      'Redis in tests',
      NOW - 2 * HOUR,
      'why do the tests fail?',
      'the Redis server is missing\u202e',
    )
    await say('claude-code:2', '/work/other', 'Cache', NOW - HOUR, 'a redis for the other project')
    await engine.memory.add({ workspace: SHOP, kind: 'discovery', text: 'Tests need Redis on 6380' })
    await engine.memory.add({ workspace: '/work/other', kind: 'failure', text: 'Redis 6 is too old' })
    await engine.notes.set(SHOP, 'services', 'redis, postgres')
  })

  it('are messages, sessions, memory and notes of the open projects', async () => {
    expect(await found('redis')).toEqual([
      'messages | the Redis server is missing\ufffd | assistant · 1 h | Redis in tests · codex',
      'sessions | Redis in tests | codex · 1 h | ',
      'memory | Tests need Redis on 6380 | Discovery · 80 % · shop | ',
      'notes | services | redis, postgres | ',
    ])
  })

  it('are those of all projects, or of a named one, where that is asked for', async () => {
    const all = await found('redis', 'all')
    expect(all.filter((row) => row.startsWith('messages'))).toHaveLength(2)
    expect(all).toContain('memory | Redis 6 is too old | Failure · 70 % · other | ')
    expect(await found('redis project:other in:memory')).toEqual([
      'memory | Redis 6 is too old | Failure · 70 % · other | ',
    ])
    expect((await found('redis project:other')).filter((row) => row.startsWith('messages'))).toEqual([
      'messages | a redis for the other project | user · 1 h | Cache · claude-code',
    ])
  })

  it('lead to the message, entry or note', async () => {
    const results = await searchResults(fixture.engine, question('redis'), { projects: [SHOP], now: NOW })
    expect(results.map(({ target }) => target)).toEqual([
      { kind: 'message', sessionId: 'codex:1', seq: 1 },
      { kind: 'session', sessionId: 'codex:1' },
      { kind: 'entry', id: expect.any(String) },
      { kind: 'note', note: expect.objectContaining({ key: 'services' }) },
    ])
  })

  it('are the last active sessions without words, and nothing where nothing matches', async () => {
    expect(await found('')).toEqual(['sessions | Redis in tests | codex · 1 h | '])
    expect((await found('', 'all')).map((row) => row.split(' | ')[1])).toEqual(['Cache', 'Redis in tests'])
    expect(await found('agent:codex')).toEqual(await found(''))
    expect(await found('agent:pi')).toEqual([])
    for (const typed of ['file:a.ts', 'role:user', 'author:ann', 'in:memory', 'in:notes', 'in:messages'])
      expect([typed, await found(typed)]).toEqual([typed, []])
    expect(await found('zebra')).toEqual([])
    expect(await found('redis role:user')).toEqual([])
  })
})
