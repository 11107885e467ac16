/** A session with many files in every state, some of whose names are hostile; it used several models. */
import type { NewLogEntry, Store } from '@cairn/core'
import { random } from './synthetic-usage.ts'

export const FILES_SESSION = 'codex:many-files'

/** What a page must show as text, and nothing else. */
const HOSTILE_FILE = 'src/<img src=x onerror=alert(1)>\u202egnp.ts'

const MODELS = [
  { model: 'claude-opus-4-5', provider: 'anthropic', mode: 'plan' },
  { model: 'claude-sonnet-4-5', provider: 'anthropic', mode: 'act' },
  { model: 'in-house/coder-32b', provider: 'local', mode: 'act' },
] as const

const CHANGERS = ['person', 'formatter', 'git', 'subagent', undefined] as const

const pathOf = (index: number): string => {
  if (index === 3) return HOSTILE_FILE
  return `packages/${['billing', 'search', 'shop'][index % 3] ?? ''}/src/${index % 7 === 0 ? 'deep/'.repeat(12) : ''}module-${index}.ts`
}

/**
 * Appends a session that reads, edits and mentions `count` files, at least 10: the first third is changed by others
 * afterwards, some of the next are changed by others and never read, of the last fifth every call failed.
 * @param now when it ends, ms
 */
export const addFilesSession = async (store: Store, count: number, now: number): Promise<void> => {
  const next = random(11)
  const begin = now - count * 60_000
  const entries: NewLogEntry[] = []
  const call = (at: number, index: number, name: string, isError = false): void => {
    const id = `call-${entries.length}`
    const input = {
      file_path: `/home/ann/code/checkout/${pathOf(index)}`,
      ...(name === 'Edit' ? { old_string: 'a', new_string: 'b' } : {}),
    }
    const text = isError ? 'There is no such file.' : 'export const total = 1\n'.repeat(1 + Math.floor(next() * 40))
    entries.push(
      { kind: 'message', at, id: `${id}-a`, role: 'assistant', content: [{ type: 'tool_call', id, name, input }] },
      {
        kind: 'message',
        at: at + 400,
        id: `${id}-r`,
        role: 'tool',
        content: [{ type: 'tool_result', callId: id, content: [{ type: 'text', text }], isError }],
      },
    )
  }
  for (let index = 0; index < count; index += 1) {
    const at = begin + index * 60_000
    const model = MODELS[Math.floor((index * MODELS.length) / count)]
    if (model !== undefined && index % 20 === 0) entries.push({ kind: 'model', at, ...model })
    const path = `/home/ann/code/checkout/${pathOf(index)}`
    if (index >= (count * 4) / 5) {
      call(at, index, 'Read', true)
      continue
    }
    if (index >= count / 3 && index % 4 === 0) {
      entries.push({ kind: 'file', at, path, operation: 'external-edit', by: 'person' })
      continue
    }
    for (let reads = 1 + Math.floor(next() * 3); reads > 0; reads -= 1) call(at + reads * 1_000, index, 'Read')
    if (index % 3 === 1) call(at + 9_000, index, 'Edit')
    const by = CHANGERS[index % CHANGERS.length]
    if (index < count / 3)
      entries.push({
        kind: 'file',
        at: at + 20_000,
        path,
        operation: 'external-edit',
        ...(by === undefined ? {} : { by }),
      })
  }
  const facts = {
    id: FILES_SESSION,
    agent: 'codex',
    externalId: 'many-files',
    workspace: '/home/ann/code/checkout',
    branch: 'main',
    title: 'Move every module to the new money type',
  }
  const result = await store.sessions.append(
    facts,
    0,
    entries.map((entry) => ({ entry })),
  )
  if (!result.ok) throw new Error('the session with many files is there already')
}
