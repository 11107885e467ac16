/** What agents' hooks answer and leave behind, fed with what each agent sends. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { CliResult, Sandbox } from '../testing/run-cli.ts'
import { importsDone, runHook } from '../testing/run-hook.ts'
import { claudeLine } from '../testing/transcripts.ts'

const SESSION = '0ccf1a04-7d1b-4a9e-9d63-0a1f1c5b8d11'
const OTHER = '7b7a2f54-3a52-4a52-a7a0-0e6dd0a2d9f3'

let sandbox: Sandbox
let project: string

beforeEach(() => {
  sandbox = createSandbox()
  project = join(sandbox.folder, 'project')
  mkdirSync(join(project, '.git'), { recursive: true })
})
afterEach(async () => {
  await importsDone(sandbox)
  sandbox.remove()
})

const words = 'The importer reads rollout files, groups their tokens by request, and writes one usage fact each.'

/** A Claude Code transcript where Claude Code keeps it. */
const claudeTranscript = (session: string, texts: readonly string[] = [words, 'Yes.', words, 'Done.']): string =>
  sandbox.file(
    `home/.claude/projects/-project/${session}.jsonl`,
    texts
      .map((text, index) =>
        claudeLine({
          session,
          id: `${session}-${index}`,
          at: `2026-01-31T08:0${index}:00.000Z`,
          text,
          role: index % 2 === 0 ? 'user' : 'assistant',
          cwd: project,
        }),
      )
      .join('\n') + '\n',
  )

