/** A small session of each agent's that says where it worked; each message holds the word given. */
import { answered, asked, session as openCodeSession, storageFiles, textPart } from './opencode.fixture.ts'

interface Written {
  /** Below the user's home folder. */
  readonly path: string
  readonly text: string
}

export interface TranscriptWriter {
  /** The session's id in the store. */
  readonly id: string
  /** The files of a session with one message, or with two, of which the second names no folder where the agent's don't. */
  readonly write: (folder: string, word: string, messages: 1 | 2) => readonly Written[]
}

const ID = '0ccf1a04-7d1b-4a9e-9d63-0a1f1c5b8d11'
const AT = '2026-01-31T08:00:00.000Z'
const SECONDS = 1_769_846_400
const lines = (...values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')
/** As many of the values as there are messages. */
const first = <T>(messages: 1 | 2, ...values: readonly T[]): readonly T[] => values.slice(0, messages)

/** A line of Claude Code's. */
export const claudeUser = (uuid: string, content: string, more: object = {}): object => ({
  type: 'user',
  uuid,
  sessionId: ID,
  timestamp: AT,
  message: { role: 'user', content },
  ...more,
})

const claudeCode: TranscriptWriter = {
  id: `claude-code:${ID}`,
  write: (cwd, word, messages) => [
    {
      path: `.claude/projects/-app/${ID}.jsonl`,
      text: lines(
        { type: 'queue-operation', operation: 'enqueue', sessionId: ID },
        ...first(messages, claudeUser('u1', word, { cwd }), claudeUser('u2', word)),
      ),
    },
    {
      path: `.claude/projects/-app/${ID}/subagents/agent-a1.jsonl`,
      text: lines(claudeUser('s1', word, { cwd, isSidechain: true, agentId: 'a1' })),
    },
  ],
}

const codex: TranscriptWriter = {
  id: `codex:${ID}`,
  write: (cwd, word, messages) => {
    const message = (text: string): object => ({
      timestamp: AT,
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
    })
    return [
      {
        path: `.codex/sessions/2026/01/31/rollout-2026-01-31T08-00-00-${ID}.jsonl`,
        text: lines(
          { timestamp: AT, type: 'session_meta', payload: { id: ID, cwd, cli_version: '0.169.0' } },
          ...first(messages, message(word), message(`${word} again`)),
        ),
      },
    ]
  },
}

const pi: TranscriptWriter = {
  id: `pi:${ID}`,
  write: (cwd, word, messages) => {
    const message = (id: string): object => ({
      type: 'message',
      id,
      parentId: null,
      timestamp: AT,
      message: { role: 'user', timestamp: SECONDS * 1000, content: [{ type: 'text', text: word }] },
    })
    return [
      {
        path: `.pi/agent/sessions/--app--/2026_${ID}.jsonl`,
        text: lines(
          { type: 'session', version: 3, id: ID, timestamp: AT, cwd },
          ...first(messages, message('m1'), message('m2')),
        ),
      },
    ]
  },
}

const generic: TranscriptWriter = {
  id: 'generic:chat-2026',
  write: (workspace, word, messages) => {
    const message = (more: object): object => ({ session: 'chat-2026', role: 'user', text: word, ...more })
    return [{ path: 'chats/chat.jsonl', text: lines(...first(messages, message({ workspace }), message({}))) }]
  },
}

const gemini: TranscriptWriter = {
  id: `gemini:${ID}`,
  write: (folder, word, messages) => {
    const user = (id: string): object => ({ id, timestamp: AT, type: 'user', content: [{ text: word }] })
    const header = { sessionId: ID, projectHash: 'f'.repeat(64), startTime: AT, lastUpdated: AT, kind: 'main' }
    return [
      { path: '.gemini/projects.json', text: JSON.stringify({ projects: { [folder]: 'app' } }) },
      {
        path: `.gemini/tmp/app/chats/session-2026-01-31T08-00-${ID.slice(0, 8)}.jsonl`,
        text: lines(header, ...first(messages, user('u1'), user('u2'))),
      },
    ]
  },
}

const copilot: TranscriptWriter = {
  id: `copilot:${ID}`,
  write: (cwd, word, messages) => {
    const event = (id: string, type: string, data: object): object => ({
      type,
      data,
      id,
      timestamp: AT,
      parentId: null,
    })
    const user = (id: string): object => event(id, 'user.message', { content: word, attachments: [] })
    const start = { sessionId: ID, version: 1, producer: 'copilot-agent', copilotVersion: '1.0.102', startTime: AT }
    return [
      {
        path: `.copilot/session-state/${ID}/events.jsonl`,
        text: lines(
          event('e0', 'session.start', { ...start, context: { cwd } }),
          ...first(messages, user('e1'), user('e2')),
        ),
      },
    ]
  },
}

const continueDev: TranscriptWriter = {
  id: `continue:${ID}`,
  write: (workspaceDirectory, word, messages) => {
    const user = (content: string): object => ({ message: { role: 'user', content }, contextItems: [] })
    const history = first(messages, user(word), user(`${word} again`))
    return [
      {
        path: `.continue/sessions/${ID}.json`,
        text: JSON.stringify({ sessionId: ID, title: 'A session', workspaceDirectory, history }),
      },
    ]
  },
}

const clio: TranscriptWriter = {
  id: `clio:${ID}`,
  write: (folder, word, messages) => {
    const user = (second: number): object => ({
      role: 'user',
      content: word,
      id: `user-${second}-4000-8000-000000000000`,
      timestamp: AT,
      metadata: { sessionId: ID, source: 'primary', unix_timestamp: SECONDS + second },
    })
    const history = first(messages, user(1), user(2))
    const document = { history, stm: [], yarn: { [ID]: history }, working_directory: folder, created_at: SECONDS }
    return [{ path: `.clio/sessions/${ID}.json`, text: JSON.stringify({ ...document, session_name: 'A session' }) }]
  },
}

const openCodeTurn = (word: string, second: number) => [
  asked(`${second}`, second, word),
  answered(`${second + 1}`, second + 1, [textPart(word)]),
]

const openCode: TranscriptWriter = {
  id: 'opencode:ses_app',
  write: (directory, word, messages) =>
    storageFiles(
      openCodeSession('app', first(messages, openCodeTurn(word, 1), openCodeTurn(word, 3)).flat(), { directory }),
    ).map(({ path, value }) => ({ path: `.local/share/opencode/storage/${path}`, text: JSON.stringify(value) })),
}

const EXTENSIONS = {
  cline: 'saoudrizwan.claude-dev',
  roo: 'rooveterinaryinc.roo-cline',
  kilo: 'kilocode.kilo-code',
} as const

/** A task of Cline, Roo or Kilo: two documents. */
const task = (agent: keyof typeof EXTENSIONS): TranscriptWriter => ({
  id: `${agent}:1769846400000`,
  write: (workspace, word, messages) => {
    const folder = `.config/Code/User/globalStorage/${EXTENSIONS[agent]}/tasks/1769846400000`
    const environment = `<environment_details>\n# Current Workspace Directory (${workspace}) Files\n</environment_details>`
    const user = (ts: number, text: string): object => ({ role: 'user', ts, content: [{ type: 'text', text }] })
    const request = { ts: 12, type: 'say', say: 'api_req_started', text: '{"tokensIn":5,"tokensOut":7,"cost":0.1}' }
    const history = first(messages, user(10, `<task>\n${word}\n</task>\n${environment}`), user(90, word))
    return [
      { path: `${folder}/api_conversation_history.json`, text: JSON.stringify(history) },
      { path: `${folder}/ui_messages.json`, text: JSON.stringify([request]) },
    ]
  },
})

/** By the agent's name. */
export const TRANSCRIPTS: ReadonlyMap<string, TranscriptWriter> = new Map([
  ['claude-code', claudeCode],
  ['codex', codex],
  ['pi', pi],
  ['generic', generic],
  ['gemini', gemini],
  ['copilot', copilot],
  ['continue', continueDev],
  ['clio', clio],
  ['opencode', openCode],
  ['cline', task('cline')],
  ['roo', task('roo')],
  ['kilo', task('kilo')],
])
