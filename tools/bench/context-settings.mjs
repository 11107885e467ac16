// What context policies are compared by: windows, prices, the policies as they are.

/** The settings of docs/replay.md. */
export const PREFIX = 20_000
export const LIFETIME = 300
/** A session counts as dearer from this ratio on. */
const DEARER = 1.02
export const MAIN_WINDOW = 200_000
export const WINDOWS = [200_000, 128_000, 64_000]
export const PRICES = {
  Anthropic: { input: 3, output: 15, write: 3.75, read: 0.3 },
  'OpenAI-like': { input: 1.25, output: 10, write: 1.25, read: 0.125 },
  'DeepSeek-like': { input: 0.28, output: 0.42, write: 0.28, read: 0.028 },
  'no cache': { input: 3, output: 15, write: 3, read: 3 },
}

/** The policies and presets as they are. */
export const STANDARD = [
  { label: 'none', policy: 'none' },
  { label: 'cline', policy: 'cline' },
  { label: 'clio', policy: 'clio' },
  ...['safe', 'quality', 'lean'].map((preset) => ({
    label: `cache-aware ${preset}`,
    policy: 'cache-aware',
    options: { preset },
  })),
]

/**
 * The sessions that cost more than {@link DEARER} times what the cheaper of `cline` and `clio` costs them.
 * @param {readonly string[]} files
 * @param {{ costs: ReadonlyMap<string, number> }} found
 * @param {readonly { costs: ReadonlyMap<string, number> }[]} others
 */
export const dearerThan = (files, { costs }, others) =>
  files.filter(
    (file) => (costs.get(file) ?? 0) > DEARER * Math.min(...others.map((other) => other.costs.get(file) ?? 0)),
  )
