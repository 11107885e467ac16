/** The output of a running command: lines for people; with --json, one document per line. */
import type { Context } from '../command.ts'

/** What a running command prints as it goes. */
export interface LiveReport {
  /** Prints a document with the time (`at`, ms), or the text, as the user asked. */
  readonly print: (document: Readonly<Record<string, unknown>>, text: string) => void
  /** Something that went wrong: on standard error, or as a document (`event: 'trouble'`) if documents are printed. */
  readonly note: (sentence: string) => void
  /** Tells what went wrong, as `note` does; a sentence that was told is not printed again. */
  readonly trouble: (sentence: string) => void
}

/**
 * Creates a report that prints each event at once, as JSON if `isJson`. `trouble` tells the same sentence once. Without
 * `isJson` troubles go to standard error.
 */
export const createLiveReport = (context: Context, isJson: boolean): LiveReport => {
  const { terminal, now } = context
  const told = new Set<string>()
  const note = (sentence: string): void => {
    if (isJson) void context.json({ event: 'trouble', message: sentence, at: now() })
    else terminal.note(sentence)
  }
  return {
    print: (document, text) => void (isJson ? context.json({ ...document, at: now() }) : terminal.line(text)),
    note,
    trouble: (sentence) => {
      if (told.has(sentence)) return
      told.add(sentence)
      note(sentence)
    },
  }
}
