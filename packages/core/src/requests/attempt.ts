/** What came of one attempt at a request, told by its events. */
import { visibleCharacters, type ContentBlock } from '../messages.ts'
import type { ModelEvent } from '../ports/language-model.ts'
import type { TokenUsage } from '../ports/price-book.ts'
import type { RequestLatency } from '../ports/usage-storage.ts'

/** Takes the events of an attempt and keeps what has to be recorded of it. */
export class Attempt {
  /** From 1. */
  readonly number: number
  /** When it was sent, ms. */
  readonly startedAt: number
  readonly #blocks: ContentBlock[] = []
  /** Pieces of blocks that are not whole yet. */
  #text: string[] = []
  #thinking: string[] = []
  readonly #calls = new Map<string, number>()
  #usage: TokenUsage | undefined
  #firstTokenAt: number | undefined

  constructor(number: number, startedAt: number) {
    this.number = number
    this.startedAt = startedAt
  }

  /**
   * Takes the attempt's next event, which came at `now` (ms). Keeps its blocks, its pieces of text and thinking, how
   * many characters of each call came, and the last usage; `retry` and `done` change nothing. The first piece or block
   * sets the time of the first token.
   */
  take(event: ModelEvent, now: number): void {
    switch (event.type) {
      case 'text':
        this.#text.push(event.text)
        break
      case 'thinking':
        this.#thinking.push(event.text)
        break
      case 'tool-call-progress':
        this.#calls.set(event.id, (this.#calls.get(event.id) ?? event.name.length) + event.piece.length)
        break
      case 'block':
        this.#takeBlock(event.block)
        break
      case 'usage':
        this.#usage = event.usage
        return
      case 'retry':
      case 'done':
        return
    }
    this.#firstTokenAt ??= now
  }

  /** The blocks that are whole, in order. */
  get blocks(): readonly ContentBlock[] {
    return this.#blocks
  }

  /** What the provider has said until now of what was used; undefined before it said anything. */
  get usage(): TokenUsage | undefined {
    return this.#usage
  }

  /** Whether a part of the reply came: then the provider bills the attempt, whether it said so or not. */
  get hasBegun(): boolean {
    return this.#firstTokenAt !== undefined
  }

  /** Characters of the reply that came so far, those of blocks that are not whole included. */
  get visibleCharacters(): number {
    const pieces = [...this.#text, ...this.#thinking].reduce((sum, piece) => sum + piece.length, 0)
    const calls = [...this.#calls.values()].reduce((sum, characters) => sum + characters, 0)
    return visibleCharacters(this.#blocks) + pieces + calls
  }

  /**
   * What a person can read of a reply that broke off: its texts and its reasoning, unsigned, in order, pieces of blocks
   * that are not whole at the end. Tool calls, which were never run, and blocks of any other kind are left out.
   */
  get readableBlocks(): readonly ContentBlock[] {
    const whole = this.#blocks.flatMap((block): readonly ContentBlock[] => {
      if (block.type === 'text') return [block]
      return block.type === 'thinking' && block.text !== '' ? [{ type: 'thinking', text: block.text }] : []
    })
    const [thinking, text] = [this.#thinking.join(''), this.#text.join('')]
    return [
      ...whole,
      ...(thinking === '' ? [] : [{ type: 'thinking', text: thinking } as const]),
      ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ]
  }

  /** How long it took until its end at `now` (ms); undefined where nothing of a reply came. */
  latencyAt(now: number): RequestLatency | undefined {
    if (this.#firstTokenAt === undefined) return undefined
    const totalMs = Math.max(0, now - this.startedAt)
    return { firstTokenMs: Math.min(totalMs, Math.max(0, this.#firstTokenAt - this.startedAt)), totalMs }
  }

  /** Adds a whole block; the pieces that it came in are dropped. */
  #takeBlock(block: ContentBlock): void {
    this.#blocks.push(block)
    if (block.type === 'text') this.#text = []
    else if (block.type === 'thinking') this.#thinking = []
    else if (block.type === 'tool_call') this.#calls.delete(block.id)
  }
}
