// A backup of a large store while another process writes to it, each in a process of its own.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { percentile } from './numbers.mjs'

const worker = fileURLToPath(new URL('backup-worker.mjs', import.meta.url))
const SETTLING_MS = 2_000

/** Starts a worker; `ended` gives what it measured. */
const start = (...args) => {
  const child = spawn(process.execPath, ['--conditions=@cairn/source', worker, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part) => (text += part))
  const ended = new Promise((resolve, reject) =>
    child.on('close', (code) => (code === 0 ? resolve(JSON.parse(text)) : reject(new Error(`${args[0]} failed`)))),
  )
  return { child, ended }
}

/**
 * Makes a store of so many MB and backs it up while another process writes. Rejects when a worker fails.
 * @param {{ megabytes: number, log: (text: string) => void }} options
 * @returns {Promise<readonly import('./result.mjs').Result[]>}
 */
export async function backup({ megabytes, log }) {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-backup-'))
  const store = join(folder, 'store.db')
  try {
    log(`backup: filling a store of ${megabytes} MB`)
    await start('fill', store, String(megabytes * 1e6)).ended
    const writer = start('write', store)
    await new Promise((resolve) => setTimeout(resolve, SETTLING_MS))
    const made = await start('backup', store, join(folder, 'copy.db')).ended
    writer.child.stdin.end()
    const { took } = await writer.ended
    log(
      `backup: ${(made.bytes / 1e6).toFixed(0)} MB; copied in ${(made.copyMs / 1000).toFixed(1)} s, pages checked in ${(made.checkMs / 1000).toFixed(1)} s, content proven in ${(made.proveMs / 1000).toFixed(1)} s; ${took.length} appends beside it`,
    )
    return [
      { name: `backup of ${megabytes} MB, proven`, value: made.ms / 1000, unit: 's' },
      { name: `backup of ${megabytes} MB, CPU`, value: made.cpuMs / 1000, unit: 's' },
      { name: 'backup, faults found', value: made.faults, unit: 'count', target: { most: 0 } },
      { name: 'backup, its longest pause', value: made.longestPauseMs, unit: 'ms' },
      {
        name: 'backup, append beside it',
        value: percentile(took, 0.5),
        spread: percentile(took, 0.95),
        unit: 'ms',
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
