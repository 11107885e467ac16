/** Short ways to say what the contract suites write. */
import { CairnError } from '../../errors.ts'
import type { ContentBlock, Role, TextBlock } from '../../messages.ts'
import type { Store } from '../../ports/store.ts'
import type { ImportBatch, ImportCounts, ImportCursor } from '../../ports/import-storage.ts'
import type { EntryWrite, SessionFacts } from '../../ports/session-storage.ts'
import type { RequestFact } from '../../ports/usage-storage.ts'
import type { MessageEntry } from '../../session-log.ts'

/** A minute past nine on a Monday; no bucket, day or month begins near it. */
export const T0 = Date.UTC(2026, 1, 2, 9, 1)

/** Facts of a session of the agent `cairn`, or of the one given. */
export const facts = (externalId: string, more: Partial<SessionFacts> = {}): SessionFacts => {
  const agent = more.agent ?? 'cairn'
  return { id: `${agent}:${externalId}`, agent, externalId, ...more }
}

/** A text block. */
export const text = (value: string): TextBlock => ({ type: 'text', text: value })

interface MessageOptions extends Partial<Omit<MessageEntry, 'seq' | 'kind' | 'content'>> {
  readonly role?: Role
}

/** A message entry; `content` may be a text. */
export const message = (
  id: string,
  content: string | readonly ContentBlock[],
  more: MessageOptions = {},
): Omit<MessageEntry, 'seq'> => ({
  kind: 'message',
  at: T0,
  role: 'user',
  ...more,
  id,
  content: typeof content === 'string' ? [text(content)] : content,
})

/** A message with the id that its source gave it. */
export const importedMessage = (
  id: string,
  content: string | readonly ContentBlock[],
  more: MessageOptions = {},
): EntryWrite => ({
  entry: message(id, content, more),
  externalId: id,
})

/** A request with a computed cost of 1,000,000 nano-USD. */
export const request = (callId: string, more: Partial<RequestFact> = {}): RequestFact => ({
  callId,
  at: T0,
  model: 'claude-test',
  inputTokens: 10,
  cacheReadTokens: 200,
  cacheWrite5mTokens: 30,
  cacheWrite1hTokens: 4,
  outputTokens: 100,
  costNano: 1_000_000n,
  costState: 'computed',
  ...more,
})

/** A reply with the request that it cost. */
export const reply = (id: string, fact: RequestFact, visibleCharacters = 0): EntryWrite => ({
  ...importedMessage(id, `reply ${id}`, { role: 'assistant', at: fact.at }),
  request: fact,
  visibleCharacters,
})

/** Appends at the end of the log, whatever is there; fails loudly on a conflict. */
export const append = async (
  store: Store,
  session: SessionFacts,
  ...writes: readonly EntryWrite[]
): Promise<number> => {
  const known = await store.sessions.get(session.id)
  const result = await store.sessions.append(session, known?.entries ?? 0, writes)
  if (!result.ok) throw new Error(`unexpected conflict at ${result.error.actualSeq}`)
  return result.value.nextSeq
}

/** A cursor of a file of 100 bytes that was read to its end. */
export const cursor = (more: Partial<ImportCursor> = {}): ImportCursor => ({
  identity: '1:2',
  size: 100,
  modifiedAt: T0,
  offset: 100,
  line: 3,
  fingerprint: 'abc',
  parserState: null,
  ...more,
})

/** A batch of a file's import, to be committed on top of `baseVersion`. */
export const batch = (
  path: string,
  baseVersion: number,
  more: Partial<Omit<ImportBatch, 'path' | 'baseVersion'>> = {},
): ImportBatch => ({
  path,
  agent: 'cairn',
  baseVersion,
  restarted: false,
  sessions: [],
  source: [],
  skips: [],
  cursor: cursor(),
  ...more,
})

/** Imports on top of whatever the file's version is; fails loudly on a conflict. */
export const importBatch = async (
  store: Store,
  path: string,
  more: Partial<Omit<ImportBatch, 'path' | 'baseVersion'>>,
): Promise<ImportCounts> => {
  const version = (await store.imports.file(path))?.version ?? 0
  const counts = await store.imports.prepare(batch(path, version, more)).commit()
  if (counts === undefined) throw new Error(`unexpected conflict on ${path}`)
  return counts
}

/** The code of one of Cairn's errors; anything else as it is. */
export const errorCode = (error: unknown): unknown => (CairnError.is(error) ? error.code : error)
