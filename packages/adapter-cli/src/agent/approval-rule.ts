/** Parses `--rule "allow command npm test"`. */
import { CairnError, echoed } from '@cairn/core'
import type { ApprovalRule } from '@cairn/core/agent'

const RULE = /^(allow|ask|deny)\s+(tool|path|command)\s+(\S[\s\S]*)$/

/**
 * Parses a rule: allow, ask or deny; then tool, path or command; then a value, such as "allow command npm test". The
 * value is all that follows, with its case and inner spaces, without spaces at the ends.
 * @throws CairnError `usage` for any other text
 */
export const readRule = (text: string): ApprovalRule => {
  const [, decision, what, value] = RULE.exec(text.trim()) ?? []
  if (decision === undefined || what === undefined || value === undefined)
    throw new CairnError(
      'usage',
      `--rule takes allow, ask or deny, then tool, path or command, then which: "allow command npm test", not '${echoed(text)}'.`,
    )
  return { decision: decision as ApprovalRule['decision'], [what]: value.trim() }
}
