/** Which of a workspace's rules count: on or off, the same text once, an override instead of what it overrides. */
import { estimateTokens } from '../../tokens/estimate.ts'
import { withoutImport } from './expand-imports.ts'
import { isInScope } from './rule-scope.ts'
import type { ReadRules } from './read-rules.ts'
import type { Rule, RuleFile, RuleSet } from './rule.ts'

/** Which files are switched on or off, by id; files that are not listed are on. */
export type Switches = Readonly<Record<string, boolean>>

/** Which rules are asked for. */
export interface RuleQuestion {
  /** Rules that hold for this file, relative to the workspace; default: that hold for all. */
  readonly file?: string
  readonly rules?: Switches
  readonly workflows?: Switches
}

/**
 * Returns the rules that were read, each with whether it applies: it is on, not replaced, not the same as another, and
 * in scope for `file` (relative to the workspace), or without `file` for every file. A text that two files share counts
 * once. Pure.
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

/** The part of a file's text that counts. */
interface CountedText {
  /** Empty where another one has all of it. */
  readonly text: string
  readonly sameAs?: string
}

/**
 * Returns what counts of each file's text, by id: a text that another file has or imports counts once. Files with the
 * wider scope come first, and of these the ones that every agent reads.
 * @param textOf texts of all rules files by id, including those that are off, because others may import them
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

/** The text without differences that don't matter: trailing blanks. */
const sameText = (text: string): string => text.replace(/[ \t]+$/gm, '').trim()

/** Wider scopes have lower numbers. */
const BREADTH = { always: 0, folder: 2, globs: 4, description: 6, manual: 8 } as const

/** Which file keeps a shared text: the lowest rank. */
const rank = ({ scope, agent }: RuleFile): number => BREADTH[scope.kind] + (agent === 'agents-md' ? 0 : 1)

/** Which file is replaced by which, by id: `AGENTS.override.md` replaces the `AGENTS.md` in its folder. */
const replacements = (rules: readonly RuleFile[]): ReadonlyMap<string, string> => {
  const ids = new Set(rules.map(({ id }) => id))
  const pairs = rules.flatMap(({ id }): readonly (readonly [string, string])[] => {
    const override = id.replace(/(^|\/)AGENTS\.md$/, '$1AGENTS.override.md')
    return override !== id && ids.has(override) ? [[id, override]] : []
  })
  return new Map(pairs)
}
