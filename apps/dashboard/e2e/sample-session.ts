/** A long session with all that a conversation can hold, some of it hostile: for the session's page. */
import type { ContentBlock, EntryWrite, Store } from '@cairn/core'
import { random } from './synthetic-usage.ts'

export const LONG_SESSION = 'claude-code:long/../session?#1'

/** What a page must show as text, and nothing else. */
export const HOSTILE =
  '<script>window.broken = 1</script> [a link](javascript:alert(1)) \u001b[31mred\u001b[0m <img src=x onerror=alert(1)>'

/** One pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const QUESTIONS = [
  'The total of the basket is wrong when a voucher is used twice. Can you find out why?',
  'Good. Now write a test that fails without the fix.',
  'What did we decide about rounding last week?',
  'Run the whole suite, please, and tell me what is slow.',
] as const
const FILES = [
  'src/basket/total.ts',
  'src/basket/voucher.ts',
  'src/money/round.ts',
  'test/basket/total.test.ts',
  'README.md',
] as const
const THOUGHTS =
  'The voucher is applied before rounding in one place and after it in the other. If both paths are taken, a cent is lost per line. I should look at where applyVoucher is called, and whether the sum is over rounded or unrounded lines.'

const codeOf = (file: string, lines: number): string =>
  Array.from(
    { length: lines },
    (_, line) => `${String(line + 1).padStart(4)}  export const line${line} = total(${line}) // ${file}`,
  ).join('\n')

/**
 * Appends a session of `count` entries: questions, replies with requests, tool calls with results, images, a subagent
 * and compactions.
 * @param now when it ends, ms
 */
export const addLongSession = async (store: Store, count: number, now: number): Promise<void> => {
  const next = random(7)
  const begin = now - count * 4_000
  let context = 14_000
  let call = 0
  const contentOf = (
    seq: number,
  ): { readonly role: 'user' | 'assistant'; readonly content: readonly ContentBlock[] } => {
    const step = seq % 6
    const file = FILES[Math.floor(seq / 6) % FILES.length] ?? FILES[0]
    if (seq === 7) return { role: 'assistant', content: [{ type: 'text', text: HOSTILE }] }
    if (seq === 13)
      return {
        role: 'user',
        content: [
          { type: 'text', text: 'This is how it looks:' },
          { type: 'image', mediaType: 'image/png', data: PIXEL },
          { type: 'image', mediaType: 'image/svg+xml', data: 'PHN2Zy8+' },
        ],
      }
    if (step === 0)
      return {
        role: 'user',
        content: [{ type: 'text', text: QUESTIONS[Math.floor(seq / 6) % QUESTIONS.length] ?? QUESTIONS[0] }],
      }
    if (step === 1)
      return {
        role: 'assistant',
        content: [
          { type: 'thinking', text: THOUGHTS },
          {
            type: 'text',
            text: `I will look at ${file} first.\n\nThe lines that matter are where the voucher is applied; entry ${seq} of this session says so.`,
          },
        ],
      }
    if (step === 2 || step === 4) {
      call = seq
      return {
        role: 'assistant',
        content: [
          {
            type: 'tool_call',
            id: `call-${seq}`,
            name: step === 2 ? 'Read' : 'Edit',
            input: {
              file_path: `/home/ann/code/checkout/${file}`,
              ...(step === 4 ? { old_string: 'round(total)', new_string: 'total' } : {}),
            },
          },
        ],
      }
    }
    return {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          callId: `call-${call}`,
          content: [
            { type: 'text', text: step === 3 ? codeOf(file, 4 + Math.floor(next() * 60)) : 'The file was changed.' },
          ],
          isError: seq % 97 === 5,
        },
      ],
    }
  }

  const facts = {
    id: LONG_SESSION,
    agent: 'claude-code',
    externalId: 'long/../session?#1',
    workspace: '/home/ann/code/checkout',
    branch: 'fix/checkout-total',
    title: 'Fix the total of the basket when a voucher is used twice',
  }
  const batch = 1_000
  for (let from = 0; from < count; from += batch) {
    const writes: EntryWrite[] = []
    for (let seq = from; seq < Math.min(count, from + batch); seq += 1) {
      const at = begin + seq * 4_000
      if (seq > 0 && seq % Math.max(90, Math.floor(count / 5)) === 0) {
        writes.push({
          entry: { kind: 'compaction', at, trigger: 'auto', tokensBefore: context },
          externalId: `c${seq}`,
        })
        context = 16_000
        continue
      }
      const { role, content } = contentOf(seq)
      const isSub = seq % 60 >= 50 && seq % 60 < 54
      const grown = 200 + Math.floor(next() * 1_600)
      const tokens = {
        inputTokens: 6,
        cacheReadTokens: context,
        cacheWrite5mTokens: grown,
        cacheWrite1hTokens: 0,
        outputTokens: 150 + Math.floor(next() * 600),
      }
      if (role === 'assistant') context += Math.min(grown, Math.max(20, Math.floor(1_000_000 / count)))
      writes.push({
        entry: {
          kind: 'message',
          at,
          role,
          id: `m${seq}`,
          content,
          ...(isSub ? { subagent: 'explore-1' } : {}),
          ...(role === 'assistant' ? { model: 'claude-sonnet-4-5' } : {}),
        },
        externalId: `m${seq}`,
        ...(role === 'assistant'
          ? {
              visibleCharacters: 300,
              request: {
                callId: `long-${seq}`,
                at,
                model: 'claude-sonnet-4-5',
                ...tokens,
                ...(isSub ? { subagent: 'explore-1' } : {}),
                costNano:
                  BigInt(tokens.cacheReadTokens) * 300n +
                  BigInt(grown) * 3_750n +
                  BigInt(tokens.outputTokens) * 15_000n +
                  18_000n,
                costState: 'computed' as const,
                costSplit: {
                  cacheReadNano: BigInt(tokens.cacheReadTokens) * 300n,
                  cacheWriteNano: BigInt(grown) * 3_750n,
                  outputNano: BigInt(tokens.outputTokens) * 15_000n,
                  savedNano: BigInt(tokens.cacheReadTokens) * 2_700n - BigInt(grown) * 750n,
                },
              },
            }
          : {}),
      })
    }
    const result = await store.sessions.append(facts, from, writes)
    if (!result.ok) throw new Error('the long session is there already')
  }
}
