// Fits the weights of the policy cache-aware on recorded sessions, and says how well they rank the blocks of sessions
// that they were not fitted on. Prints a table as it stands in core's cache-aware/weights.ts.
//   npx node --conditions=@cairn/source tools/bench/fit-block-value.mjs
import { needsOf, createContextView, trajectoryOf } from '@cairn/core'
import { readTranscript } from '@cairn/core/importers'
import { createFileSystem, createHasher } from '@cairn/core/node'
import { createBlockValue } from '../../packages/core/src/context/policies/cache-aware/block-value.ts'
import { FEATURES } from '../../packages/core/src/context/policies/cache-aware/weights.ts'
import { NO_SESSIONS, sessionFiles } from './context-sessions.mjs'

const CHARACTERS_PER_TOKEN = 2.7
/** Ages at which a block is observed, requests. */
const AGES = new Set([3, 5, 8, 12, 18, 26, 38, 55, 80])
/** A block counts as needed when it is within so many requests. */
const HORIZON = 60
const SMALLEST_TOKENS = 80
const RIDGE = 2
/** Newton's steps, and the largest change of a weight in one: the first ones would overshoot. */
const STEPS = 12
const LONGEST_STEP = 2
const KINDS = ['anchors', 'references']

/** Observations of blocks: the features at a time, and whether the block was needed afterwards. */
async function observeBlocks(file, session) {
  const transcript = await readTranscript(file, { fileSystem: createFileSystem(), hasher: createHasher() })
  const { facts, entries, lines, requests } = transcript.sessions[0]
  const trajectory = trajectoryOf({
    session: facts.id,
    entries,
    lines,
    requests,
    charactersPerToken: CHARACTERS_PER_TOKEN,
  })
  const needed = Object.fromEntries(KINDS.map((kind) => [kind, needsBySource(needsOf(trajectory), kind)]))
  const view = createContextView(CHARACTERS_PER_TOKEN)
  const blockValue = createBlockValue()
  view.subscribe({ onBlock: (block) => blockValue.add(block) })
  const observations = []
  for (const [request, turn] of trajectory.turns.entries()) {
    for (const entry of turn.before) view.step(entry)
    blockValue.ready(0)
    for (const block of view.all()) {
      if (!AGES.has(request - block.request) || block.tokens < SMALLEST_TOKENS) continue
      const features = blockValue.features(block, request)
      if (features === undefined) continue
      const isNeeded = (kind) =>
        (needed[kind].get(blockNumber(block.source.seq, block.source.block)) ?? []).some(
          (at) => at >= request && at < request + HORIZON,
        )
      observations.push({
        session,
        features: [...features],
        anchors: isNeeded('anchors'),
        references: isNeeded('references'),
      })
    }
  }
  return observations
}

/** Requests that needed a block, by the block's number. */
function needsBySource(needs, kind) {
  const found = new Map()
  for (const [request, turn] of needs.turns.entries())
    for (const { source } of turn[kind]) found.set(source, [...(found.get(source) ?? []), request])
  return found
}

/** As replay/needs.ts numbers blocks. */
const blockNumber = (seq, block) => seq * 4096 + block

/** The probability of a need that the features give, 0 to 1. */
const chance = (features, weights) =>
  1 / (1 + Math.exp(-features.reduce((sum, feature, index) => sum + feature * weights[index], 0)))

/** Logistic regression by Newton's method with L2 regularisation, except of the constant. */
function fit(observations, kind) {
  const size = observations[0].features.length
  const weights = new Array(size).fill(0)
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = new Array(size).fill(0)
    const curvature = Array.from({ length: size }, () => new Array(size).fill(0))
    for (const { features, [kind]: isNeeded } of observations) {
      const p = chance(features, weights)
      const rest = (isNeeded ? 1 : 0) - p
      for (let row = 0; row < size; row += 1) {
        gradient[row] += rest * features[row]
        for (let column = 0; column < size; column += 1)
          curvature[row][column] += p * (1 - p) * features[row] * features[column]
      }
    }
    for (let row = 0; row < size; row += 1) {
      const ridge = row === 0 ? 1e-6 : RIDGE
      gradient[row] -= ridge * weights[row]
      curvature[row][row] += ridge
    }
    for (const [index, change] of solveLinear(curvature, gradient).entries())
      weights[index] += Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, change))
  }
  return weights
}

/** Solves a set of linear equations by elimination with pivots. */
function solveLinear(matrix, values) {
  const rows = matrix.map((row, index) => [...row, values[index]])
  for (let column = 0; column < rows.length; column += 1) {
    const pivot = rows
      .slice(column)
      .reduce(
        (best, row, index) => (Math.abs(row[column]) > Math.abs(rows[best][column]) ? column + index : best),
        column,
      )
    ;[rows[column], rows[pivot]] = [rows[pivot], rows[column]]
    for (const [index, row] of rows.entries()) {
      if (index === column) continue
      const factor = row[column] / rows[column][column]
      for (let cell = column; cell < row.length; cell += 1) row[cell] -= factor * rows[column][cell]
    }
  }
  return rows.map((row, index) => row.at(-1) / row[index])
}

/** The chance that a needed block ranks above one that was not: the area under the curve. */
function areaUnderCurve(observations, weights, kind) {
  const ranked = observations
    .map((observation) => ({ isNeeded: observation[kind], chance: chance(observation.features, weights) }))
    .sort((left, right) => left.chance - right.chance)
  let needed = 0
  let ranks = 0
  for (const [index, { isNeeded }] of ranked.entries()) {
    if (!isNeeded) continue
    needed += 1
    ranks += index + 1
  }
  return (ranks - (needed * (needed + 1)) / 2) / (needed * (ranked.length - needed))
}

const files = sessionFiles()
if (files.length === 0) {
  console.log(`Weights: ${NO_SESSIONS}.`)
  process.exit(0)
}
const observations = []
for (const [session, file] of files.entries()) observations.push(...(await observeBlocks(file, session)))
const weights = Object.fromEntries(KINDS.map((kind) => [kind, fit(observations, kind)]))
for (const [index, name] of FEATURES.entries())
  console.log(`  ['${name}', ${KINDS.map((kind) => weights[kind][index].toFixed(2)).join(', ')}],`)
for (const kind of KINDS) {
  const half = fit(
    observations.filter(({ session }) => session % 2 === 0),
    kind,
  )
  const others = observations.filter(({ session }) => session % 2 === 1)
  const count = observations.filter((observation) => observation[kind]).length
  console.log(
    `${kind}: ${count} of ${observations.length} looks; fitted on one half, area under the curve on the other ${areaUnderCurve(others, half, kind).toFixed(2)}`,
  )
}
