/** What a writer of memory entries notes as soon as the store has acknowledged one; a line of JSON in the writer's file. */
export type Remembered = readonly [id: string, writer: string, number: number, waitMs: number]

export const SHARED_WORKSPACE = '/work/shared'

/** The text of a writer's memory entry: told from all others by its words; long enough that half of it would show. */
export const rememberedText = (writer: string, number: number): string =>
  `Writer ${writer} learnt fact number ${number}: ${`part ${writer} of ${number}, `.repeat(number % 40)}and that is all.`
