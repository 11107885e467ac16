/** A session that is marked incognito is never taken in: by no hook and no import, now or later, of either agent. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { importsDone, runHook } from '../testing/run-hook.ts'
import { claudeLine } from '../testing/transcripts.ts'

const SESSION = '0ccf1a04-7d1b-4a9e-9d63-0a1f1c5b8d11'
const OTHER = '7b7a2f54-3a52-4a52-a7a0-0e6dd0a2d9f3'
const FORK = '3c1de8a0-5b0e-4f6f-8a3a-2f0d6b7a9c44'
const SECRET = 'PEREGRINE'

let sandbox: Sandbox

beforeEach(() => {
  sandbox = createSandbox()
  mkdirSync(join(sandbox.folder, '.git'))
})
afterEach(async () => {
  await importsDone(sandbox)
  sandbox.remove()
})

interface Report {
  readonly sessions: number
  readonly skipped: readonly { readonly file: string; readonly reason: string; readonly count: number }[]
}

const claudeFile = (session: string, path: string, more: object = {}, text = SECRET): string =>
  sandbox.file(
    path,
    [0, 1]
      .map((index) =>
        JSON.stringify({
          ...(JSON.parse(
            claudeLine({
              session,
              id: `${session}-${path}-${index}`,
              at: `2026-01-31T08:0${index}:00.000Z`,
              text: `${text} ${index}`,
              role: index === 0 ? 'user' : 'assistant',
              cwd: sandbox.folder,
            }),
          ) as object),
          ...more,
        }),
      )
      .join('\n') + '\n',
  )

const codexFile = (session: string, meta: object = {}): string => {
  const line = (type: string, payload: object): string =>
    JSON.stringify({ timestamp: '2026-01-31T08:00:00.000Z', type, payload })
  return sandbox.file(
    `home/.codex/sessions/2026/01/31/rollout-2026-01-31T08-00-00-${session}.jsonl`,
    [
      line('session_meta', { id: session, cwd: sandbox.folder, cli_version: '0.169.0', ...meta }),
      line('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text: SECRET }] }),
    ].join('\n') + '\n',
  )
}

const projects = 'home/.claude/projects/-project'

/** The agents' transcripts, each with the input of its hooks. */
const agents = {
  'claude-code': () => {
    const transcript_path = claudeFile(SESSION, `${projects}/${SESSION}.jsonl`)
    claudeFile(SESSION, `${projects}/${SESSION}/subagents/agent-a1.jsonl`, { isSidechain: true, agentId: 'a1' })
    return { session_id: SESSION, transcript_path, cwd: sandbox.folder, hook_event_name: 'Stop' }
  },
  codex: () => ({
    session_id: SESSION,
    transcript_path: codexFile(SESSION),
    cwd: sandbox.folder,
    hook_event_name: 'Stop',
  }),
} as const

/** Whether any file of the data folder holds the session's words. */
const isKept = async (): Promise<boolean> => {
  const { stdout } = await sandbox.cairn('recall', SECRET, '--json')
  if ((JSON.parse(stdout) as { results: readonly unknown[] }).results.length > 0) return true
  const folder = join(sandbox.folder, 'data')
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .some(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(SECRET))
}

describe.each(Object.keys(agents) as (keyof typeof agents)[])('%s', (agent) => {
  it.each([
    ['the environment', { CAIRN_INCOGNITO: '1' }, {}],
    ['standard input', {}, { incognito: true }],
  ])('reported by %s to one hook, left out by all later ones', async (_, variables, more) => {
    const input = agents[agent]()
    const start = await runHook(sandbox, ['session-start', '--agent', agent], {
      input: { ...input, ...more },
      variables,
    })
    expect(start).toEqual({ code: 0, stdout: '', stderr: '' })
    await runHook(sandbox, ['stop', '--agent', agent], { input })
    await importsDone(sandbox)
    const report = (await sandbox.json('import')) as Report
    expect(report.sessions).toBe(0)
    expect(new Set(report.skipped.map(({ reason }) => reason))).toEqual(new Set(['incognito']))
    // By its name, by its folder, by another name, with its agent given: it stays out.
    for (const args of [
      ['--from', join(sandbox.folder, 'home')],
      ['--agent', agent],
    ])
      expect(((await sandbox.json('import', ...args)) as Report).sessions).toBe(0)
    const copy = sandbox.file('elsewhere/renamed.jsonl', readFileSync(input.transcript_path))
    const again = (await sandbox.json('import', '--from', copy)) as Report
    expect(again).toMatchObject({ sessions: 0, skipped: [{ file: copy, reason: 'incognito' }] })
    expect(await isKept()).toBe(false)
  })

  it('marked by a setting, and by hand', async () => {
    const input = agents[agent]()
    sandbox.file('.cairn/config.json', '{"hooks":{"incognito":true}}')
    await runHook(sandbox, ['user-prompt-submit', '--agent', agent], { input: { ...input, prompt: 'x' } })
    sandbox.file('.cairn/config.json', '{}')
    expect(((await sandbox.json('import')) as Report).sessions).toBe(0)

    const second = agent === 'codex' ? codexFile(OTHER) : claudeFile(OTHER, `${projects}/${OTHER}.jsonl`)
    const marked = await sandbox.cairn('hook', 'incognito', '--session', OTHER, '--agent', agent)
    expect(marked).toMatchObject({ code: 0, stdout: `Nothing of ${agent}:${OTHER} is taken in from now on.\n` })
    expect(((await sandbox.json('import', '--from', second)) as Report).sessions).toBe(0)
    expect(await isKept()).toBe(false)
  })

  it('partly imported before: names the command that removes it, and nothing is added', async () => {
    const input = agents[agent]()
    expect(((await sandbox.json('import')) as Report).sessions).toBe(1)
    const { stdout } = await sandbox.cairn('hook', 'incognito', '--session', SESSION, '--agent', agent)
    expect(stdout).toContain(`cairn session delete ${agent}:${SESSION}`)
    writeFileSync(input.transcript_path, `${readFileSync(input.transcript_path, 'utf8')}{"later":1}\n`)
    const report = (await sandbox.json('import')) as Report
    expect(report.skipped[0]?.reason).toMatch(/^incognito; .*cairn session delete/)
    await sandbox.cairn('session', 'delete', `${agent}:${SESSION}`, '--yes')
    expect(((await sandbox.json('import')) as Report).skipped[0]?.reason).toBe('incognito')
    expect(await isKept()).toBe(false)
  })
})

