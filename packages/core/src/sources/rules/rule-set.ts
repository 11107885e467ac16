/** Which of a workspace's rules count: on or off, the same text once, an override instead of what it overrides. */
import { estimateTokens } from '../../tokens/estimate.ts'
import { withoutImport } from './expand-imports.ts'
import { isInScope } from './rule-scope.ts'
import type { ReadRules } from './read-rules.ts'
import type { Rule, RuleFile, RuleSet } from './rule.ts'

/** Files that are switched, by their id; all others are on. */
export type Switches = Readonly<Record<string, boolean>>

export interface RuleQuestion {
  /** Rules that hold for this file, relative to the workspace; default: that hold for all. */
  readonly file?: string
  readonly rules?: Switches
  readonly workflows?: Switches
}

/**
 * The rules that were read, with whether each applies: to `file` (relative to the workspace), or without one to
 * everything, and is not switched off. A text that two files have counts once. Pure.
 */
export const ruleSet = (
  { rules, workflows, problems }: ReadRules,
  { file, rules: switches = {}, workflows: workflowSwitches = {} }: RuleQuestion = {},
): RuleSet => {
  const isOn = (id: string, given: Switches): boolean => !Object.hasOwn(given, id) || given[id] !== false
  const on = rules.filter(({ id }) => isOn(id, switches))
  const replaced = replacements(on)
  const texts = countedTexts(
    on.filter(({ id }) => !replaced.has(id)),
    new Map(rules.map(({ id, text }) => [id, text])),
  )
  const counted = rules.map((one): Rule => {
    const replacedBy = replaced.get(one.id)
    const { text = '', sameAs } = texts.get(one.id) ?? {}
    return {
      ...one,
      text: text === '' ? one.text : text,
      isOn: isOn(one.id, switches),
      ...(sameAs === undefined ? {} : { sameAs }),
      ...(replacedBy === undefined ? {} : { replacedBy }),
      textTokens: estimateTokens(one.text),
      tokens: estimateTokens(text),
      applies: text !== '' && isInScope(one.scope, file),
    }
  })
  return {
    rules: counted,
    workflows: workflows.map((one) => ({
      ...one,
      isOn: isOn(one.id, workflowSwitches),
      tokens: estimateTokens(one.text),
    })),
    tokens: counted.reduce((sum, { applies, tokens }) => sum + (applies ? tokens : 0), 0),
    problems,
  }
}

interface CountedText {
  /** Empty where another one has all of it. */
  readonly text: string
  readonly sameAs?: string
}

/**
 * What is counted of each, by its id: a text that another one has, or imports, once. Those that hold for more files come
 * first, and of these the ones that every agent reads.
 * @param textOf texts of all rules files by their id, those that are off, too: others may import them
 */
const countedTexts = (
  rules: readonly RuleFile[],
  textOf: ReadonlyMap<string, string>,
): ReadonlyMap<string, CountedText> => {
  const counted = new Map<string, CountedText>()
  /** Whose text stands in which one that counts: by file, and by the text itself. */
  const byFile = new Map<string, string>()
  const byText = new Map<string, string>()
  const ordered = [...rules].sort((left, right) => rank(left) - rank(right))
  for (const { id, text: whole, imports } of ordered) {
    const holder = byFile.get(id) ?? byText.get(sameText(whole))
    if (holder !== undefined) {
      counted.set(id, { text: '', sameAs: holder })
      continue
    }
    let text = whole
    let elsewhere: string | undefined
    for (const imported of imports) {
      const own = textOf.get(imported)
      const known = byFile.get(imported) ?? (own === undefined ? undefined : byText.get(sameText(own)))
      elsewhere ??= known
      if (known !== undefined) text = withoutImport(text, imported, known)
    }
    const isEmpty = sameText(text.replace(/<!--[^>]*-->/g, '')) === ''
    counted.set(id, elsewhere !== undefined && isEmpty ? { text: '', sameAs: elsewhere } : { text })
    byText.set(sameText(whole), id)
    for (const file of [id, ...imports]) {
      if (byFile.has(file)) continue
      byFile.set(file, id)
      const own = textOf.get(file)
      if (own !== undefined && !byText.has(sameText(own))) byText.set(sameText(own), id)
    }
  }
  return counted
}

const sameText = (text: string): string => text.replace(/[ \t]+$/gm, '').trim()

const BREADTH = { always: 0, folder: 2, globs: 4, description: 6, manual: 8 } as const

const rank = ({ scope, agent }: RuleFile): number => BREADTH[scope.kind] + (agent === 'agents-md' ? 0 : 1)

/** `AGENTS.override.md` takes the place of the `AGENTS.md` beside it. */
const replacements = (rules: readonly RuleFile[]): ReadonlyMap<string, string> => {
  const ids = new Set(rules.map(({ id }) => id))
  const pairs = rules.flatMap(({ id }): readonly (readonly [string, string])[] => {
    const override = id.replace(/(^|\/)AGENTS\.md$/, '$1AGENTS.override.md')
    return override !== id && ids.has(override) ? [[id, override]] : []
  })
  return new Map(pairs)
}
