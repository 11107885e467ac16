/** What a session's start tells the user of suggestions for the memory: real transcripts, hooks and decisions. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox, type Sandbox } from '../testing/run-cli.ts'
import { importsDone, runHook } from '../testing/run-hook.ts'

let box: Sandbox
let project: string

beforeEach(() => {
  box = createSandbox()
  project = join(box.folder, 'project')
  mkdirSync(project)
})
afterEach(async () => {
  await importsDone(box)
  box.remove()
})

const idOf = (day: number): string => `0ccf1a04-7d1b-4a9e-9d63-0a1f1c5b8d${10 + day}`

/** The transcript of a session that runs commands. */
const transcript = (day: number, commands: readonly string[]): string => {
  const lines = commands.flatMap((command, index) => {
    const common = { sessionId: idOf(day), cwd: project, gitBranch: 'main' }
    const at = (second: number): string => new Date(Date.UTC(2026, 0, 1 + day, 9, index, second)).toISOString()
    const id = `toolu_${day}_${index}`
    const content = [{ type: 'tool_use', id, name: 'Bash', input: { command } }]
    const message = {
      id: `msg-${id}`,
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
      content,
      usage: { input_tokens: 10 + day, output_tokens: 50 + index },
    }
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] }
    return [
      { ...common, type: 'assistant', uuid: `call-${id}`, timestamp: at(0), requestId: `r-${id}`, message },
      { ...common, type: 'user', uuid: `result-${id}`, timestamp: at(2), message: result },
    ]
  })
  return box.file(
    `home/.claude/projects/-project/${idOf(day)}.jsonl`,
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
}

/** Sessions of days that end, one after the other; the last one ends by its hook. */
const work = async (days: readonly number[], commands: readonly string[]): Promise<void> => {
  const paths = days.map((day) => transcript(day, commands))
  await box.json('import', '--agent', 'claude-code')
  const input = { session_id: idOf(days.at(-1) ?? 0), transcript_path: paths.at(-1), cwd: project }
  await runHook(box, ['session-end'], { input })
  await importsDone(box)
}

interface Answer {
  readonly systemMessage?: string
  readonly hookSpecificOutput?: { readonly additionalContext: string }
}
const start = async (
  args: readonly string[] = [],
  more: object = {},
  variables: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const input = { session_id: idOf(80), cwd: project, source: 'startup', ...more }
  const { code, stdout, stderr } = await runHook(box, ['session-start', ...args], { input, variables })
  expect([code, stderr]).toEqual([0, ''])
  return stdout === '' ? {} : (JSON.parse(stdout) as Answer)
}
const told = async (): Promise<string | undefined> => (await start()).systemMessage
const waiting = async (): Promise<readonly string[]> => {
  const { suggestions } = (await box.json('memory', 'suggest', '--workspace', project)) as {
    suggestions: readonly { id: string }[]
  }
  return suggestions.map(({ id }) => id)
}
const sentence = (count: string, more = ''): string =>
  `Cairn: ${count} for this project's memory${more}: cairn memory suggest`

describe('the hook of a start', () => {
  it('says how many suggestions there are, where new ones came, and none of them twice', async () => {
    await work([1, 2, 3], ['npm test'])
    expect(await told()).toBeUndefined()
    await work([4, 5], ['npm test', 'npx eslint .'])
    expect((await waiting()).length).toBe(1)
    expect(await told()).toBe(sentence('1 suggestion'))
    expect(await told()).toBeUndefined()
    await work([6, 7], ['npx eslint .'])
    expect((await waiting()).length).toBe(2)
    expect(await told()).toBe(sentence('2 suggestions', ', 1 new'))
    expect(await told()).toBeUndefined()
    // The model is given nothing of it.
    await work([8, 9], ['npm test', 'npx tsc'])
    expect(JSON.stringify((await start()).hookSpecificOutput ?? '')).not.toContain('memory suggest')
  })

  it('leaves out what was decided about since, and keeps it for an agent that can show it', async () => {
    await work([1, 2, 3, 4], ['npm test', 'npx eslint .', 'npx tsc --noEmit'])
    const [first = '', second = ''] = await waiting()
    await box.json('memory', 'suggest', '--workspace', project, '--accept', first)
    await box.json('memory', 'suggest', '--workspace', project, '--dismiss', second)
    expect((await start(['--agent', 'opencode'])).systemMessage).toBeUndefined()
    // Claude Code says this where it runs a single prompt for a program.
    const unattended = { CLAUDE_CODE_SESSION_ATTENDED: '0' }
    expect((await start([], {}, unattended)).systemMessage).toBeUndefined()
    expect((await start([], { source: 'compact' })).systemMessage).toBeUndefined()
    expect((await start([], { cwd: box.folder })).systemMessage).toBeUndefined()
    expect((await start(['--agent', 'codex'])).systemMessage).toBe(sentence('1 suggestion'))
    expect(await told()).toBeUndefined()
  })

  it('tells it once where several sessions start together', async () => {
    await work([1, 2, 3, 4], ['npm test', 'npx eslint .'])
    const answers = await Promise.all(Array.from({ length: 6 }, told))
    const all = answers.flatMap((answer) => answer ?? [])
    const fresh = all.map((text) => Number(/, (\d+) new/.exec(text)?.[1] ?? /(\d+) sugg/.exec(text)?.[1]))
    expect(fresh.reduce((sum, count) => sum + count, 0)).toBe(2)
  })

  it('is switched off by hooks.suggestions, alone and for the import that looks for them', async () => {
    await work([1, 2, 3, 4], ['npm test'])
    expect((await box.cairn('config', 'set', 'hooks.suggestions', 'false')).code).toBe(0)
    expect(await told()).toBeUndefined()
    expect((await box.cairn('config', 'set', 'hooks.suggestions', 'true')).code).toBe(0)
    expect((await box.cairn('config', 'set', 'hooks.context', 'false')).code).toBe(0)
    expect(await start()).toEqual({ systemMessage: sentence('1 suggestion') })
  })

  it('looks for none where it is switched off, and passes over a damaged file', async () => {
    const folder = join(box.folder, 'data', 'suggestions')
    expect((await box.cairn('config', 'set', 'hooks.suggestions', 'false')).code).toBe(0)
    await work([1, 2, 3, 4], ['npm test'])
    expect(existsSync(folder)).toBe(false)
    expect((await box.cairn('config', 'set', 'hooks.suggestions', 'true')).code).toBe(0)
    await work([5], ['npm test'])
    const [name = ''] = readdirSync(folder)
    writeFileSync(join(folder, name), '[{"id":"../../../x"},')
    expect(await told()).toBeUndefined()
    await work([6], ['npm test'])
    expect(await told()).toBe(sentence('1 suggestion'))
  })
})
