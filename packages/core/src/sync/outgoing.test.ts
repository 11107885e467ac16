import { describe, expect, it } from '@jest/globals'
import { createHasher } from '../node/hasher.ts'
import type { SyncRequest, SyncSession } from '../ports/sync-storage.ts'
import { DEFAULT_CHOICES, shareLevelOf } from './choices.ts'
import type { SyncChoices } from './choices.ts'
import { createOutgoing } from './outgoing.ts'

const ID = '0ccf1a04-1b4c-43b6-8aa5-79e41db43a68'
const SESSION: SyncSession = {
  id: `claude-code:${ID}`,
  agent: 'claude-code',
  externalId: ID,
  workspace: '/home/ada/acquisition',
  branch: 'buy-globex',
  title: 'Buy Globex',
  startedAt: 5,
  updatedAt: 9,
}
const REQUEST: SyncRequest = {
  call: '00ff',
  sessionId: SESSION.id,
  fact: {
    callId: '',
    at: 7,
    model: 'claude-sonnet-5',
    mode: 'globex-mode',
    subagent: 'globex-reviewer',
    branch: 'buy-globex',
    inputTokens: 1,
    cacheReadTokens: 2,
    cacheWrite5mTokens: 3,
    cacheWrite1hTokens: 4,
    outputTokens: 5,
    costNano: 6n,
    costState: 'computed',
  },
  visibleCharacters: 8,
}
const HASH = /^~[0-9a-f]{16}$/

const outgoing = (choices: Partial<SyncChoices> = {}, salt = 'salt') =>
  createOutgoing({ choices: { ...DEFAULT_CHOICES, ...choices }, salt, hasher: createHasher() })

describe('what is shared of a workspace', () => {
  it('is what was chosen for the deepest folder that it lies in', () => {
    const workspaces = { '/w/': 'nothing', '/w/open': 'text', 'C:\\code': 'nothing' } as const
    const levelOf = (path?: string) => shareLevelOf({ ...DEFAULT_CHOICES, workspaces }, path)
    expect(['/w', '/w/a', '/w/open/deep', '/w/opened', '/wide', 'C:\\code\\a', undefined].map(levelOf)).toEqual([
      ...['nothing', 'nothing', 'text', 'nothing', 'figures', 'nothing', 'figures'],
    ])
  })
})

describe('figures on their way out', () => {
  it('hold no name that somebody chose', () => {
    const { workspace, branch, title, ...rest } = outgoing().session(SESSION)
    expect([title, rest]).toEqual([
      undefined,
      { id: SESSION.id, agent: 'claude-code', externalId: ID, startedAt: 5, updatedAt: 9 },
    ])
    for (const name of [workspace, branch]) expect(name).toMatch(HASH)
    const request = outgoing().request(REQUEST, SESSION)
    expect(JSON.stringify({ ...request, fact: { ...request?.fact, costNano: '6' } })).not.toMatch(/globex|acquisition/i)
    expect(request?.fact).toMatchObject({ model: 'claude-sonnet-5', costNano: 6n, mode: expect.stringMatching(HASH) })
  })

  it.each([
    ['aider', '.aider.chat.history.md-2026-01-05'],
    ['generic', 'buy-globex'],
    ['codex', '../globex'],
    ['codex', 'BuyGlobexCorporationNow'],
  ])('hash the id of a session of %s that is no made one: %s', (agent, externalId) => {
    const found = outgoing().session({ ...SESSION, id: `${agent}:${externalId}`, agent, externalId })
    expect(found.externalId).toMatch(HASH)
    expect(found.id).toBe(`${agent}:${found.externalId}`)
    expect(outgoing().sessionId(`${agent}:${externalId}`)).toBe(found.id)
  })

  it('have the same hash with the same salt only', () => {
    const hashOf = (salt: string) => outgoing({}, salt).session(SESSION).workspace
    expect(hashOf('one')).toBe(hashOf('one'))
    expect(hashOf('one')).not.toBe(hashOf('two'))
  })

  it('have names where that is allowed, and titles only with text', () => {
    expect(outgoing({ names: 'plain' }).session(SESSION)).toEqual({ ...SESSION, title: undefined })
    expect(outgoing({ share: 'text' }).session(SESSION)).toEqual(SESSION)
  })

  it('tell a project by the hash of its folder or remote, and never one that is called after a private folder', () => {
    const remote = 'github.com/globex/buyout'
    const told = (choices: Partial<SyncChoices>, workspace: string, project: string | null) =>
      createOutgoing({
        choices: { ...DEFAULT_CHOICES, ...choices },
        salt: 'salt',
        hasher: createHasher(),
      }).project({ workspace, project })
    const [ofRemote, ofFolder, alone] = [remote, '/home/ada/acquisition', null].map((project) =>
      told({}, '/home/ada/acquisition/web', project),
    )
    expect(ofRemote).toEqual({ workspace: expect.stringMatching(HASH), project: expect.stringMatching(HASH) })
    expect(alone).toEqual({ workspace: ofRemote?.workspace, project: null })
    // The folder has the same name as a folder and as a project.
    expect(ofFolder?.project).toBe(told({}, '/home/ada/acquisition', null)?.workspace)
    expect(told({ names: 'plain' }, '/home/ada/x', remote)).toEqual({ workspace: '/home/ada/x', project: remote })
    const choices = { names: 'plain', workspaces: { '/home/ada': 'nothing', '/home/ada/open': 'text' } } as const
    expect(told(choices, '/home/ada/x', remote)).toBeUndefined()
    expect(told(choices, '/home/ada/open', remote)).toEqual({ workspace: '/home/ada/open', project: remote })
    expect(told(choices, '/home/ada/open', '/home/ada')).toEqual({ workspace: '/home/ada/open', project: null })
  })

  it('leave out a request that was made in a workspace that shares nothing', () => {
    const choices = { share: 'text', workspaces: { '/private': 'nothing' } } as const
    const elsewhere = { ...REQUEST, fact: { ...REQUEST.fact, workspace: '/private/a' } }
    expect(outgoing(choices).request(elsewhere, SESSION)).toBeUndefined()
    expect(outgoing(choices).request(REQUEST, SESSION)).toEqual(REQUEST)
  })
})
