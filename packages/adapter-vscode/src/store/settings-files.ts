/** The settings files of the `cairn` command, and the settings that the editor uses. */
import { CairnError, PRICE_FIELDS, objectOf } from '@cairn/core'
import type { JsonObject, JsonValue, PriceOverride } from '@cairn/core'
import { settingsPaths } from '@cairn/core/node'
import type { Exists, SettingsPath, Surroundings } from '@cairn/core/node'

/** Where settings files are looked for. */
export interface SettingsSources extends Surroundings {
  readonly exists: Exists
  /** The text of a file; undefined when it can't be read. */
  readonly readText: (path: string) => string | undefined
}

/** A settings file, and what is in it. */
export interface SettingsFile {
  readonly settingsPath: SettingsPath
  readonly values: JsonObject
}

/**
 * Returns the settings in a file's text.
 * @throws CairnError `invalid-input` for text that is not a JSON object: ignoring it could select another store
 */
const valuesIn = (file: string, text: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return objectOf(value)
  } catch {
    // The error below says so.
  }
  throw new CairnError(
    'invalid-input',
    `The settings in ${file} are not valid JSON; correct the file, or move it away.`,
  )
}

/**
 * The settings files that exist; the first of them counts most. Empty without any.
 * @throws CairnError `invalid-input` naming a broken one.
 */
export const settingsFiles = (sources: SettingsSources): readonly SettingsFile[] =>
  settingsPaths(sources, sources.exists).flatMap((settingsPath) => {
    const text = sources.readText(settingsPath.file)
    return text === undefined ? [] : [{ settingsPath, values: valuesIn(settingsPath.file, text) }]
  })

const OPTIONAL_PRICES = PRICE_FIELDS.filter(({ isRequired }) => !isRequired).map(({ name }) => name)

/** Returns a price from settings; undefined without one for input and one for output. Negative amounts are ignored. */
const priceOf = (value: JsonValue | undefined): PriceOverride | undefined => {
  const fields = objectOf(value)
  const amount = (name: string): number | undefined => {
    const found = fields[name]
    return typeof found === 'number' && found >= 0 ? found : undefined
  }
  const input = amount('input')
  const output = amount('output')
  if (input === undefined || output === undefined) return undefined
  return {
    input,
    output,
    ...Object.fromEntries(
      OPTIONAL_PRICES.flatMap((name) => (amount(name) === undefined ? [] : [[name, amount(name)]])),
    ),
  }
}

/**
 * Returns the user's own prices by model, in USD; the workspace's settings take precedence. Values that are not prices
 * are ignored.
 */
export const ownPrices = (files: readonly SettingsFile[]): Readonly<Record<string, PriceOverride>> => {
  const prices: Record<string, PriceOverride> = {}
  for (const { values } of files.toReversed()) {
    for (const [model, value] of Object.entries(objectOf(values['prices']))) {
      const price = priceOf(value)
      if (price !== undefined) prices[model] = price
    }
  }
  return prices
}
