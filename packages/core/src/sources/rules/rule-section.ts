/** The rules of a workspace as a part of a system prompt. */
import { escapeTags, wrapInTag } from '../../summary/markup.ts'
import { estimateTokens } from '../../tokens/estimate.ts'
import { visibleName, visibleText } from '../mentions/delimited.ts'
import type { RuleSet } from './rule.ts'

/** The rules as they go into a prompt. */
export interface RuleSection {
  /** Empty where no rules hold. */
  readonly text: string
  /** Ids of the files whose text is in it, in order. */
  readonly ids: readonly string[]
  /** Ids of those that hold and did not fit. */
  readonly leftOut: readonly string[]
  /** Estimated, of the text. */
  readonly tokens: number
}

const HEAD =
  'Rules of the project, from the files that are named. Of two that contradict each other the later one holds.'
/** Twice what Codex reads of one file. */
const MOST_TOKENS = 16_000

/**
 * Returns the rules of a set that apply, in tags, within `maxTokens` (estimated, without what stands around them). From
 * the last one back, as later ones take precedence, each file is taken that still fits, whole; the others are in
 * `leftOut`. What is taken stands in order. Hidden characters are made visible.
 */
export const ruleSection = ({ rules }: Pick<RuleSet, 'rules'>, maxTokens = MOST_TOKENS): RuleSection => {
  const applying = rules.filter(({ applies }) => applies)
  const ids: string[] = []
  const leftOut: string[] = []
  const texts: string[] = []
  let left = maxTokens
  for (const { id, text } of applying.toReversed()) {
    const part = `From ${visibleName(id)}:\n\n${visibleText(text).trim()}`
    const tokens = estimateTokens(part)
    if (tokens > left) leftOut.unshift(id)
    else {
      left -= tokens
      ids.unshift(id)
      texts.unshift(part)
    }
  }
  const text = ids.length === 0 ? '' : wrapInTag('project_rules', escapeTags([HEAD, ...texts].join('\n\n')))
  return { text, ids, leftOut, tokens: estimateTokens(text) }
}
