/** Files that belong entirely to Cairn: a plugin for OpenCode, an extension for pi, a hook for Cline. */
import { hookCommand, isBatchFile } from '../program.ts'
import type { CairnProgram } from '../program.ts'
import type { Machine } from '../machine.ts'
import { FILE_MARK } from '../target.ts'

const head = (comment: string, agent: string): string =>
  `${comment} ${FILE_MARK}; "cairn setup ${agent} --remove" takes it away. Changes to it are lost.\n`

/** The call that starts the hook, to its options; a batch file needs the shell, which takes program and script quoted. */
const spawnCall = (node: string, agent: string): string =>
  isBatchFile(node)
    ? `spawn(\`"\${NODE}" "\${HOOK}"\`, [event, '--agent', '${agent}'], { shell: true,`
    : `spawn(NODE, [HOOK, event, '--agent', '${agent}'], {`

/**
 * The source of `runHook(event, input)`, which runs Cairn's hook, without a shell where there can be none, and resolves
 * with the text for the agent. It never rejects: '' if there is no answer within ten seconds, so that the agent always
 * continues.
 */
const runHookSource = (
  { node, hook }: CairnProgram,
  agent: string,
): string => `import { spawn } from 'node:child_process'

const NODE = ${JSON.stringify(node)}
const HOOK = ${JSON.stringify(hook)}
const LONGEST_MS = 10_000

const runHook = (event, input) =>
  new Promise((resolve) => {
    let output = ''
    const child = ${spawnCall(node, agent)} stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true })
    const timer = setTimeout(() => child.kill(), LONGEST_MS)
    child.on('error', () => resolve(''))
    child.on('close', () => {
      clearTimeout(timer)
      resolve(contextOf(output))
    })
    child.stdin.on('error', () => undefined)
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stdin.end(JSON.stringify(input))
  })

const contextOf = (output) => {
  try {
    const answer = JSON.parse(output)
    const text = answer.hookSpecificOutput?.additionalContext ?? answer.additionalContext
    return typeof text === 'string' ? text : ''
  } catch {
    return ''
  }
}
`

/** The text (JavaScript) of the plugin that OpenCode loads from its plugins folder; it runs Cairn's hooks. */
export const openCodePlugin = (
  program: CairnProgram,
): string => `${head('//', 'opencode')}${runHookSource(program, 'opencode')}
// What is remembered stands in the system prompt, the same all session, so that the provider's cache keeps it; what is
// recalled for a prompt stands below that prompt. It is kept with the message as a part that OpenCode passes over, and shown
// to the session's own requests alone: the one for a title is not about it.
const isRecalled = (part) => part.type === 'text' && part.ignored === true && part.id.endsWith('cairn')
const shown = (part) => (isRecalled(part) ? { ...part, ignored: false } : part)

export const Cairn = async ({ directory }) => {
  const startOf = new Map()
  const input = (sessionID, name, more) => ({ session_id: sessionID, cwd: directory, hook_event_name: name, ...more })
  const start = (sessionID, source) =>
    startOf.set(sessionID, runHook('session-start', input(sessionID, 'SessionStart', { source })))
  return {
    'chat.message': async ({ sessionID }, { message, parts }) => {
      if (!startOf.has(sessionID)) start(sessionID, 'startup')
      const prompt = parts.map((part) => (part.type === 'text' && !part.synthetic ? part.text : '')).join('\\n').trim()
      const text = await runHook('user-prompt-submit', input(sessionID, 'UserPromptSubmit', { prompt }))
      // OpenCode orders parts by their ids: this one follows the prompt.
      const id = (parts.at(-1)?.id ?? 'prt_' + message.id.replace(/^msg_/, '')) + 'cairn'
      if (text !== '') parts.push({ id, sessionID, messageID: message.id, type: 'text', text, synthetic: true, ignored: true })
    },
    'experimental.chat.messages.transform': async (_input, { messages }) => {
      // The messages themselves are shared with the request for a title.
      for (const [index, message] of messages.entries())
        if (message.parts.some(isRecalled)) messages[index] = { ...message, parts: message.parts.map(shown) }
    },
    'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
      const isTitle = system.some((text) => text.startsWith('You are a title generator'))
      const text = isTitle ? '' : ((await startOf.get(sessionID)) ?? '')
      if (text !== '') system.push(text)
    },
    event: async ({ event }) => {
      const sessionID = event.properties?.sessionID
      if (event.type === 'session.idle') void runHook('stop', input(sessionID, 'Stop', {}))
      if (event.type === 'session.compacted') start(sessionID, 'compact')
    },
  }
}
`

/** The text (TypeScript) of the extension that pi loads from its extensions folder; it runs Cairn's hooks. */
export const piExtension = (program: CairnProgram): string => `${head('//', 'pi')}// @ts-nocheck
${runHookSource(program, 'pi')}
export default function (pi) {
  let started = Promise.resolve('')
  const input = (ctx, name, more) => ({
    session_id: ctx.sessionManager.getSessionId(),
    transcript_path: ctx.sessionManager.getSessionFile(),
    cwd: ctx.cwd,
    hook_event_name: name,
    ...more,
  })
  pi.on('session_start', async (event, ctx) => {
    started = runHook('session-start', input(ctx, 'SessionStart', { source: event.reason ?? 'startup' }))
  })
  pi.on('before_agent_start', async (event, ctx) => {
    const recalled = runHook('user-prompt-submit', input(ctx, 'UserPromptSubmit', { prompt: event.prompt }))
    const [memory, content] = await Promise.all([started, recalled])
    return {
      ...(memory === '' ? {} : { systemPrompt: event.systemPrompt + '\\n\\n' + memory }),
      ...(content === '' ? {} : { message: { customType: 'cairn', content, display: false } }),
    }
  })
  pi.on('agent_end', async (_event, ctx) => void runHook('stop', input(ctx, 'Stop', {})))
  pi.on('session_shutdown', async (_event, ctx) => {
    await runHook('session-end', input(ctx, 'SessionEnd', {}))
  })
}
`

/** The text of the shell script that Cline runs when a task starts. */
export const clineHook = (program: CairnProgram, machine: Machine): string =>
  `#!/bin/sh\n${head('#', 'cline')}exec ${hookCommand(program, machine, 'session-start', 'cline')}\n`