describe('copies', () => {
  it('that name the session they were forked from are left out, too; other sessions are not', async () => {
    await sandbox.cairn('hook', 'incognito', '--session', SESSION, '--agent', 'claude-code')
    await sandbox.cairn('hook', 'incognito', '--session', SESSION, '--agent', 'codex')
    claudeFile(FORK, `${projects}/${FORK}.jsonl`, { forkedFrom: { sessionId: SESSION, messageUuid: 'm' } })
    codexFile(FORK, { forked_from_id: SESSION })
    claudeFile(OTHER, `${projects}/${OTHER}.jsonl`, {}, 'ordinary')
    const report = (await sandbox.json('import')) as Report
    expect(report.sessions).toBe(1)
    expect(report.skipped.map(({ reason }) => reason)).toEqual(['incognito', 'incognito'])
    expect(await isKept()).toBe(false)
  })

  it('are not left out because of a truncated line in the record', async () => {
    sandbox.file('data/incognito.jsonl', '{"agent":"claude-code","sess')
    await sandbox.cairn('hook', 'incognito', '--session', SESSION, '--agent', 'claude-code')
    claudeFile(SESSION, `${projects}/${SESSION}.jsonl`)
    expect(((await sandbox.json('import')) as Report).sessions).toBe(0)
  })

  it('can be marked by the start of a known id, or in upper case; otherwise nothing is reported as marked', async () => {
    const mark = (session: string, agent = 'claude-code') =>
      sandbox.cairn('hook', 'incognito', '--session', session, '--agent', agent)
    for (const agent of ['claude-code', 'codex']) {
      const unknown = await mark(SESSION.slice(0, 8), agent)
      expect(unknown).toMatchObject({ code: 1, stdout: '' })
      expect(unknown.stderr).toContain('nothing was marked')
    }
    claudeFile(OTHER, `${projects}/${OTHER}.jsonl`, {}, 'ordinary')
    expect(((await sandbox.json('import')) as Report).sessions).toBe(1)
    expect((await mark(OTHER.slice(0, 8))).stdout).toContain(`Nothing of claude-code:${OTHER} is taken in`)
    expect((await mark(SESSION.toUpperCase())).stdout).toBe(
      `Nothing of claude-code:${SESSION} is taken in from now on.\n`,
    )
    claudeFile(SESSION, `${projects}/${SESSION}.jsonl`)
    expect(((await sandbox.json('import')) as Report).sessions).toBe(0)
    expect(await isKept()).toBe(false)
  })

  it('can be marked by hand for every supported agent, but not without an id', async () => {
    for (const agent of ['pi', 'roo', 'cline'])
      expect(
        (await sandbox.cairn('hook', 'incognito', '--session', `${agent}:${SESSION}`, '--agent', agent)).stdout,
      ).toBe(`Nothing of ${agent}:${SESSION} is taken in from now on.\n`)
    const nameless = await sandbox.cairn('hook', 'incognito', '--agent', 'codex')
    expect(nameless).toMatchObject({ code: 1, stdout: '' })
    expect(nameless.stderr).toContain('cairn hook incognito --session <id>')
    const unknown = await sandbox.cairn('hook', 'incognito', '--session', SESSION, '--agent', 'nobody')
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
    expect(unknown.stderr).toContain("There is no agent 'nobody'")
  })
})