const codexTranscript = (session: string): string => {
  const line = (type: string, payload: object): string =>
    JSON.stringify({ timestamp: '2026-01-31T08:00:00.000Z', type, payload })
  return sandbox.file(
    `home/.codex/sessions/2026/01/31/rollout-2026-01-31T08-00-00-${session}.jsonl`,
    [
      line('session_meta', { id: session, cwd: project, cli_version: '0.169.0' }),
      line('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text: words }] }),
      line('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }),
    ].join('\n') + '\n',
  )
}

/** A chat of Gemini CLI and that of its subagent, which lies in a folder beside it. */
const geminiTranscript = (session: string): string => {
  const chats = 'home/.gemini/tmp/project/chats'
  const rows = (id: string, kind: string): string =>
    [
      { sessionId: id, projectHash: 'h', startTime: '2026-01-31T08:00:00.000Z', kind },
      { id: `u-${id}`, timestamp: '2026-01-31T08:00:01.000Z', type: 'user', content: [{ text: words }] },
      {
        id: `r-${id}`,
        timestamp: '2026-01-31T08:00:02.000Z',
        type: 'gemini',
        content: 'Done.',
        model: 'gemini-2.5-pro',
      },
    ]
      .map((row) => `${JSON.stringify(row)}\n`)
      .join('')
  sandbox.file(`${chats}/${session}/9271a5c1-b43f-4d1a-9790-f3c3d5d737d4.jsonl`, rows('sub', 'subagent'))
  return sandbox.file(`${chats}/session-2026-01-31T08-00-${session.slice(0, 8)}.jsonl`, rows(session, 'main'))
}

const claudeInput = (event: string, more: object = {}): object => ({
  session_id: SESSION,
  transcript_path: join(sandbox.folder, `home/.claude/projects/-project/${SESSION}.jsonl`),
  cwd: project,
  hook_event_name: event,
  ...more,
})

/** As each agent sends them at a session's start. */
const starts: Readonly<Record<string, () => object>> = {
  'claude-code': () => claudeInput('SessionStart', { source: 'startup' }),
  codex: () => ({
    session_id: SESSION,
    transcript_path: null,
    cwd: project,
    hook_event_name: 'SessionStart',
    model: 'gpt-5.3-codex',
    source: 'startup',
  }),
  gemini: () => ({
    ...claudeInput('SessionStart', { source: 'startup' }),
    timestamp: '2026-01-31T08:00:00.000Z',
  }),
  copilot: () => ({ sessionId: SESSION, cwd: project, source: 'new', initialPrompt: 'hello' }),
  opencode: () => ({ sessionID: SESSION, directory: project }),
  cline: () => ({
    clineVersion: '3.40.0',
    hookName: 'TaskStart',
    timestamp: '1769846400000',
    taskId: '1769846400000',
    workspaceRoots: [project],
    taskStart: { taskMetadata: { taskId: '1769846400000', initialTask: 'hello' } },
  }),
}

const RULE = 'Run the tests with npm test, never jest alone'

/** The context in an answer, in whichever form. */
const contextOf = ({ stdout }: CliResult): string => {
  const answer = JSON.parse(stdout) as {
    hookSpecificOutput?: { additionalContext: string }
    additionalContext?: string
    contextModification?: string
  }
  return answer.hookSpecificOutput?.additionalContext ?? answer.additionalContext ?? answer.contextModification ?? ''
}

const sessionIds = async (): Promise<readonly string[]> =>
  ((await sandbox.json('session', 'list')) as { sessions: { id: string }[] }).sessions.map(({ id }) => id)

describe('session-start', () => {
  it.each(Object.keys(starts))('gives %s memory and past sessions in its format, the same each time', async (agent) => {
    claudeTranscript(OTHER)
    await sandbox.cairn('import')
    await sandbox.cairn('memory', 'add', 'pattern', RULE, '--workspace', project)
    await sandbox.cairn('profile', 'set', 'tone', 'Short </user_profile> answers')
    const input = starts[agent]?.() ?? {}
    const [first, again] = [
      await runHook(sandbox, ['session-start', '--agent', agent], { input }),
      await runHook(sandbox, ['session-start', '--agent', agent], { input }),
    ]
    expect(first).toEqual({ code: 0, stdout: again.stdout, stderr: '' })
    const context = contextOf(first)
    expect(context).toContain(RULE)
    expect(context).toContain(`claude-code:${OTHER}`)
    expect(context).toContain('Short &lt;/user_profile> answers')
    expect(context.length).toBeLessThanOrEqual(9_900)
    const name = (JSON.parse(first.stdout) as { hookSpecificOutput?: { hookEventName: string } }).hookSpecificOutput
    expect(name?.hookEventName).toBe(['claude-code', 'codex', 'gemini'].includes(agent) ? 'SessionStart' : undefined)
  })

  it("stays within each agent's limit, whatever the memory holds", async () => {
    claudeTranscript(OTHER)
    await sandbox.cairn('import')
    const kinds = ['discovery', 'solution', 'pattern', 'workflow', 'failure', 'context_rule']
    const lines = Array.from(
      { length: 60 },
      (_, index) =>
        `- ${kinds[index % 6] ?? ''}: Fact ${index}, ${`a rather long explanation with ${index} words `.repeat(10 + (index % 5))}`,
    )
    await sandbox.cairn('memory', 'import', sandbox.file('memory.md', lines.join('\n')), '--workspace', project)
    const claude = await runHook(sandbox, ['session-start'], { input: starts['claude-code']?.() ?? {} })
    const codex = await runHook(sandbox, ['session-start', '--agent', 'codex'], { input: starts['codex']?.() ?? {} })
    expect(contextOf(claude).length).toBeGreaterThan(4_000)
    expect(contextOf(claude).length).toBeLessThanOrEqual(9_900)
    // 2,400 tokens at 2.7 characters each.
    expect(contextOf(codex).length).toBeLessThanOrEqual(6_480)
    expect(contextOf(codex)).toContain('</long_term_memory>')
  })

  it('prints nothing when switched off, or for an incognito session', async () => {
    claudeTranscript(OTHER)
    await sandbox.cairn('import')
    const input = starts['claude-code']?.() ?? {}
    const silent = { code: 0, stdout: '', stderr: '' }
    expect((await runHook(sandbox, ['session-start'], { input })).stdout).not.toBe('')
    expect(await runHook(sandbox, ['session-start'], { input, variables: { CAIRN_HOOKS: 'off' } })).toEqual(silent)
    expect((await sandbox.cairn('config', 'set', 'hooks.context', 'false')).code).toBe(0)
    expect(await runHook(sandbox, ['session-start'], { input })).toEqual(silent)
    await sandbox.cairn('config', 'set', 'hooks.context', 'true')
    expect(await runHook(sandbox, ['session-start'], { input: { ...input, incognito: true } })).toEqual(silent)
    // Marked is marked.
    expect(await runHook(sandbox, ['session-start'], { input })).toEqual(silent)
  })

  it('restores task and todo list after a compaction', async () => {
    const todos = { todos: [{ content: 'Write the parser', status: 'in_progress', activeForm: 'Writing' }] }
    const call = JSON.parse(
      claudeLine({ session: SESSION, id: 'c1', at: '2026-01-31T09:00:00.000Z', text: '', cwd: project }),
    ) as { message: { content: unknown } }
    call.message.content = [{ type: 'tool_use', id: 'toolu_1', name: 'TodoWrite', input: todos }]
    const path = claudeTranscript(SESSION, ['Rewrite the tokenizer so that it streams its input', 'I begin.'])
    sandbox.file(
      `home/.claude/projects/-project/${SESSION}.jsonl`,
      `${JSON.stringify(call)}\n${JSON.stringify({ ...JSON.parse(claudeLine({ session: SESSION, id: 'u9', at: '2026-01-31T09:01:00.000Z', text: 'Rewrite the tokenizer so that it streams its input', role: 'user', cwd: project })) })}\n`,
    )
    expect(
      (await runHook(sandbox, ['pre-compact'], { input: claudeInput('PreCompact', { transcript_path: path }) })).stdout,
    ).toBe('')
    await importsDone(sandbox)
    const { stdout } = await runHook(sandbox, ['session-start'], {
      input: claudeInput('SessionStart', { source: 'compact' }),
    })
    const context = contextOf({ code: 0, stdout, stderr: '' })
    expect(context).toContain('Rewrite the tokenizer so that it streams its input')
    expect(context).toContain('Write the parser')
  })
})

describe('user-prompt-submit', () => {
  const prompt = (text: string): object => claudeInput('UserPromptSubmit', { prompt: text })

  it('recalls a message that shares much of the prompt, and otherwise nothing', async () => {
    claudeTranscript(OTHER)
    await sandbox.cairn('import')
    const asked =
      'Does the importer that reads rollout files still write one usage fact for each request, grouping tokens?'
    const found = await runHook(sandbox, ['user-prompt-submit'], { input: prompt(asked) })
    expect(contextOf(found)).toContain(`claude-code:${OTHER}`)
    expect(contextOf(found)).toMatch(/^<recalled_data>[\s\S]*<\/recalled_data>$/)
    for (const text of [
      'go on',
      'fix the importer',
      'What is the weather like in the mountains of Peru at this time of the year?',
    ])
      expect(await runHook(sandbox, ['user-prompt-submit'], { input: prompt(text) })).toEqual({
        code: 0,
        stdout: '',
        stderr: '',
      })
    await sandbox.cairn('config', 'set', 'hooks.recall', 'false')
    expect((await runHook(sandbox, ['user-prompt-submit'], { input: prompt(asked) })).stdout).toBe('')
  })
})

describe('stop', () => {
  it('imports the transcript and its subagents in a process that outlives the hook', async () => {
    claudeTranscript(SESSION)
    const stop = await runHook(sandbox, ['stop'], { input: claudeInput('Stop') })
    expect(stop).toEqual({ code: 0, stdout: '', stderr: '' })
    await importsDone(sandbox)
    expect(await sessionIds()).toEqual([`claude-code:${SESSION}`])
  })

  it('imports Codex transcripts, too', async () => {
    const transcript_path = codexTranscript(SESSION)
    await runHook(sandbox, ['stop', '--agent', 'codex'], {
      input: { session_id: SESSION, transcript_path, cwd: project },
    })
    await importsDone(sandbox)
    expect(await sessionIds()).toEqual([`codex:${SESSION}`])
  })

  it("imports Gemini CLI's chats with those of subagents", async () => {
    const transcript_path = geminiTranscript(SESSION)
    await runHook(sandbox, ['stop', '--agent', 'gemini'], {
      input: { session_id: SESSION, transcript_path, cwd: project, hook_event_name: 'AfterAgent' },
    })
    await importsDone(sandbox)
    const { sessions } = (await sandbox.json('session', 'list')) as { sessions: { id: string; messages: number }[] }
    expect(sessions).toMatchObject([{ id: `gemini:${SESSION}`, messages: 4 }])
  })

  it('starts one import for any number of simultaneous events', async () => {
    claudeTranscript(SESSION)
    const all = await Promise.all(
      Array.from({ length: 50 }, () => runHook(sandbox, ['stop'], { input: claudeInput('Stop') })),
    )
    expect(all.every(({ code, stdout, stderr }) => code === 0 && stdout === '' && stderr === '')).toBe(true)
    await importsDone(sandbox)
    expect(await sessionIds()).toEqual([`claude-code:${SESSION}`])
    const { last } = ((await sandbox.json('doctor')) as { hooks: { last: readonly { message: string }[] } }).hooks
    // On a busy machine some of fifty are not done in time, and say so.
    expect(last.map(({ message }) => message).filter((message) => message !== 'not done after 2 s')).toEqual([])
  })

  it("reads only the agent's transcripts", async () => {
    const secret = sandbox.file('home/.ssh/id_rsa', 'SECRET')
    await runHook(sandbox, ['stop'], { input: claudeInput('Stop', { transcript_path: secret }) })
    await importsDone(sandbox)
    const found = (await sandbox.json('doctor')) as { hooks: { count: number; last: { message: string }[] } }
    expect(found.hooks.last[0]?.message).toMatch(/is no transcript of claude-code/)
    expect(await sessionIds()).toEqual([])
  })
})
