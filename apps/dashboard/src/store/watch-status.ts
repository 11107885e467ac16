/** How following transcripts stands: bin/serve.mjs is told by whoever started it, and keeps it on globalThis. */
import 'server-only'
import { z } from 'zod'

const KEY = Symbol.for('cairn.dashboard.watch')

const watchStatusSchema = z.object({ text: z.string(), detail: z.string(), isTrouble: z.boolean() })

/** Whether transcripts are followed, in words. */
export type ShownWatchStatus = z.infer<typeof watchStatusSchema>

interface Holder {
  readonly [KEY]?: unknown
}

const holder: typeof globalThis & Holder = globalThis

/**
 * Returns what the program that started the dashboard says of following transcripts; null if it says nothing that is
 * understood.
 */
export const watchStatus = (): ShownWatchStatus | null => watchStatusSchema.safeParse(holder[KEY]).data ?? null
