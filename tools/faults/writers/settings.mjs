// Settings files, as "cairn config set" writes them: one file for all processes, keys of their own for each.
import { join } from 'node:path'
import { readConfig, writeConfigValue } from '../../../packages/adapter-cli/src/config/config-file.ts'

const KEYS = 3

const fileOf = ({ folder }) => join(folder, 'home', 'config.json')
const modelOf = (process, count) => `model-${process}-${count % KEYS}`
/** No price is over 10,000 USD. */
const priceOf = (count) => ({ input: 1 + (count % 1_000), output: 1 + (count % 9_973) })

/** Writes prices into the settings file; acknowledges each. @type {import('./index.mjs').Writer['write']} */
async function write({ scene, process, acknowledge, isOver }) {
  for (let count = 0; !isOver(); count += 1) {
    await writeConfigValue(fileOf(scene), ['prices', modelOf(process, count)], priceOf(count))
    await acknowledge(count)
  }
}

/**
 * Returns a sentence for each price that is neither as it was acknowledged last nor as the next write would leave it.
 * @type {import('./index.mjs').Writer['check']}
 */
async function check({ scene, acknowledged }) {
  const faults = []
  // The next command; it takes over what a killed one has left.
  await writeConfigValue(fileOf(scene), ['timezone'], 'UTC')
  const { prices = {} } = (await readConfig(fileOf(scene))) ?? {}
  for (const [process, counts] of acknowledged) {
    const last = counts.at(-1) ?? -1
    for (let slot = 0; slot < KEYS; slot += 1) {
      const model = modelOf(process, slot)
      const newest = counts.findLast((count) => count % KEYS === slot)
      const allowed = [newest === undefined ? undefined : priceOf(newest).output]
      if ((last + 1) % KEYS === slot) allowed.push(priceOf(last + 1).output)
      if (!allowed.includes(prices[model]?.output))
        faults.push(`setting ${newest} of prices.${model} was acknowledged, and there is ${prices[model]?.output}`)
    }
  }
  return faults
}

export const settings = { write, check }
