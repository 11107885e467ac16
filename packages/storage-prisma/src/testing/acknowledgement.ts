/** What a writer notes of an append as soon as the store has acknowledged it; a line of JSON in the writer's file. */
export type Acknowledgement = readonly [
  sessionId: string,
  seq: number,
  messageId: string,
  outputTokens: number,
  costNano: number,
  waitMs: number,
]

/** Name of the session that all writers append to. */
export const SHARED_SESSION = 'shared'
