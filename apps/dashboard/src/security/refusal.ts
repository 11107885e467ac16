/** The answer to a request that may not pass: one sentence, and nothing of the store. */
import type { Verdict } from './guard.ts'
import { emptyPolicy, securityHeaders } from './headers.ts'

/** The response to a refused request: a sentence as plain text, so that nothing in it can act as markup. */
export const refusal = ({ status, sentence }: Extract<Verdict, { kind: 'refuse' }>): Response =>
  new Response(`${sentence}\n`, {
    status,
    headers: {
      ...securityHeaders,
      'Content-Security-Policy': emptyPolicy,
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
    },
  })
