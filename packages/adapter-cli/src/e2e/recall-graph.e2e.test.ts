/** `cairn recall` and `cairn graph` as processes: what is found, why, and how it is shown. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { textWidth } from '../terminal/text-width.ts'

interface Result {
  readonly sessionId: string
  readonly messageId: string | null
  readonly role: string | null
  readonly author: string | null
  readonly snippet: string
  readonly highlights: readonly (readonly [number, number])[]
  readonly score: number
  readonly hits?: number
  readonly explain?: {
    readonly ranker: string
    readonly parts: readonly { readonly name: string; readonly value: number }[]
    readonly terms: readonly { readonly text: string; readonly found: boolean }[]
  }
}

interface Answer {
  readonly results: readonly Result[]
  readonly memory: readonly { readonly kind: string; readonly workspace: string; readonly score: number }[]
  readonly notes: readonly { readonly key: string; readonly snippet: string }[]
}

let box: Sandbox
const STORE = ['--store', 'file:s.db']
const ESCAPES = '\u001b[2J\u001b]0;owned\u0007'

const line = (
  session: string,
  id: number,
  at: string,
  role: string,
  text: string,
  more: Readonly<Record<string, unknown>> = {},
): string =>
  JSON.stringify({
    session,
    id: String(id),
    at,
    role,
    text,
    workspace: '/code/app',
    branch: 'main',
    title: `About ${session}`,
    ...more,
  })

const LINES = [
  line('auth', 1, '2026-01-10T08:00:00Z', 'user', 'The session token is not refreshed when it expires'),
  line('auth', 2, '2026-01-10T08:01:00Z', 'assistant', 'Editing the refresh', {
    tool: { name: 'Edit', path: 'src/auth/token-store.ts', kind: 'edit' },
  }),
  line(
    'auth',
    3,
    '2026-01-10T08:02:00Z',
    'assistant',
    'refreshToken() now runs a minute before the token expires, the authors of the library say so',
  ),
  line('pages', 1, '2026-01-20T08:00:00Z', 'user', `Paging is off by one ${ESCAPES}`, { branch: 'feature/pages' }),
  line('pages', 2, '2026-01-20T08:01:00Z', 'assistant', 'Reading', {
    branch: 'feature/pages',
    tool: { name: 'Read', path: 'src/auth/token-store.ts', kind: 'read' },
  }),
  line('pages', 3, '2026-01-20T08:02:00Z', 'assistant', 'Editing', {
    branch: 'feature/pages',
    tool: { name: 'Edit', path: 'src/pages.ts', kind: 'edit' },
  }),
  line('other', 1, '2026-01-30T08:00:00Z', 'user', 'Nothing of the kind happens in this project', {
    workspace: '/code/other',
    branch: null,
  }),
]

const recall = (...args: readonly string[]) => box.cairn('recall', ...args, ...STORE)
const answer = async (...args: readonly string[]): Promise<Answer> =>
  (await box.json('recall', ...args, ...STORE)) as Answer

beforeAll(async () => {
  box = createSandbox()
  box.file('chat.jsonl', `${LINES.join('\n')}\n`)
  await box.cairn('import', '--from', 'chat.jsonl', '--agent', 'generic', ...STORE)
  await box.cairn(
    'memory',
    'add',
    'solution',
    'Refresh tokens a minute early',
    '--example',
    'src/auth/token-store.ts:12',
    '--workspace',
    'app',
    '--session',
    'auth',
    ...STORE,
  )
  await box.cairn('note', 'set', 'tokens', 'Expired tokens are kept for a day', '--workspace', 'app', ...STORE)
})

afterAll(() => box.remove())

describe('recall', () => {
  it('finds words in all their forms and in identifiers, not in other words', async () => {
    const { results } = await answer('refreshing')
    expect(results.map(({ sessionId }) => sessionId)).toEqual(['generic:auth', 'generic:auth', 'generic:auth'])
    expect((await answer('auth', '--role', 'user')).results).toEqual([])
    const camel = (await answer('refresh', 'token')).results.find(({ snippet }) => snippet.includes('refreshToken'))
    expect(camel?.highlights.map(([start, end]) => camel.snippet.slice(start, end))).toEqual(['refreshToken', 'token'])
  })

  it('has the documented JSON fields, with memory and notes', async () => {
    const { results, memory, notes } = await answer('token', 'expires')
    expect(Object.keys(results[0] ?? {})).toEqual([
      'sessionId',
      'messageId',
      'externalId',
      'at',
      'role',
      'author',
      'score',
      'snippet',
      'highlights',
    ])
    expect(memory).toMatchObject([
      { kind: 'solution', workspace: '/code/app', text: 'Refresh tokens a minute early', score: expect.any(Number) },
    ])
    expect(notes).toMatchObject([
      { key: 'tokens', snippet: 'Expired tokens are kept for a day', score: expect.any(Number) },
    ])
    for (const condition of [
      ['--role', 'user'],
      ['--session', 'auth'],
      ['--agent', 'generic'],
      ['--file', 'token-store.ts'],
      ['--branch', 'main'],
      ['--only-branch', 'main'],
      ['--only-branch', 'main', '--by', 'session'],
      ['--workspace', 'other'],
      ['--since', '2999-01-01'],
    ]) {
      expect(await answer('token expires', ...condition)).toMatchObject({ memory: [], notes: [] })
    }
    expect(await answer('token expires', '--no-ltm')).toMatchObject({ memory: [], notes: [{ key: 'tokens' }] })
  })

  it("shows a message's author, and finds the messages of one", async () => {
    const messageLine = (id: number, author: string, text: string): string =>
      line('ferry', id, `2026-02-0${id}T08:00:00Z`, 'user', text, { workspace: '/chat', author })
    box.file(
      'ferry.jsonl',
      `${[messageLine(1, `Ann${ESCAPES}`, 'The ferry leaves at nine'), messageLine(2, 'Ben', 'No ferry on Sundays')].join('\n')}\n`,
    )
    const there = ['--store', 'file:ferry.db']
    await box.cairn('import', '--from', 'ferry.jsonl', '--agent', 'generic', ...there)
    const authors = async (...args: readonly string[]) =>
      ((await box.json('recall', ...args, ...there)) as Answer).results.map(({ author }) => author?.slice(0, 3))
    expect(await authors('ferry', '--author', 'ben')).toEqual(['Ben'])
    expect(await authors('ann')).toEqual(['Ann'])
    expect(await authors('ferry', '--author', 'Zoe')).toEqual([])
    const { stdout } = await box.cairn('recall', 'ferry', ...there)
    expect(stdout).toMatch(/· user · Ben · chat · About ferry/)
    expect(stdout).not.toContain(ESCAPES)
    box.file(
      'ferry-queries.jsonl',
      `${JSON.stringify({ id: 1, query: 'ferry', author: 'ANN' })}\n${JSON.stringify({ id: 2, query: 'ferry', author: 'ann', by: 'session' })}`,
    )
    const answers = (await box.cairn('recall', '--queries', 'ferry-queries.jsonl', ...there)).stdout
      .trim()
      .split('\n')
      .map(
        (each) =>
          JSON.parse(each) as { readonly results?: readonly Result[]; readonly error?: { readonly message: string } },
      )
    expect(answers.map(({ results, error }) => results?.length ?? error?.message)).toEqual([
      1,
      expect.stringContaining('"author" goes with messages'),
    ])
  })

  it('takes a query that begins with a dash after --', async () => {
    expect((await box.cairn('recall', ...STORE, '--', '-token')).stdout).toMatch(/Total shown: \d+ messages/)
  })

  it('reports an invalid query in one sentence', async () => {
    box.file('when.jsonl', JSON.stringify({ id: 1, query: 'token', since: 'someday' }))
    const { stderr } = await recall('--queries', 'when.jsonl')
    expect(stderr).toMatch(/^Query in line 1: .*'someday' is not a time.*[^.]; the others are answered\.\n$/)
  })

  it('separates projects: the current one first, others by name, the same fact once', async () => {
    const own = ['--store', 'file:projects.db']
    box.file('here/x', '')
    for (const project of ['here', 'there']) box.file(`${project}/x`, '')
    await box.cairn('memory', 'add', 'discovery', 'Redis listens on 6380', '--workspace', 'there', ...own)
    await box.cairn('memory', 'add', 'discovery', 'redis listens on 6380.', '--workspace', 'here', ...own)
    await box.cairn('memory', 'add', 'discovery', 'Redis Redis Redis', '--workspace', 'there', ...own)
    await box.cairn('memory', 'add', 'discovery', 'Redis is needed', ...own)
    await box.cairn('note', 'set', 'redis', 'Redis of another', '--workspace', 'there', ...own)
    const { memory } = (await box.json('recall', 'redis', ...own)) as {
      readonly memory: readonly { readonly text: string; readonly alsoIn: readonly string[] }[]
    }
    expect(memory[0]?.text).toBe('Redis is needed')
    expect(memory).toHaveLength(3)
    expect(memory.map(({ alsoIn }) => alsoIn.length).toSorted()).toEqual([0, 0, 1])
    const { stdout } = await box.cairn('recall', 'redis', ...own)
    expect(stdout).toMatch(/^Memory\n\S{8} {2}discovery · [^\n]*\n {2}Redis is needed\n/)
    expect(stdout).toMatch(/project there · discovery/)
    expect(stdout).toMatch(/project (?:here, also in there|there, also in here) · discovery/)
    expect(stdout).toMatch(/redis · note · project there · changed/)
    const ofThere = await box.cairn('recall', 'redis', '--workspace', 'there', ...own)
    expect(ofThere.stderr).toBe('')
  })

  it('applies its filters', async () => {
    const ids = async (...args: readonly string[]): Promise<readonly string[]> =>
      [
        ...new Set(
          (await answer('editing reading token paging project', ...args)).results.map(({ sessionId }) =>
            sessionId.replace('generic:', ''),
          ),
        ),
      ].toSorted()
    expect(await ids()).toEqual(['auth', 'other', 'pages'])
    expect(await ids('--workspace', 'other')).toEqual(['other'])
    expect(await ids('--branch', 'feature/pages')).toEqual(['pages'])
    expect(await ids('--since', '2026-01-15', '--until', '2026-01-25')).toEqual(['pages'])
    expect(await ids('--session', 'auth')).toEqual(['auth'])
    expect(await ids('--file', 'src/pages.ts')).toEqual(['pages'])
    expect(await ids('--file', 'auth/token-store.ts')).toEqual(['auth', 'pages'])
    expect((await answer('editing', '--limit', '1')).results).toHaveLength(1)
  })

  it('filters by branch, by message and by session, and in --queries', async () => {
    const text = 'token paging editing refresh'
    const sessions = async (...args: readonly string[]) =>
      new Set((await answer(text, ...args)).results.map(({ sessionId }) => sessionId))
    const both = new Set(['generic:auth', 'generic:pages'])
    const pages = new Set(['generic:pages'])
    expect(await sessions('--by', 'session', '--branch', 'feature/pages')).toEqual(both)
    for (const by of ['message', 'session']) {
      expect(await sessions('--by', by, '--only-branch', 'feature/pages')).toEqual(pages)
      expect(await sessions('--by', by, '--only-branch', 'feature/pages', '--ranker', 'bm25')).toEqual(pages)
    }
    const unknown = await recall(text, '--by', 'session', '--only-branch', 'nowhere')
    expect(unknown).toMatchObject({
      code: 0,
      stdout: 'Nothing was found.\n',
      stderr: "Nothing of the branch 'nowhere' is in the store.\n",
    })
    expect(await recall(text, '--branch', 'main', '--only-branch', 'main')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('either --branch or --only-branch'),
    })
    const queries = [
      { id: 1, by: 'session', onlyBranch: 'feature/pages' },
      { id: 2, by: 'message', onlyBranch: 'feature/pages' },
      // What the line says replaces what the command line says.
      { id: 3, by: 'message', branch: 'feature/pages' },
      { id: 4, by: 'session' },
      { id: 5, branch: 'main', onlyBranch: 'main' },
    ]
    box.file('branches.jsonl', queries.map((query) => JSON.stringify({ ...query, query: text })).join('\n'))
    const { stdout } = await recall('--queries', 'branches.jsonl', '--only-branch', 'main')
    const answers = stdout
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each) as Partial<Answer> & { readonly error?: { readonly message: string } })
    expect(
      answers.map(({ results, error }) => error?.message ?? [...new Set(results?.map(({ sessionId }) => sessionId))]),
    ).toEqual([
      ['generic:pages'],
      ['generic:pages'],
      ['generic:pages'],
      ['generic:auth'],
      'line 5: it has both "branch" and "onlyBranch"; give one of them',
    ])
  })

  it('explains scores', async () => {
    for (const ranker of ['cairn', 'bm25', 'clio']) {
      const { results } = await answer('token', 'zebra', '--explain', '--ranker', ranker)
      expect(results[0]?.explain).toMatchObject({
        ranker,
        parts: expect.arrayContaining([{ name: expect.any(String), value: expect.any(Number) }]),
      })
      expect(results[0]?.explain?.terms).toEqual(
        expect.arrayContaining([
          { text: 'token', found: true },
          { text: 'zebra', found: false },
        ]),
      )
    }
    expect((await recall('token', 'zebra', '--explain')).stdout).toMatch(
      /\n {2}score [\d.]+ \(cairn\): [\s\S]*\n {2}words found: token; not found: zebra\n/,
    )
  })

  it('finds sessions, even without a matching message', async () => {
    const { results } = await answer('off by one in paging', '--by', 'session', '--branch', 'feature/pages')
    expect(results[0]).toMatchObject({ sessionId: 'generic:pages', role: 'user', hits: expect.any(Number) })
    expect(new Set(results.map(({ sessionId }) => sessionId)).size).toBe(results.length)
    const { stdout } = await recall('off by one in paging', '--by', 'session')
    expect(stdout).toMatch(
      /\d+ matching messages? · app · About pages\n[\s\S]*cairn session show pages --store file:s\.db\n[\s\S]*\nTotal shown: \d sessions?\n$/,
    )
  })

  it('prints neutralised lines of at most 80 columns, and commands that work', async () => {
    const { code, stdout } = await recall('paging tokens refresh')
    expect(code).toBe(0)
    // eslint-disable-next-line no-control-regex -- what must not be there
    expect(stdout).not.toMatch(/[\u001b\u0007]/)
    expect(stdout.split('\n').filter((each) => textWidth(each) > 80)).toEqual([])
    expect(stdout).toMatch(/^Memory\n[\s\S]*\nMessages\n[\s\S]*\nTotal shown: \d+ messages, 1 memory entry\n$/)
    const command = /cairn (session show \S+ --message=#\d+ --store \S+)/.exec(stdout)?.[1] ?? ''
    expect((await box.cairn(...command.split(' '))).code).toBe(0)
    expect((await recall('zebra')).stdout).toBe('Nothing was found.\n')
  })

  it('suggests a command that shows the message with its neighbours', async () => {
    const { stdout } = await recall('refreshToken runs a minute before')
    const [, command = '', messageNumber = ''] =
      /cairn (session show auth --message=(#\d+) --store file:s\.db)\n/.exec(stdout) ?? []
    const shown = await box.cairn(...command.split(' '), '--around', '1')
    expect(shown.stdout).toMatch(
      new RegExp(`── message ${messageNumber} ──\n[\\s\\S]*the authors of the\\s+library say so\n`),
    )
    expect(shown.stdout).toContain('Editing the refresh')
    expect(shown.stdout).not.toContain('is not refreshed when it expires')
    const byId = (await box.json('session', 'show', 'auth', '--message', '3', '--around', '0', ...STORE)) as {
      readonly message: number
      readonly entries: readonly { readonly seq: number; readonly id: string }[]
    }
    expect(byId).toMatchObject({ message: byId.entries[0]?.seq, entries: [{ kind: 'message', id: '3' }] })
    expect(byId.entries).toHaveLength(1)
    expect(await box.cairn('session', 'show', 'auth', '--message', '#999', ...STORE)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('has no message #999'),
    })
  })

  it('does not call its limit a total', async () => {
    expect((await recall('token', '--limit', '1', '--no-ltm')).stdout).toMatch(
      /\nTotal shown: 1 message\n$|\nTotal shown: 1 message, 1 note\n$/,
    )
  })

  it('answers queries in order, each with its own filters', async () => {
    const queries = [
      { id: 'a', query: 'token', workspace: 'other' },
      { id: 2, query: 'paging', by: 'session', branch: 'feature/pages', workspace: '/code/app' },
      { id: 'c', query: 'token', role: 'user' },
      { id: 'd', query: 'token', role: 'user', by: 'session' },
      { id: 'e', query: 'token', role: 'robot' },
    ]
    box.file('queries.jsonl', queries.map((query) => JSON.stringify(query)).join('\n'))
    const { code, stdout, stderr } = await recall('--queries', 'queries.jsonl')
    const lines = stdout
      .trim()
      .split('\n')
      .map(
        (each) =>
          JSON.parse(each) as { readonly id: unknown; readonly results?: readonly Result[]; readonly error?: unknown },
      )
    expect(lines.map(({ id, results, error }) => [id, results?.[0]?.sessionId, error === undefined])).toEqual([
      ['a', undefined, true],
      [2, 'generic:pages', true],
      ['c', 'generic:auth', true],
      ['d', undefined, false],
      ['e', undefined, false],
    ])
    expect(Object.keys(lines[0] ?? {})).toEqual(['id', 'results'])
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^Query in line 4: "role" goes with messages[^\n]*\nQuery in line 5: "role" must be one of[^\n]*\n$/,
    )
  })

  it.each([
    [[], /^What should be searched for\?/],
    [['x', '--queries', 'q.jsonl'], /^Give either words or --queries/],
    [['x', '--by', 'file'], /--by takes one of message, session/],
    [['x', '--ranker', 'best'], /--ranker takes one of cairn, bm25, clio/],
    [['x', '--by', 'session', '--role', 'user'], /^--role can't be used with --by session/],
    [['x', '--by', 'session', '--author', 'ann'], /^--author can't be used with --by session/],
    [['x', '--author', '?!'], /has no name/],
    [['x', '--author', ' '], /--author takes a person's name/],
    [
      ['-Wno-error'],
      /^Unknown option '-Wno-error'\. A text that begins with a dash stands behind --: cairn recall -- "-x"\. See: cairn recall --help$/m,
    ],
    [['x', '--role', 'robot'], /--role takes one of/],
    [['x', '--limit', '0'], /--limit takes a whole number/],
    [['x', '--agent', 'nobody'], /There is no agent 'nobody'/],
    [['x', '--since', '2026-02-01', '--until', '2026-01-01'], /is not before/],
    [['x', '--file', ' '], /--file takes a file's path/],
  ])('refuses %j with exit code 2', async (args, sentence) => {
    const { code, stdout, stderr } = await recall(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('refuses an unknown session by name', async () => {
    expect((await recall('x', '--session', 'nothing')).code).toBe(1)
  })
})

describe('graph', () => {
  const graph = (...args: readonly string[]) => box.cairn('graph', ...args, ...STORE)

  it('tells what is known about a file', async () => {
    const { node, links, left } = (await box.json('graph', 'src/auth/token-store.ts', ...STORE)) as {
      readonly node: object
      readonly links: readonly { readonly relation: string; readonly node: { readonly id: string } }[]
      readonly left: number
    }
    expect(node).toMatchObject({ kind: 'file', id: 'src/auth/token-store.ts' })
    expect(left).toBe(0)
    expect(links.map((link) => [link.relation, link.node.id.replace(/^01.*/, 'entry')])).toEqual(
      expect.arrayContaining([
        ['edited', 'generic:auth'],
        ['read', 'generic:pages'],
        ['cites', 'entry'],
      ]),
    )
  })

  it('prints groups by relation, with dates, counts and ids that can be pasted', async () => {
    const { code, stdout } = await graph('src/auth/token-store.ts')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^file src\/auth\/token-store\.ts/)
    expect(stdout).toMatch(/\nEdited in sessions\n {2}auth +2026-01-10 {2}once +About auth\n/)
    expect(stdout).toMatch(
      /\nCited by memory entries\n {2}\S{8,} +\d{4}-\d\d-\d\d {2}once +.*Refresh tokens a minute early\n/,
    )
    expect(stdout).toMatch(/\ncairn session show \S+ --store file:s\.db\nTotal: \d+ links\n$/)
    expect(stdout.split('\n').filter((each) => textWidth(each) > 80)).toEqual([])
  })

  it('filters by time and kind, and has a limit', async () => {
    const relations = async (...args: readonly string[]): Promise<readonly string[]> =>
      (
        (await box.json('graph', 'src/auth/token-store.ts', ...args, ...STORE)) as {
          readonly links: readonly { readonly relation: string }[]
        }
      ).links.map(({ relation }) => relation)
    expect(await relations('--since', '2026-01-15', '--until', '2026-01-25', '--kinds', 'session')).toEqual(['read'])
    expect(await relations('--kinds', 'entry')).toEqual(['cites'])
    expect(await box.json('graph', 'session:auth', '--kinds', 'file,entry', ...STORE)).toMatchObject({
      links: [{ relation: 'edited' }, { relation: 'learnt-in' }],
      left: 0,
    })
  })

  it('answers about sessions and entries', async () => {
    expect(await box.json('graph', 'session:auth', ...STORE)).toMatchObject({
      node: { kind: 'session', id: 'generic:auth' },
    })
    expect((await graph('session:auth')).stdout).toMatch(/\nEdited files\n {2}src\/auth\/token-store\.ts +2026-01-10/)
  })

  it.each([
    [['src/nowhere.ts'], 1, /src\/nowhere\.ts/],
    [['session:zzzz'], 1, /There is no session/],
    [[' '], 2, /Say what you want to know about/],
    [[], 2, /Missing required argument 'what'/],
    [['x', '--kinds', 'file,thing'], 2, /--kinds takes one of file, symbol, .*not 'thing'/],
    [['x', '--limit', '0'], 2, /--limit takes a whole number/],
  ])('refuses %j with exit code %i', async (args, exit, sentence) => {
    const { code, stdout, stderr } = await graph(...args)
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' })
    expect(stderr).toMatch(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})
