// Who changed a file is told right each time: every case with real files, a hundred times, several at once.
import assert from 'node:assert/strict'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ATTRIBUTION_CASES, runAttributionCase } from '@cairn/core/testing'
import { scratchFolder } from '../bench/paths.mjs'

/** Cases that run at the same time. */
const AT_ONCE = 24

/**
 * Proves that who changed a file is told right: each case many times, several at once.
 * @type {import('./index.mjs').Check}
 */
export async function attribution({ quick, log }) {
  const runs = quick ? 3 : 100
  const folder = realpathSync(scratchFolder('attribution'))
  /** What was told instead, and how often, by case. */
  const faults = new Map()
  const waiting = Array.from({ length: runs }, () => ATTRIBUTION_CASES).flat()
  const total = waiting.length
  const work = async () => {
    for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
      const own = mkdtempSync(join(folder, 'case-'))
      const told = await runAttributionCase(each, own)
      rmSync(own, { recursive: true, force: true })
      if (JSON.stringify(told) !== JSON.stringify(each.expected)) {
        const fault = `${each.name}: ${told.join(', ') || 'nothing'} instead of ${each.expected.join(', ') || 'nothing'}`
        faults.set(fault, (faults.get(fault) ?? 0) + 1)
      }
      if (waiting.length % 1_000 === 0) log(`attribution: ${waiting.length} of ${total} cases left…`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, total) }, work))
  rmSync(folder, { recursive: true, force: true })
  assert.equal(faults.size, 0, [...faults].map(([fault, count]) => `${count} × ${fault}`).join('\n'))
  return `${ATTRIBUTION_CASES.length} cases, each ${runs} times: all told right`
}
