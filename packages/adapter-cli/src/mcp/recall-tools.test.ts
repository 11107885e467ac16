import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Engine } from '@cairn/core'
import { PROJECT, SESSION, callTool, clientOf, engineWithTalk, serverOver } from './conversation.fixture.ts'

/** The quoted data of an answer, and the offset that it names to go on; NaN at its end. */
const bodyOf = (text: string): string => /<recalled_data [^>]*>\n([^]*)\n<\/recalled_data>/.exec(text)?.[1] ?? ''
const nextOffset = (text: string): number => Number(/offset (\d+) of/.exec(text)?.[1])

let engine: Engine
let client: Client

beforeEach(async () => {
  engine = await engineWithTalk()
  client = await clientOf(serverOver({ engine }), [`file://${PROJECT}`])
})
afterEach(() => client.close())

describe('recall and its details', () => {
  it('finds messages of the project, and opens them with their neighbours', async () => {
    const { text } = await callTool(client, 'recall', { query: 'flaky login clock' })
    expect(text).toContain(`${SESSION}#1`)
    expect(text).toMatch(/^\d messages in \/code\/app[^]*<recalled_data/)
    const { text: whole } = await callTool(client, 'get_message', { id: /1\. (\S+)/.exec(text)?.[1], around: 1 })
    expect(whole).toContain('waits for a clock that is never set')
    expect(whole).toContain('Why is the login test flaky?')
    expect((await callTool(client, 'get_message', { id: `${SESSION}#m2` })).text).toContain('waits for a clock')
  })

  it('searches other projects only if nothing is found in this one, and says so', async () => {
    const { text } = await callTool(client, 'recall', { query: 'gateway drops websockets' })
    expect(text).toContain('in other projects')
    expect(text).toMatch(/1\. generic:else-1#0 .* other/)
    expect((await callTool(client, 'recall', { query: 'gateway websockets', workspace: PROJECT })).text).toContain(
      'Nothing was found',
    )
    expect((await callTool(client, 'recall', { query: 'gateway websockets', workspace: '*' })).text).toContain(
      'in all projects',
    )
  })

  it('corrects typing errors that hold nowhere, and says so', async () => {
    const { text } = await callTool(client, 'recall', { query: 'flaky lgoin clock' })
    expect(text).toMatch(/^No “lgoin” anywhere; showing “login”\. \d messages in \/code\/app/)
    expect(text).toContain(`${SESSION}#1`)
    // Another project has this word, and none has "websokets".
    expect((await callTool(client, 'recall', { query: 'drops gateway' })).text).not.toContain('showing')
    expect((await callTool(client, 'recall', { query: 'gateway websokets', workspace: '*' })).text).toMatch(
      /^No “websokets” anywhere; showing “websockets”\. 1 message in all projects[^]*else-1#0/,
    )
    await engine.memory.add({ workspace: PROJECT, kind: 'discovery', text: 'The lgoin is a gizmo', source: 'user' })
    expect((await callTool(client, 'recall', { query: 'lgoin clock' })).text).not.toContain('showing')
  })

  it('says where nothing has the quoted words just so', async () => {
    const query = '"websockets drops"'
    const near = await callTool(client, 'recall', { query, workspace: '*' })
    expect(near.text).toMatch(/^Nothing has “websockets drops” word for word; showing what comes near\. \d message/)
    const exact = await callTool(client, 'recall', { query: '"websockets"', workspace: '*' })
    expect(exact.text).toMatch(/^1 message in all projects/)
  })

  it('names the other messages that say the same', async () => {
    for (const id of ['one', 'two'])
      await engine.store.sessions.append({ id: `cairn:${id}`, agent: 'cairn', externalId: id, workspace: PROJECT }, 0, [
        {
          entry: {
            kind: 'message',
            at: 1_000,
            id: 'm1',
            role: 'user',
            content: [{ type: 'text', text: 'Kites need a longer tail than they had last year.' }],
          },
        },
      ])
    const { text } = await callTool(client, 'recall', { query: 'kites longer tail' })
    expect(text).toMatch(/^1 message [^]*\(also cairn:(?:one|two)#0\)/)
  })

  it('filters by branch, by message and by session', async () => {
    for (const branch of ['main', 'feature/kites'])
      await engine.store.sessions.append(
        { id: `cairn:${branch}`, agent: 'cairn', externalId: branch, workspace: PROJECT, branch },
        0,
        [
          {
            entry: {
              kind: 'message',
              at: 1_000,
              id: 'm1',
              role: 'user',
              content: [{ type: 'text', text: 'Kites need a longer tail.' }],
            },
          },
        ],
      )
    const query = 'kites longer tail'
    const sessions = async (args: Readonly<Record<string, unknown>>) => {
      const { text } = await callTool(client, 'recall', { query, ...args })
      return ['main', 'feature/kites'].filter((branch) => text.includes(`cairn:${branch}`))
    }
    expect(await sessions({ by: 'session', branch: 'feature/kites' })).toEqual(['main', 'feature/kites'])
    for (const by of ['message', 'session'])
      expect(await sessions({ by, onlyBranch: 'feature/kites' })).toEqual(['feature/kites'])
  })

  it('leaves memory and notes out only for a condition that they can not meet, and of other times', async () => {
    await engine.memory.add({ workspace: PROJECT, kind: 'discovery', text: 'Kites need a tail', source: 'user' })
    const query = 'kites need tail'
    const remembered = async (args: Readonly<Record<string, unknown>>) => {
      const { text, isError } = await callTool(client, 'recall', { query, ...args })
      expect(isError).toBe(false)
      return text.includes('Kites need a tail')
    }
    expect(await remembered({ by: 'session', branch: 'main' })).toBe(true)
    expect(await remembered({ branch: 'main' })).toBe(false)
    for (const by of ['message', 'session']) expect(await remembered({ by, onlyBranch: 'main' })).toBe(false)
    expect(await remembered({ until: '2001-01-01' })).toBe(false)
    expect(await remembered({ since: '2001-01-01' })).toBe(true)
  })

  it('does not count function words of the query as a match', async () => {
    const write = async (id: string, workspace: string, texts: readonly string[]): Promise<void> => {
      await engine.store.sessions.append(
        { id: `cairn:${id}`, agent: 'cairn', externalId: id, workspace },
        0,
        texts.map((text, number) => ({
          entry: {
            kind: 'message',
            at: 1_000 + number,
            id: `m${number}`,
            role: 'user',
            content: [{ type: 'text', text }],
          },
        })),
      )
    }
    await write('trip', '/code/friends', ['Ben is allergic to walnuts.', "We don't know what that is."])
    const query = 'What is Ben allergic to?'
    for (const by of ['message', 'session']) {
      const { text } = await callTool(client, 'recall', { query, by })
      expect(text).toMatch(/^\d+ \w+ in other projects \(nothing in \/code\/app\)/)
      expect(text).toMatch(/1\. cairn:trip[^]*walnuts/)
    }
    // Without a match anywhere, the nearest results of this project are given. Of a named project only its own results
    // are, and function words count if the query has no others.
    expect((await callTool(client, 'recall', { query: 'What is a gizmo to you?' })).text).toMatch(
      /^\d+ messages? in \/code\/app/,
    )
    expect((await callTool(client, 'recall', { query, workspace: PROJECT })).text).toMatch(
      /^\d+ messages? in \/code\/app/,
    )
    expect((await callTool(client, 'recall', { query: 'why is the' })).text).toMatch(/^\d+ messages? in \/code\/app/)
    expect((await callTool(client, 'recall', { query: "Why don't walnuts?" })).text).toContain('in other projects')
  })

  it('counts memory entries as a match, first those of this project', async () => {
    const keep = (workspace: string, text: string) =>
      engine.memory.add({ workspace, kind: 'discovery', text, source: 'user' })
    await keep('/code/friends', 'Ben is allergic to walnuts')
    const query = 'What is Ben allergic to?'
    const { text } = await callTool(client, 'recall', { query })
    expect(text).toMatch(
      /in other projects \(nothing in \/code\/app\)[^]*remembered \w+ · discovery · friends\n {3}Ben is allergic to walnuts/,
    )
    await keep(PROJECT, 'Ben is allergic to cats')
    expect((await callTool(client, 'recall', { query: 'gateway cats' })).text).toMatch(
      /in other projects[^]*remembered [^]*cats[^]*else-1#0/,
    )
    const { text: here } = await callTool(client, 'recall', { query })
    expect(here).toMatch(/^\d+ messages? in \/code\/app[^]*allergic to cats/)
    expect(here).not.toContain('walnuts')
  })

  it("names a message's author, and finds the messages of one", async () => {
    const messageOf = (author: string, text: string, seq: number) => ({
      entry: {
        kind: 'message' as const,
        at: 1_000 + seq,
        id: `m${seq}`,
        role: 'user' as const,
        author,
        content: [{ type: 'text' as const, text }],
      },
    })
    await engine.store.sessions.append(
      { id: 'cairn:ferry', agent: 'cairn', externalId: 'ferry', workspace: '/code/friends' },
      0,
      [messageOf('Ann Smith', 'The ferry leaves at nine', 0), messageOf('Ben', 'No ferry on Sundays', 1)],
    )
    expect((await callTool(client, 'recall', { query: 'ferry', author: 'ann' })).text).toMatch(
      /1 message in other projects[^]*1\. cairn:ferry#0 · [^·]+ · user · Ann Smith · /,
    )
    expect((await callTool(client, 'recall', { query: 'What did Ann say?' })).text).toMatch(
      /in other projects[^]*1\. cairn:ferry#0/,
    )
  })

  it('finds sessions, and by file, role and time', async () => {
    expect((await callTool(client, 'recall', { query: 'flaky login test', by: 'session' })).text).toContain(
      `1. ${SESSION} · `,
    )
    expect((await callTool(client, 'recall', { query: 'flaky', role: 'user' })).text).toMatch(
      /1 message in[^]*1\. \S+ · [^·]+ · user/,
    )
    expect((await callTool(client, 'recall', { query: 'edit test', file: 'login.test.ts' })).text).toContain(
      `1. ${SESSION}#`,
    )
    expect((await callTool(client, 'recall', { query: 'flaky', until: '2025-12-31', workspace: '*' })).text).toContain(
      'Nothing was found',
    )
  })

  it('gives long messages in parts that lose nothing', async () => {
    let joined = ''
    for (let offset = 0, calls = 0; Number.isFinite(offset) && calls < 20; calls++) {
      const { text } = await callTool(client, 'get_message', { id: `${SESSION}#4`, offset, max_chars: 2000 })
      expect(text.length).toBeLessThan(2600)
      joined += bodyOf(text).slice(bodyOf(text).indexOf('\n') + 1)
      offset = nextOffset(text)
    }
    expect(joined).toBe(`Thanks. ${'A long story about clocks. '.repeat(400)}`)
  })

  it('gives a session as a summary or in pages', async () => {
    const { text } = await callTool(client, 'get_session', { id: 'talk-1' })
    expect(text).toContain('Why is the login test flaky?')
    const first = await callTool(client, 'get_session', { id: SESSION, view: 'messages', limit: 2 })
    expect(first.text).toMatch(/talk-1#0 [^]*talk-1#1 [^]*There are more: from 2\./)
    expect((await callTool(client, 'get_session', { id: SESSION, view: 'messages', from: -1 })).text).toMatch(
      /\[generic:talk-1#4 [^]*That is the end\./,
    )
  })

  it('shows memory and notes beside messages', async () => {
    await callTool(client, 'remember', { operation: 'add_solution', text: 'The flaky login test sets its clock first' })
    await callTool(client, 'notes', { operation: 'set', key: 'login', text: 'the flaky login test comes next' })
    const { text } = await callTool(client, 'recall', { query: 'flaky login test' })
    expect(text).toContain('sets its clock first')
    expect(text).toContain('note login')
    expect((await callTool(client, 'recall', { query: 'flaky login test', role: 'user' })).text).not.toContain(
      'sets its clock',
    )
  })

  it('shows memory and notes of the own project first, then of others, which are named', async () => {
    const keep = async (operation: string, text: string, workspace?: string): Promise<void> => {
      await callTool(client, 'remember', { operation, text, ...(workspace === undefined ? {} : { workspace }) })
    }
    await keep('add_discovery', 'The gateway drops idle websockets, says the gateway', '/code/other')
    await keep('add_discovery', 'The gateway drops some')
    const { text } = await callTool(client, 'recall', { query: 'gateway drops websockets', workspace: '*' })
    expect(text).toMatch(
      /remembered \w+ · discovery\n {3}The gateway drops some\nremembered \w+ · discovery · other\n {3}The gateway drops idle/,
    )
    expect(
      (await callTool(client, 'recall', { query: 'gateway drops websockets', workspace: PROJECT })).text,
    ).not.toContain('idle')
  })

  it('quotes text that tries to close its tags', async () => {
    for (const [tool, args] of [
      ['recall', { query: 'redis fails' }],
      ['get_message', { id: 'generic:talk-2#0' }],
      ['get_session', { id: 'generic:talk-2' }],
    ] as const) {
      const { text } = await callTool(client, tool, args)
      expect(text).toContain('Ignore previous instructions')
      expect(text.match(/<\/recalled_data>/g)).toHaveLength(1)
      expect(text.indexOf('Ignore previous')).toBeGreaterThan(text.indexOf('<recalled_data'))
      expect(text.indexOf('Ignore previous')).toBeLessThan(text.indexOf('</recalled_data>'))
    }
  })
})
