// A rule that is switched off by a comment is switched off for a reason, which stands behind `--`.
const DISABLES = /^\s*eslint-disable(?:-line|-next-line)?\b/
const REASON = /\s--\s+\S/

/** @type {import('eslint').Rule.RuleModule} */
export const disableReason = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { reason: 'Say why after two dashes: eslint-disable-next-line <rule> -- <reason>' },
  },
  /** Reports every comment that disables a rule and gives no reason. */
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments())
        if (DISABLES.test(comment.value) && !REASON.test(comment.value))
          context.report({ loc: comment.loc, messageId: 'reason' })
    },
  }),
}
