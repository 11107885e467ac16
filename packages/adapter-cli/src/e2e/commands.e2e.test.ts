/** The other commands as processes, over one small store: shapes of JSON, exit codes, and what people see. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { claudeLine, claudeSession } from '../testing/transcripts.ts'
import { textWidth } from '../terminal/text-width.ts'

let box: Sandbox
const STORE = ['--store', 'file:s.db']
const ESCAPES = '\u001b[2J\u001b]0;owned\u0007 and \u202e turned'

beforeAll(async () => {
  box = createSandbox()
  box.file('logs/alpha.jsonl', claudeSession('alpha-1', '2026-01-30'))
  box.file('logs/alphb.jsonl', claudeSession('alpha-2', '2026-01-31', `Look: ${ESCAPES}`))
  const odd = claudeLine({
    session: 'odd',
    id: 'o1',
    at: '2026-02-01T10:00:00.000Z',
    text: 'The password is in postgres://cairn:hunter2secret@db/x',
    model: 'no-such-model',
    cwd: `/a/${'very-long/'.repeat(30)}日本語のプロジェクト`,
  })
  box.file('logs/odd.jsonl', `${odd}\n{"broken\n`)
  await box.cairn('import', '--from', 'logs', ...STORE)
})

afterAll(() => box.remove())

const lastLineStartingTotal = (stdout: string): boolean => stdout.split('\n').some((line) => line.startsWith('Total'))

describe('usage', () => {
  it('has the documented JSON fields, and the same total in every grouping', async () => {
    const totals = new Set<string>()
    for (const by of ['day', 'week', 'month', 'session', 'model', 'mode', 'workspace', 'branch', 'agent']) {
      const { rows, total } = (await box.json('usage', '--by', by, ...STORE)) as {
        readonly rows: readonly Record<string, unknown>[]
        readonly total: Record<string, unknown>
      }
      for (const field of [
        'key',
        'requests',
        'inputTokens',
        'cacheReadTokens',
        'cacheWrite5mTokens',
        'cacheWrite1hTokens',
        'outputTokens',
        'costUsd',
        'unpricedRequests',
        'partialRequests',
      ]) {
        expect(rows[0]).toHaveProperty(field)
        if (field !== 'key') expect(total).toHaveProperty(field)
      }
      totals.add(JSON.stringify(total))
    }
    expect(totals.size).toBe(1)
    expect(JSON.parse([...totals][0] ?? '')).toMatchObject({ requests: 3, outputTokens: 150, unpricedRequests: 1 })
  })

  it.each(['day', 'session', 'model', 'workspace'])('prints a table by %s within 80 columns', async (by) => {
    const { code, stdout } = await box.cairn('usage', '--by', by, ...STORE)
    expect(code).toBe(0)
    expect(stdout.split('\n').filter((line) => textWidth(line) > 80)).toEqual([])
    expect(lastLineStartingTotal(stdout)).toBe(true)
    expect(stdout).toContain('Without a known price: no-such-model (1 request).')
    expect(stdout).toContain('cairn config set prices.no-such-model 3,15')
  })

  it('filters by time, workspace and session', async () => {
    expect(
      await box.json('usage', '--since', '2026-01-31', '--until', '2026-01-31', '--timezone', 'UTC', ...STORE),
    ).toMatchObject({ total: { requests: 1 } })
    expect(await box.json('usage', '--workspace', 'app', ...STORE)).toMatchObject({ total: { requests: 2 } })
    expect(await box.json('usage', '--session', 'odd', ...STORE)).toMatchObject({ total: { requests: 1 } })
  })

  it('exits with 3 above a budget, after the table', async () => {
    const over = await box.cairn('usage', '--max-cost', '0.0001', ...STORE)
    expect(over.code).toBe(3)
    expect(lastLineStartingTotal(over.stdout)).toBe(true)
    expect(over.stderr).toMatch(/^Over budget: /)
    const json = await box.cairn('usage', '--max-cost', '0', '--json', ...STORE)
    expect(json.code).toBe(3)
    expect(JSON.parse(json.stdout)).toMatchObject({ budget: { exceeded: true, limitUsd: 0 } })
    expect((await box.cairn('usage', '--max-cost', '1000', ...STORE)).code).toBe(0)
  })

  it.each([
    [['--by', 'days'], /--by takes one of .*Did you mean 'day'/],
    [['--since', 'someday'], /'someday' is not a time/],
    [['--timezone', 'Mars/Olympus'], /There is no time zone named 'Mars\/Olympus'/],
    [['--max-cost', 'much'], /--max-cost takes an amount/],
    [['--sinse', '7d'], /Unknown option '--sinse' \(did you mean --since\?\)/],
    [['extra'], /Too many arguments/],
  ])('refuses %j with exit code 2', async (args, sentence) => {
    const { code, stdout, stderr } = await box.cairn('usage', ...args, ...STORE)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})

describe('a group of commands', () => {
  it.each([
    [['secret', 'sett'], /^There is no 'cairn secret sett'\. Did you mean 'set'\? There are set, list, delete\. See: /],
    [['config', 'lst', '--json'], /^There is no 'cairn config lst'\. Did you mean 'list'\? /],
    [['profile', 'x'.repeat(60)], /^That is no subcommand\. There are show, set, /],
    [['secret', 'list', 'more'], /^Too many arguments for 'list'/],
  ])('names what it has for a word that is none of them: %j', async (args, sentence) => {
    const { code, stderr } = await box.cairn(...args)
    expect(code).toBe(2)
    expect(stderr).toMatch(sentence)
    expect(stderr).not.toContain('x'.repeat(60))
  })
})

describe('session', () => {
  it('lists', async () => {
    const { sessions, total } = (await box.json('session', 'list', '--sort', 'started', '--limit', '2', ...STORE)) as {
      readonly sessions: readonly Record<string, unknown>[]
      readonly total: number
    }
    expect(total).toBe(3)
    expect(sessions.map(({ externalId }) => externalId)).toEqual(['odd', 'alpha-2'])
    const { stdout } = await box.cairn('session', 'list', ...STORE)
    expect(lastLineStartingTotal(stdout)).toBe(true)
    expect(stdout.split('\n').filter((line) => textWidth(line) > 80)).toEqual([])
  })

  it('lists by branch and model, and in reverse', async () => {
    const ids = async (...args: readonly string[]): Promise<readonly unknown[]> =>
      (
        (await box.json('session', 'list', '--sort', 'started', ...args, ...STORE)) as {
          readonly sessions: readonly Record<string, unknown>[]
        }
      ).sessions.map(({ externalId }) => externalId)
    const all = await ids()
    expect(all).toHaveLength(3)
    expect(await ids('--reverse')).toEqual(all.toReversed())
    const { rows } = (await box.json('usage', '--by', 'model', ...STORE)) as {
      readonly rows: readonly { readonly key: string }[]
    }
    expect(await ids('--model', rows[0]?.key ?? '')).not.toEqual([])
    const { code, stderr } = await box.cairn('session', 'list', '--branch', 'nowhere', '--model', 'nothing', ...STORE)
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        "No sessions of the branch 'nowhere' are in the store.\nNo sessions of the model 'nothing' are in the store.\n",
    })
  })

  it('shows a transcript without its control sequences', async () => {
    const { code, stdout } = await box.cairn('session', 'show', 'alpha-2', ...STORE)
    expect(code).toBe(0)
    // eslint-disable-next-line no-control-regex -- what must not be there
    expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/)
    expect(stdout).toContain('Look: ␛[2J␛]0;owned␇')
    expect(stdout).toContain('Why is the login test flaky?')
  })

  it('refuses an id that several sessions or none have', async () => {
    const several = await box.cairn('session', 'show', 'alpha', '--json', ...STORE)
    expect(several.code).toBe(2)
    expect(JSON.parse(several.stdout)).toMatchObject({ error: { code: 'ambiguous' } })
    const none = await box.cairn('session', 'show', 'nothing', ...STORE)
    expect(none.code).toBe(1)
    expect(none.stderr).toMatch(/^There is no session/)
  })

  it('exports every line byte for byte except for secrets, which it counts', async () => {
    const { session, entries, requests, source } = (await box.json(
      'session',
      'export',
      'alpha-2',
      '--format',
      'json',
      ...STORE,
    )) as {
      readonly session: { readonly redactions: number }
      readonly entries: readonly unknown[]
      readonly requests: readonly unknown[]
      readonly source: readonly { readonly line: number; readonly text: string }[]
    }
    expect(source.map(({ text }) => `${text}\n`).join('')).toBe(
      readFileSync(join(box.folder, 'logs/alphb.jsonl'), 'utf8'),
    )
    expect(session.redactions).toBe(0)
    expect(entries.length).toBeGreaterThanOrEqual(2)
    expect(JSON.stringify(entries)).toContain(JSON.stringify(`Look: ${ESCAPES}`))
    expect(requests).toHaveLength(1)
    const odd = (await box.json('session', 'export', 'odd', '--format', 'json', ...STORE)) as {
      readonly redactions: number
      readonly source: readonly { readonly text: string }[]
    }
    expect(odd.redactions).toBe(1)
    expect(JSON.stringify(odd)).not.toContain('hunter2secret')
    expect(odd.source.map(({ text }) => text)).toContain('{"broken')
  })

  it('exports Markdown to a file, and refuses unknown formats', async () => {
    expect(
      (await box.cairn('session', 'export', 'alpha-1', '--format', 'md', '--output', 'talk.md', ...STORE)).code,
    ).toBe(0)
    expect(readFileSync(join(box.folder, 'talk.md'), 'utf8')).toMatch(
      /^# .*\n[\s\S]*## user[\s\S]*Why is the login test flaky\?[\s\S]*## assistant/,
    )
    const pdf = await box.cairn('session', 'export', 'alpha-1', '--format', 'pdf', ...STORE)
    expect(pdf.code).toBe(2)
    expect(pdf.stderr).toBe("--format takes html, md, json, not 'pdf'.\n")
  })

  it('deletes only after a yes, and an import does not bring the session back', async () => {
    const own = ['--store', 'file:delete.db']
    await box.cairn('import', '--from', 'logs', ...own)
    const asked = await box.cairn('session', 'delete', 'alpha-1', ...own)
    expect(asked.code).toBe(2)
    expect(asked.stderr).toMatch(/add --yes/)
    expect(await box.json('session', 'delete', 'alpha-1', '--yes', ...own)).toMatchObject({
      deleted: { sessionId: 'claude-code:alpha-1', requests: 1 },
    })
    await box.cairn('import', '--from', 'logs', ...own)
    expect(await box.json('session', 'list', ...own)).toMatchObject({ total: 2 })
    expect((await box.cairn('doctor', ...own)).code).toBe(0)
  })
})

describe('recall', () => {
  it('finds messages', async () => {
    const { results } = (await box.json('recall', 'flaky', 'login', ...STORE)) as {
      readonly results: readonly unknown[]
    }
    expect(results.length).toBeGreaterThanOrEqual(3)
    const bySession = (await box.json('recall', 'flaky login', '--by', 'session', '--explain', ...STORE)) as {
      readonly results: readonly { readonly sessionId: string }[]
    }
    expect(new Set(bySession.results.map(({ sessionId }) => sessionId)).size).toBe(bySession.results.length)
    const { stdout } = await box.cairn('recall', 'flaky', ...STORE)
    expect(lastLineStartingTotal(stdout)).toBe(true)
  })

  it('answers many queries as JSON Lines, and names an invalid line', async () => {
    box.file(
      'queries.jsonl',
      '{"id":1,"query":"flaky","by":"session"}\nnonsense\n{"id":"b","query":"password","since":"2026-02-01"}\n',
    )
    const { code, stdout, stderr } = await box.cairn('recall', '--queries', 'queries.jsonl', '--json', ...STORE)
    const lines = stdout
      .trim()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as { readonly id: unknown; readonly results?: readonly unknown[]; readonly error?: unknown },
      )
    expect(lines.map(({ id, results }) => [id, results?.length])).toEqual([
      [1, 2],
      [null, undefined],
      ['b', 1],
    ])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Query in line 2: it is not valid JSON; the others are answered\.\n$/)
  })

  it('refuses an empty query', async () => {
    expect((await box.cairn('recall', ...STORE)).code).toBe(2)
    expect((await box.cairn('recall', '--queries', 'nowhere.jsonl', ...STORE)).code).toBe(2)
  })
})

describe('doctor, config, purge and help', () => {
  it('report a sound store as sound, before and after a rebuild', async () => {
    expect(await box.json('doctor', ...STORE)).toMatchObject({
      store: { sessions: 3, requests: 3 },
      faults: [],
      rebuilt: false,
    })
    const before = await box.json('usage', ...STORE)
    expect(await box.json('doctor', '--rebuild', ...STORE)).toMatchObject({ faults: [], rebuilt: true })
    expect(await box.json('usage', ...STORE)).toEqual(before)
    const { stdout } = await box.cairn('doctor', ...STORE)
    expect(stdout).toContain('odd.jsonl:2: not valid JSON')
    expect(stdout).toContain('Sound.')
  })

  it('sets and lists settings with their origin', async () => {
    expect(await box.json('config', 'set', 'timezone', 'Asia/Tokyo')).toMatchObject({
      key: 'timezone',
      file: join(box.folder, 'data', 'config.json'),
    })
    expect((await box.json('config', 'list')) as object).toMatchObject({
      settings: expect.arrayContaining([
        {
          key: 'timezone',
          value: 'Asia/Tokyo',
          origin: { from: 'user', file: join(box.folder, 'data', 'config.json') },
        },
      ]),
    })
    expect((await box.cairn('config', 'get', 'timezone')).stdout).toBe('Asia/Tokyo\n')
    expect((await box.cairn('config', 'set', 'timezone', 'Nowhere')).code).toBe(2)
    expect((await box.cairn('config', 'set', 'timezone', 'UTC', '--workspace')).code).toBe(0)
    expect((await box.cairn('config', 'get', 'timezone')).stdout).toBe('UTC\n')
  })

  it('purge the store only after a yes', async () => {
    const own = ['--store', 'file:purge.db']
    await box.cairn('import', '--from', 'logs', ...own)
    expect((await box.cairn('purge', ...own)).code).toBe(2)
    expect((await box.cairn('purge', '--yes', '--workspace', 'app', ...own)).code).toBe(2)
    expect(await box.json('session', 'list', ...own)).toMatchObject({ total: 3 })
    expect(await box.json('purge', '--yes', ...own)).toMatchObject({ removed: { sessions: 3, requests: 3 } })
    expect(await box.json('session', 'list', ...own)).toEqual({ sessions: [], total: 0 })
  })

  it('clean up after a deleted session, and say first what that would do', async () => {
    const own = ['--store', 'file:cleanup.db']
    await box.cairn('import', '--from', 'logs', ...own)
    const { sessions } = (await box.json('session', 'list', ...own)) as { sessions: { id: string }[] }
    for (const { id } of sessions.slice(1)) await box.cairn('session', 'delete', id, '--yes', ...own)
    expect(await box.json('cleanup', ...own, '--dry-run')).toMatchObject({ dryRun: true, problems: [] })
    const dry = await box.cairn('cleanup', '--dry-run', ...own)
    expect(dry).toMatchObject({ code: 0, stderr: '' })
    expect(dry.stdout).toMatch(/^workspace +\d+ .*paths of projects that nothing is left of\n/m)
    expect(dry.stdout).toMatch(/\nTotal: \d+ leftovers \(.+\) would be removed\.\n$/)
    expect((await box.cairn('cleanup', ...own)).stdout).toMatch(/\nTotal: (\d+) of \1 leftovers removed \(.+\)\.\n$/)
    expect((await box.cairn('cleanup', ...own)).stdout).toBe('Total: nothing was left over.\n')
    expect(await box.json('session', 'list', ...own)).toMatchObject({ total: 1 })
    expect((await box.cairn('cleanup', '--workspace', 'app', ...own)).code).toBe(2)
    expect((await box.cairn('cleanup', '--store', 'file:nowhere.db')).code).toBe(2)
  })

  it('suggest similar names for misspelt ones, and print version and first steps', async () => {
    const { code, stderr } = await box.cairn('sesion')
    expect(code).toBe(2)
    expect(stderr).toBe("There is no command 'sesion'. Did you mean 'session'? See: cairn --help\n")
    expect((await box.cairn('session')).code).toBe(2)
    expect((await box.cairn()).stdout).toContain('Start here:')
    expect((await box.cairn('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it.each([
    'import',
    'usage',
    'session list',
    'session show',
    'session delete',
    'session export',
    'session rewind',
    'session trim',
    'session summarise',
    'session switch',
    'session name',
    'session favourite',
    'recall',
    'dashboard',
    'doctor',
    'config',
    'cleanup',
    'purge',
  ])('%s --help teaches with examples', async (name) => {
    const { code, stdout } = await box.cairn(...name.split(' '), '--help')
    expect(code).toBe(0)
    expect(stdout).toContain('Examples:')
    for (const option of ['--json', '--store', '--workspace']) if (name !== 'config') expect(stdout).toContain(option)
  })
})
