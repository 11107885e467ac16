/** Which models of a provider are the current ones, told by their names alone. */
import { parseModelName } from './parse-model-name.ts'

/** Providers that make models themselves, and how the names of their own models begin. */
const MAKERS: Readonly<Record<string, RegExp>> = {
  anthropic: /^claude-(?!instant|v)[a-z]+-\d/,
  openai: /^(?:gpt-(?:[5-9]|\d\d)|o\d)/,
  google: /^gemini-\d/,
  'x-ai': /^grok-/,
  deepseek: /^deepseek-/,
  mistral: /^(?:mistral-(?:large|medium|small)|codestral|devstral|magistral)/,
  moonshotai: /^kimi-/,
  zai: /^glm-/,
  minimax: /^minimax-m/,
}

/** Models that are no partners of a coding agent's conversation. */
const OTHER_KINDS =
  /audio|realtime|tts|image|transcribe|embed|search|live|computer-use|ocr|vision|voice|instruct|free$|robotics|moderation/
/** Says nothing about which model it is. */
const MARKS = /-(?:preview|latest|exp|beta)(?=-|$)/g
/** A day or month of release, which is no version. */
const DATES = /-(?:20\d{6}|20\d\d-\d\d-\d\d|\d{2}-20\d\d|\d{2}-\d{2}|\d{4})(?=-|$)/g

interface Release {
  readonly id: string
  /** The name without its version. */
  readonly series: string
  readonly version: readonly number[]
  /** Named with the day of its release, or another mark. */
  readonly isMarked: boolean
}

/**
 * A model's series (its name with `#` for the version), its version number by number, and whether its name has a date
 * or mark beside these.
 */
const releaseOf = (id: string): Release => {
  const name = parseModelName(id).names[0] ?? ''
  const plain = name.replaceAll(MARKS, '').replaceAll(DATES, '').replaceAll(MARKS, '')
  return {
    id,
    series: plain.replaceAll(/\d+(?:[.-]\d+)*(?!\d*[a-z])/g, '#'),
    version: (plain.match(/\d+(?![\da-z])/g) ?? []).map(Number),
    isMarked: plain !== name,
  }
}

/**
 * Compares two versions number by number, for sorting: negative where the left is older, 0 where they are the same;
 * missing numbers are 0.
 */
const compareVersions = (left: readonly number[], right: readonly number[]): number => {
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Whether a provider makes models itself; of others none is called current. */
const isMaker = (provider: string): boolean => Object.hasOwn(MAKERS, provider)

/**
 * The current models among those of a provider: of each series (a name without its version) the newest version, once,
 * by its name without a date if there is one, else the first; in order of the series' first appearance. Models for
 * speech, images, search and the like are left out. Empty for a provider that only hosts models of others.
 */
export const currentModels = (provider: string, ids: readonly string[]): readonly string[] => {
  const own = isMaker(provider) ? MAKERS[provider] : undefined
  if (own === undefined) return []
  const newest = new Map<string, Release>()
  for (const id of ids) {
    const name = id.toLowerCase()
    if (!own.test(name) || OTHER_KINDS.test(name)) continue
    const release = releaseOf(id)
    const other = newest.get(release.series)
    const difference = other === undefined ? 1 : compareVersions(release.version, other.version)
    if (difference > 0 || (difference === 0 && other?.isMarked === true && !release.isMarked))
      newest.set(release.series, release)
  }
  return [...newest.values()].map(({ id }) => id)
}
