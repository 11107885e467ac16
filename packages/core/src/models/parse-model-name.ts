/**
 * The bare name of a model, without what tells how it is reached: a gateway's path, a region, a vendor, a version, a
 * variant. A window size at the end of the name is kept apart, because it changes a fact.
 */

/** The parts of a model's name. */
export interface ModelName {
  /** Names to look up, the likeliest first; lower case. */
  readonly names: readonly string[]
  /** The window that the name itself asks for: `[1m]`, `:200k`; tokens. */
  readonly contextWindow: number | undefined
}

/** How Amazon writes its models: `us.anthropic.claude-opus-4-6-v1:0`. */
const BEDROCK =
  /^(?:(?:us|eu|apac|global|regional|jp|au|ca|us-gov)\.)?(ai21|amazon|anthropic|cohere|deepseek|google|meta|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|writer|zai)\.(.+)$/
const VERSION = /-v\d+(?::\d+)?$/
const VERSION_WITH_REVISION = /-v\d+:\d+$/
const SIZE = /(?:\[(\d+)([km])\]|:(\d+)([km]))$/
const VARIANT = /(?:\[[^\]]*\]|:(?:thinking|beta|extended|online|nitro|floor|exacto|free|latest|cloud)|@[^@]*)$/
const UNITS: Readonly<Record<string, number>> = { k: 1000, m: 1_000_000 }

/**
 * Takes a model's name apart. `names` are in lower case, without vendor, region and Amazon's version (`-v1:0`); one of
 * Amazon's has a second that begins with the vendor. `contextWindow` is that of a mark such as `[1m]`, undefined
 * without one.
 * @param model as an agent writes it, e.g. `anthropic/claude-sonnet-4.5`, `claude-opus-4-5@20251101`, `sonnet[1m]`
 */
export const parseModelName = (model: string): ModelName => {
  const { rest, contextWindow } = withoutMarks(model.trim().toLowerCase())
  const last = rest.split('/').findLast((part) => part !== '') ?? ''
  const bedrock = BEDROCK.exec(last)
  if (bedrock === null) return { names: [last.replace(VERSION_WITH_REVISION, '')], contextWindow }
  const [vendor = '', name = ''] = bedrock.slice(1)
  const short = name.replace(VERSION, '')
  // `deepseek.r1-v1:0` names the model by its vendor.
  return { names: [short, `${vendor}-${short}`], contextWindow }
}

/** The name without the marks at its end, and the window (tokens) that the last mark of a size asks for. */
const withoutMarks = (name: string): { readonly rest: string; readonly contextWindow: number | undefined } => {
  let rest = name
  let contextWindow: number | undefined
  for (;;) {
    const size = SIZE.exec(rest)
    const mark = size ?? VARIANT.exec(rest)
    if (mark === null) return { rest, contextWindow }
    if (size !== null) contextWindow ??= windowOf(size)
    rest = rest.slice(0, mark.index)
  }
}

/** The window that a name tells, in tokens; undefined where it tells none. */
const windowOf = ([, bracketed, bracketedUnit = '', size, unit = '']: RegExpExecArray): number | undefined => {
  const window = Number(bracketed ?? size ?? 0) * (UNITS[bracketedUnit === '' ? unit : bracketedUnit] ?? 0)
  return window > 0 ? window : undefined
}
