/** Entries of memory of several projects, and what the page of memory must show of them. */
import { MEMORY_KINDS } from '@cairn/core'
import type { Store } from '@cairn/core'
import { count } from './figures-expected.ts'
import type { Ask } from './figures-overview.ts'
import { engineOver } from './knowledge.ts'
import { random } from './synthetic-usage.ts'

/** Of the first folder; others have fewer. */
const MOST_ENTRIES = 117

/** Adds entries to the memory of these folders, the most to the first. */
export const rememberOf = async (store: Store, folders: readonly string[], seed: number): Promise<void> => {
  const next = random(seed)
  const { memory } = engineOver(store)
  for (const [index, workspace] of folders.entries()) {
    const most = Math.ceil(MOST_ENTRIES / (index * 11 + 1))
    for (let number = 0; number < most; number += 1) {
      const kind = MEMORY_KINDS[Math.floor(next() * MEMORY_KINDS.length)] ?? 'pattern'
      await memory.add({ workspace, kind, text: `Rule ${number} of ${workspace}`, confidence: next() })
    }
  }
}

/** What the page must show of a project's entries, or of those of a kind. */
export const expectedMemory = async (
  ask: Ask,
  folder: string,
  kind: string | undefined,
): Promise<ReadonlyMap<string, string>> => {
  const words = ['memory', 'list', '--workspace', folder, ...(kind === undefined ? [] : ['--kind', kind])]
  const { entries } = (await ask(...words)) as { readonly entries: readonly { readonly confidence: number }[] }
  if (entries.length === 0) return new Map([['total / entries', '0 entries']])
  const average = entries.reduce((sum, { confidence }) => sum + confidence, 0) / entries.length
  const many = entries.length === 1 ? '1 entry' : `${count(entries.length)} entries`
  return new Map([['total / entries', `${many}, on average ${Math.round(average * 100)} % sure`]])
}
