/** Records of checkpoints: of the sessions, of their project while they went on, and of another project. */
import type { CheckpointRecord, Store } from '@cairn/core'
import { FILES_SESSION } from './files-session.ts'
import { random } from './synthetic-usage.ts'

const CHECKOUT = '/home/ann/code/checkout'
/** A folder whose name a shell would obey, and a page. */
export const ODD_FOLDER = "/home/ann/it's $(here) <b>"

/** How many of them `/checkpoints` counts. */
export const ALL_CHECKPOINTS = 75

const LABELS = [
  'before the upgrade of the payment client',
  'at a prompt to claude-code',
  null,
  '<b>bold</b> \u202egnp.ts and \u001b[31mred\u001b[0m',
  'after a turn of codex',
] as const

/**
 * Adds records, half of them of the session with many files; of that one, the log also names one that is not kept.
 * @param now when the newest was made, ms
 */
export const addCheckpoints = async (store: Store, now: number): Promise<void> => {
  const next = random(3)
  for (let index = 0; index < ALL_CHECKPOINTS; index += 1) {
    const isOdd = index % 5 === 4
    const record: CheckpointRecord = {
      id: `01KB${String(index).padStart(4, '0')}ZZZZ${String(index * 7_919).padStart(8, '0')}QQ${String(index).padStart(4, '0')}`,
      workspace: isOdd ? ODD_FOLDER : CHECKOUT,
      sessionId: index % 2 === 0 && !isOdd ? FILES_SESSION : null,
      at: now - (ALL_CHECKPOINTS - index) * 50_000,
      commit: index.toString(16).padStart(40, '0'),
      files: 3 + Math.floor(next() * 60_000),
      bytes: Math.floor(10 ** (2 + next() * 8)),
      kind: index % 9 === 0 ? 'before-restore' : index % 2 === 0 ? 'agent' : 'manual',
      label: index % 9 === 0 ? 'before something was restored' : (LABELS[index % LABELS.length] ?? null),
      leftOut:
        index % 6 === 0
          ? null
          : {
              count: index % 6 === 1 ? 0 : index,
              named:
                index % 6 === 1
                  ? []
                  : [
                      { path: '.env', isFolder: false, reason: 'secret' },
                      { path: 'media/intro\u202e.mov', isFolder: false, reason: 'too-large', size: 52_428_800 },
                      { path: 'node_modules', isFolder: true, reason: 'ignored' },
                    ],
            },
    }
    await store.checkpoints.add(record)
  }
  const [session] = [await store.sessions.get(FILES_SESSION)]
  if (session === undefined) throw new Error('checkpoints come after the session with many files')
  await store.sessions.append({ id: session.id, agent: session.agent, externalId: session.externalId }, 'end', [
    { entry: { kind: 'checkpoint', at: now - 9_000_000, checkpointId: '01KAOLDANDPRUNEDLONGAGO999' } },
  ])
}
