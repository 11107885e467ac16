/** OpenCode's storages for tests, made of the same sessions: a database, files, an export. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface TestMessage {
  readonly id: string
  readonly info: Readonly<Record<string, unknown>>
  readonly parts: readonly Readonly<Record<string, unknown>>[]
}

export interface TestSession {
  readonly id: string
  readonly title: string
  readonly directory: string
  readonly parentID?: string
  readonly messages: readonly TestMessage[]
}

export const AT = 1_790_000_000_000

/** A user's message, so many seconds after the beginning. */
export const asked = (id: string, second: number, text: string, more: readonly object[] = []): TestMessage => ({
  id: `msg_${id}`,
  info: {
    role: 'user',
    time: { created: AT + second * 1000 },
    agent: 'build',
    model: { providerID: 'p', modelID: 'known' },
  },
  parts: [{ type: 'text', text }, ...more.map((part) => ({ ...part }))],
})

/** A finished reply with its tokens. */
export const answered = (
  id: string,
  second: number,
  parts: readonly object[],
  more: Readonly<Record<string, unknown>> = {},
): TestMessage => ({
  id: `msg_${id}`,
  info: {
    role: 'assistant',
    time: { created: AT + second * 1000, completed: AT + second * 1000 + 900 },
    modelID: 'known',
    providerID: 'p',
    mode: 'build',
    agent: 'build',
    path: { cwd: '/code/shop', root: '/code/shop' },
    cost: 0.002,
    tokens: { total: 1000 + second, input: 100, output: 30 + second, reasoning: 0, cache: { read: 870, write: 0 } },
    ...more,
  },
  parts: parts.map((part) => ({ ...part })),
})

/** A reply that is still being written, `second` seconds after `AT`: no end, no tokens, cost 0. */
export const unfinished = (id: string, second: number, parts: readonly object[] = []): TestMessage => {
  const { info, ...rest } = answered(id, second, parts)
  return { ...rest, info: { ...info, time: { created: AT + second * 1000 }, tokens: {}, cost: 0 } }
}

export const textPart = (text: string): object => ({ type: 'text', text })
export const ran = (callID: string, tool: string, input: object, output: string): object => ({
  type: 'tool',
  callID,
  tool,
  state: { status: 'completed', input, output, time: { start: AT, end: AT + 500 } },
})

export const session = (
  id: string,
  messages: readonly TestMessage[],
  more: Partial<TestSession> = {},
): TestSession => ({
  id: `ses_${id}`,
  title: `Title of ${id}`,
  directory: '/code/shop',
  messages,
  ...more,
})

const partId = ({ id }: TestMessage, index: number): string => `prt_${id.slice(4)}${String(index).padStart(3, '0')}`

/** What `opencode export` writes. */
export const exported = ({ messages, ...info }: TestSession): string =>
  JSON.stringify(
    {
      info,
      messages: messages.map((message) => ({
        info: { ...message.info, id: message.id, sessionID: info.id },
        parts: message.parts.map((part, index) => ({ ...part, id: partId(message, index), messageID: message.id })),
      })),
    },
    null,
    2,
  )

/** The files of a session, by their paths in OpenCode's storage. */
export const storageFiles = ({
  messages,
  ...info
}: TestSession): readonly { readonly path: string; readonly value: object }[] => [
  { path: `session/project/${info.id}.json`, value: { ...info, version: '1.1.65' } },
  ...messages.flatMap((message) => [
    {
      path: `message/${info.id}/${message.id}.json`,
      value: { ...message.info, id: message.id, sessionID: info.id },
    },
    ...message.parts.map((part, index) => {
      const id = partId(message, index)
      const value = { id, sessionID: info.id, messageID: message.id, ...part }
      return { path: `part/${message.id}/${id}.json`, value }
    }),
  ]),
]

/** Writes a session's files below `storage`; replaces those that are there. */
export const writeStorage = (storage: string, session: TestSession): void => {
  for (const { id } of session.messages) rmSync(join(storage, 'part', id), { recursive: true, force: true })
  for (const { path, value } of storageFiles(session)) {
    mkdirSync(dirname(join(storage, path)), { recursive: true })
    writeFileSync(join(storage, path), JSON.stringify(value, null, 2))
  }
}

const SCHEMA = `
  CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, workspace_id text, directory text,
    title text, version text, time_created integer, time_updated integer);
  CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
  CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer,
    data text);
  CREATE TABLE workspace (id text PRIMARY KEY, branch text);
  CREATE INDEX message_session_idx ON message (session_id);
  CREATE INDEX part_message_idx ON part (message_id)`

/** A database as OpenCode has it open, with a write-ahead log; empty at first. */
export const openDatabase = (path: string) => {
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = WAL; ${SCHEMA}`)
  const putMessage = (sessionId: string, message: TestMessage): void => {
    const { created } = message.info.time as { readonly created: number }
    database
      .prepare(
        `INSERT INTO message VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET data = excluded.data, time_updated = excluded.time_updated`,
      )
      .run(message.id, sessionId, created, created + 1000, JSON.stringify(message.info))
    database.prepare('DELETE FROM part WHERE message_id = ?').run(message.id)
    for (const [index, part] of message.parts.entries())
      database
        .prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)')
        .run(partId(message, index), message.id, sessionId, created, created, JSON.stringify(part))
  }
  return {
    database,
    /** Adds what is new in a session, and replaces what it knows. */
    put: ({ id, title, directory, parentID, messages }: TestSession, workspace: string | null = null): void => {
      database
        .prepare('INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
        .run(id, 'project', parentID ?? null, workspace, directory, title, '1.18.34', AT, AT)
      for (const message of messages) putMessage(id, message)
    },
    close: (): void => database.close(),
  }
}
