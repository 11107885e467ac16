/** What a stored summary must look like. Texts and lists beyond today's limits are cut to them, not refused. */
import { z } from 'zod'
import { cleanText, cutText } from './bounded-text.ts'
import { SAMPLE_SIZE } from './distinct-count.ts'
import { mergeSummaries } from './merge-summaries.ts'
import { SUMMARY_LIMITS, emptySummary, type ThreadSummary } from './thread-summary.ts'

const count = z.int().min(0)
const time = z.number().min(-8.64e15).max(8.64e15).nullable()
const seq = z.int().min(0).nullable()
const text = (maximum: number) => z.string().transform((value) => cutText(cleanText(value), maximum))
const position = { at: time, seq }

const userText = (maximum: number) => z.object({ text: text(maximum), ...position })
const exchange = (maximum: number) =>
  z.object({ question: text(maximum), answer: text(maximum), asked: z.boolean(), ...position })
const lastOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), dropped: count })
const sample = z
  .array(
    z
      .int()
      .min(0)
      .max(2 ** 32 - 1),
  )
  .max(SAMPLE_SIZE)
  .refine((hashes) => hashes.every((hash, index) => index === 0 || hash > (hashes[index - 1] ?? 0)), 'must ascend')
const newestOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), dropped: count, sample })

const limits = SUMMARY_LIMITS
const file = z.object({ path: text(limits.pathCharacters), ...position })

const schema: z.ZodType<ThreadSummary> = z.object({
  version: z.literal(1),
  madeAt: time,
  covered: z.object({ messages: count, firstSeq: seq, lastSeq: seq, firstAt: time, lastAt: time }),
  currentTask: userText(limits.currentTaskCharacters).nullable(),
  originalRequest: userText(limits.requestCharacters).nullable(),
  requests: lastOf(userText(limits.requestCharacters)),
  exchanges: lastOf(exchange(limits.exchangeCharacters)),
  openAnswer: userText(limits.exchangeCharacters).nullable(),
  openQuestion: z.object({ text: text(limits.exchangeCharacters), asked: z.boolean(), ...position }).nullable(),
  commits: newestOf(
    z.object({
      hash: z.string().regex(/^[0-9a-f]{7,64}$/),
      subject: text(limits.subjectCharacters),
      made: z.boolean(),
      ...position,
    }),
  ),
  filesEdited: newestOf(file),
  filesRead: newestOf(file),
  decisions: lastOf(exchange(limits.decisionCharacters)),
  tools: z.object({
    counts: z.array(z.object({ name: text(limits.toolNameCharacters), calls: count })),
    otherCalls: count,
  }),
})

/**
 * The summary in a parsed JSON value; texts and lists beyond the limits are cut to them, not refused. Or, as `problem`,
 * the first field that is damaged and why. Never throws.
 */
export const checkSummary = (value: unknown): { readonly summary: ThreadSummary } | { readonly problem: string } => {
  const { data, error } = schema.safeParse(value)
  // Merging applies the limits of lists.
  if (error === undefined) return { summary: mergeSummaries(emptySummary, data) }
  const [issue] = error.issues
  const field = issue === undefined || issue.path.length === 0 ? 'the whole' : issue.path.join('.')
  return { problem: `${field}: ${issue?.message ?? 'not a summary'}` }
}
