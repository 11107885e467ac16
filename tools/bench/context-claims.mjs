// What Cline and CLIO claim of their steps, measured on real sessions: with the steps of policy `cline` (for the summary
// those of `clio`, as Cline's is written by a model), and those of cache-aware for comparison.
import { fileURLToPath } from 'node:url'
import { runWell } from './processes.mjs'
import { NO_SESSIONS, sessionFiles } from './context-sessions.mjs'

const worker = fileURLToPath(new URL('context-claims-worker.mjs', import.meta.url))

/**
 * Measures on real sessions what Cline and CLIO claim of their steps, as results and as a table for people; nothing,
 * and an empty text, without sessions.
 * @param {{ most: number, log: (text: string) => void }} options `most`: sessions
 * @returns {Promise<{ results: import('./result.mjs').Result[], text: string }>}
 */
export async function contextClaims({ most, log }) {
  const files = sessionFiles().slice(0, most)
  if (files.length === 0) {
    log(`context: the claims of Cline and CLIO: ${NO_SESSIONS}`)
    return { results: [], text: '' }
  }
  const { stdout } = await runWell([process.execPath, '--conditions=@cairn/source', worker, ...files])
  const sessions = JSON.parse(stdout)
  const rows = [
    row(
      'combining messages',
      '-30 to -50 %',
      sessions.map(({ combined }) => combined.cline),
      sessions.map(({ combined }) => combined.ours),
    ),
  ]
  for (const window of Object.keys(sessions[0].windows)) {
    const of = (name, who) => sessions.flatMap(({ windows }) => windows[window][name][who])
    const at = `, ${window / 1000}k`
    rows.push(
      // Cline claims this of its cache of settings; of the provider's cache, which is measured here, it claims nothing.
      row(`prompt-cache hits${at}`, '(none)', hitsOf(of('hits', 'cline')), hitsOf(of('hits', 'ours'))),
      row(`dedup by path saves${at}`, '15 to 40 %', of('deduplicated', 'byPath'), of('deduplicated', 'ours')),
      // Cline treats another part of a file as the whole file; the policy here does not.
      row(`dedup, parts kept, saves${at}`, '15 to 40 %', of('deduplicated', 'cline'), of('deduplicated', 'ours')),
      row(`truncation removes${at}`, '25 to 75 %', of('removed', 'cline'), of('removed', 'ours')),
      row(`summary / removed${at}`, '5 to 10 %', of('compressed', 'clio'), of('compressed', 'ours')),
    )
  }
  return {
    results: rows
      .flatMap(({ name, theirs, ours }) => [
        result(`${name}, their steps`, theirs),
        result(`${name}, cache-aware`, ours),
      ])
      .filter(({ value }) => !Number.isNaN(value)),
    text: tableOf(rows, sessions.length),
  }
}

/** Over all input together: long sessions weigh more. */
const hitsOf = (hits) => [
  hits.reduce((total, { ratio, input }) => total + ratio * input, 0) /
    hits.reduce((total, { input }) => total + input, 0),
]

const row = (name, claim, theirs, ours) => ({ name, claim, theirs: spread(theirs), ours: spread(ours) })

/** Mean, least and most of some shares; the mean of none is NaN. */
function spread(shares) {
  const sorted = shares.toSorted((left, right) => left - right)
  return {
    mean: shares.reduce((total, share) => total + share, 0) / shares.length,
    least: sorted[0],
    most: sorted.at(-1),
    count: shares.length,
  }
}

const result = (name, { mean }) => ({ name, value: mean, unit: 'ratio' })

/** The claims as a table of text; `never` where a step had nothing to do. */
function tableOf(rows, sessions) {
  const line = (...[name, claim, theirs, ours]) =>
    `${name.padEnd(36)} ${claim.padStart(13)} ${theirs.padStart(14)} ${ours.padStart(14)}`
  const shown = ({ mean, count }) => (count === 0 ? 'never' : `${(mean * 100).toFixed(1)} % (${count})`)
  return [
    line('claim of Cline or CLIO', 'claimed', 'their steps', 'cache-aware'),
    '-'.repeat(80),
    ...rows.map(({ name, claim, theirs, ours }) => line(name, claim, shown(theirs), shown(ours))),
    '-'.repeat(80),
    `Total: ${sessions} recorded sessions; means, in brackets of how many cases`,
  ].join('\n')
}
