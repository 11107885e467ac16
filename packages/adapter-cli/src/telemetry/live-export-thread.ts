/**
 * The thread behind `--otel`: sends what was recorded since its last pass, every few seconds and once more at the end.
 */
import { existsSync } from 'node:fs'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { createLeaseFile } from '@cairn/core/node'
import { SentRecord, createLiveExport, openSender, type LiveExport } from '@cairn/core/node/telemetry-export'
import type { DatabaseStore } from '@cairn/storage-prisma'
import type { LiveExportSetting } from './live-export.ts'

/** Time between two passes; doubled after each failure, up to `LONGEST_MS`. */
const PASS_MS = 5_000
const LONGEST_MS = 300_000

const { store: address, destination, lease, program } = workerData as LiveExportSetting

let store: DatabaseStore | undefined
let live: LiveExport | undefined

/**
 * Opens the store and its export, once; undefined as long as there is no store, because sending creates none. Rejects
 * as opening the store does.
 */
const openLiveExport = async (): Promise<LiveExport | undefined> => {
  if (live !== undefined) return live
  if (address.startsWith('file:') && !existsSync(address.slice('file:'.length))) return undefined
  const { openStore } = await import('@cairn/storage-prisma')
  const opened = await openStore(address)
  store = opened
  const now = (): number => Date.now()
  live = createLiveExport(
    {
      source: opened.sync.source,
      destination,
      sender: () => openSender(destination),
      now,
      openRecord: () => SentRecord.of(destination, opened.state, now()),
      lease: createLeaseFile(lease, program),
    },
    { hasTexts: false, hasNames: false },
  )
  return live
}

/**
 * Runs one pass and returns a sentence about what went wrong, empty if nothing did. `hasFailed` only if the pass itself
 * failed, not for what the collector says of single requests. Never rejects.
 */
const pass = async (): Promise<{ readonly hasFailed: boolean; readonly sentence: string }> => {
  try {
    const report = await (await openLiveExport())?.pass()
    const why = [...(report?.why ?? [])].join(' ')
    return { hasFailed: false, sentence: why === '' ? '' : `The collector says: ${why}` }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'The export failed.'
    return { hasFailed: true, sentence: `${reason} It is tried again.` }
  }
}

/**
 * Runs passes until told to end by a message, then one last pass, after which all is closed; each new problem is sent
 * to `port` once. The pause grows with each failure in a row.
 */
const run = (port: MessagePort): void => {
  let told = ''
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let hasEnded = false
  let passing = Promise.resolve()
  /** Runs a pass, tells a new problem, and plans the next pass unless the end has come. */
  const onePass = async (): Promise<void> => {
    const { hasFailed, sentence } = await pass()
    failures = hasFailed ? failures + 1 : 0
    // The same sentence is told once, until something else happens.
    if (sentence !== '' && sentence !== told) port.postMessage(sentence)
    told = sentence
    if (!hasEnded) timer = setTimeout(begin, Math.min(LONGEST_MS, PASS_MS * 2 ** failures))
  }
  const begin = (): void => {
    passing = onePass()
  }
  /** Waits for the pass under way, runs the last one, and closes everything. */
  const end = async (): Promise<void> => {
    hasEnded = true
    clearTimeout(timer)
    await passing
    await onePass()
    live?.end()
    await store?.close()
    port.close()
  }
  port.once('message', () => void end())
  begin()
}

if (parentPort !== null) run(parentPort)
