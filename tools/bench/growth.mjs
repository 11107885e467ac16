// What the pages about usage cost for 30 days in a store, and in one with the same days behind a history of ten times as many
// requests: what is asked for is the same, so the cost should be, too. Costs are processor time, which other programs on the
// machine hardly change, and what is judged is their ratio.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { median } from './numbers.mjs'
import { cacheFolder, schemaHash } from './paths.mjs'
import { GENERATOR } from './dashboard.mjs'
import { script } from './script.mjs'

/** Days of the smaller store; the other has ten times as many. */
const DAYS = 73
const TIMES = 10
/** What a ratio may be: caches and indexes are deeper in the larger store. */
const MOST = 2
const SPAN = '30 days'
const QUESTIONS = [
  'overview',
  'overview of a project',
  'overview of a branch',
  'paid',
  'paid of a project',
  'paid of a branch',
  'active days',
  'page of branches',
  'spending',
  'live sessions',
  'latest usage',
]

/**
 * Makes both stores once and keeps them. Rejects when a script fails.
 * @param {{ requests: number, runs: number, log: (text: string) => void }} options `requests` of the smaller store
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function growth({ requests, runs, log }) {
  const costs = []
  for (const times of [1, TIMES]) {
    const store = await storeOf(requests * times, DAYS * times, log)
    log(`growth: ${runs} runs of each question over ${requests * times} requests…`)
    const found = JSON.parse(
      await script('page-queries.mjs', [store, String(runs), SPAN, QUESTIONS.join(',')], ['--conditions=react-server']),
    )
    costs.push(new Map(found.map(({ by, cpu }) => [by, median(cpu)])))
  }
  const [small, large] = costs
  return QUESTIONS.flatMap((by) => [
    { name: `${by}, ${TIMES} N / N`, value: large.get(by) / small.get(by), unit: 'ratio', target: { most: MOST } },
    { name: `  ${by}, N`, value: small.get(by), unit: 'ms' },
  ])
}

async function storeOf(requests, days, log) {
  const store = join(cacheFolder('stores'), `growth-${requests}-${days}-${GENERATOR}-${schemaHash()}.db`)
  if (!existsSync(store)) {
    log(`growth: making a store of ${requests} requests in ${days} days (once)…`)
    await script('synthetic-store.mjs', [store, String(requests), String(days)])
  }
  return store
}
