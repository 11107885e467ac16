/** Tells the agent in what a policy leaves behind how it gets the whole back: from Cairn's recall tool. */
import type { RewriteDraft } from '../../../context/draft.ts'
import type { Policy } from '../../../context/policy.ts'
import type { ContextView } from '../../../context/view.ts'

/** The note, with the session to search in. */
const noteFor = (sessionId: string): string =>
  `[What was left out is kept: Cairn's recall tool finds it by its words, with session "${sessionId}".]`

/**
 * The policy, with the note in each of its rewrites: behind the first text that it puts in, or else behind the first
 * notice that it leaves in place of a result. A rewrite with neither is as it was.
 */
export const withRecallNote = (policy: Policy, sessionId: string): Policy => ({
  ...policy,
  start: (view) => {
    const run = policy.start(view)
    return {
      decide: (situation) => {
        const draft = run.decide(situation)
        return draft === undefined ? undefined : noted(draft, view, noteFor(sessionId))
      },
      get expectedCut() {
        return run.expectedCut
      },
    }
  },
})

/**
 * The draft with the note behind its first inserted text, or else behind the first shortened result; unchanged if it
 * has neither.
 */
const noted = (draft: RewriteDraft, view: ContextView, note: string): RewriteDraft => {
  const [first, ...others] = draft.insertions ?? []
  if (first !== undefined) return { ...draft, insertions: [{ ...first, text: `${first.text}\n${note}` }, ...others] }
  const at = draft.changes.findIndex(
    ({ seq, block, text }) => text !== undefined && view.block(seq, block)?.source.original.type === 'tool_result',
  )
  const change = draft.changes[at]
  if (change?.text === undefined) return draft
  return { ...draft, changes: draft.changes.with(at, { ...change, text: `${change.text}\n${note}` }) }
}
