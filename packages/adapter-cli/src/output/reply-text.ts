/**
 * Writes a model's reply to standard output. On a terminal it is streamed; elsewhere it is written once complete,
 * because a failed attempt may have started to answer.
 */
import type { ContentBlock, RequestEvent } from '@cairn/core'
import { neutralise } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Writes one reply to standard output. */
export interface ReplyText {
  /** Takes the request's next event. At a retry what was streamed stays, and its line is ended. */
  take(event: RequestEvent): Promise<void>
  /** The request has ended; `content` is the whole reply, empty where there is none. */
  end(content: readonly ContentBlock[]): Promise<void>
}

/** The first half of a line break or of a surrogate pair, which is shown with what follows. */
const UNFINISHED = /[\r\ud800-\udbff]$/

/**
 * Creates a writer of one reply to standard output, made safe to print: streamed on a terminal, otherwise written at
 * its end. With `isShown: false` nothing is written. `end` writes a line end if the reply has none.
 */
export const createReplyText = (
  terminal: Pick<Terminal, 'write' | 'isOutputTerminal'>,
  { isShown }: { readonly isShown: boolean },
): ReplyText => {
  const isLive = isShown && terminal.isOutputTerminal
  let held = ''
  let isInLine = false
  let hasBlock = false
  const write = async (text: string): Promise<void> => {
    if (text === '') return
    isInLine = !text.endsWith('\n')
    await terminal.write(neutralise(text))
  }
  const flush = async (): Promise<void> => {
    const rest = held
    held = ''
    await write(rest)
    if (isInLine) await write('\n')
  }
  return {
    take: async (event) => {
      if (!isLive) return
      if (event.type === 'text') {
        if (hasBlock) await write('\n\n')
        hasBlock = false
        const text = held + event.text
        held = UNFINISHED.exec(text)?.[0] ?? ''
        await write(text.slice(0, text.length - held.length))
      } else if (event.type === 'block' && event.block.type === 'text') hasBlock = true
      else if (event.type === 'retry') {
        hasBlock = false
        await flush()
      }
    },
    end: async (content) => {
      if (isLive) return flush()
      if (!isShown) return
      await write(content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n'))
      await flush()
    },
  }
}
