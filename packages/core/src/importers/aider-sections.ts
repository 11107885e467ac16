/**
 * Finds the sections of a chat history of Aider, which is Markdown: `# aider chat started at …`, what the user typed
 * (`#### …`), replies, and what the program printed (`> …`). The program ends its own lines with two blanks; so a heading
 * or a quotation in a reply is told from them.
 */
import { isRequest, userWords } from '../user-words/user-words.ts'
import { optional } from './importer.ts'
import { titleFrom } from './line-values.ts'

/** A part of a chat, as it is stored and parsed. */
export interface ChatSection {
  readonly type: 'user' | 'reply' | 'output'
  /** When the chat began, by the local clock: `2025-07-15 11:38:37`; absent for what stands before the first chat. */
  readonly chat?: string
  /** Its place in the chat, from 1. */
  readonly number: number
  readonly text: string
  readonly model?: string
  /** Of a reply: what the program printed of its tokens and cost. */
  readonly usage?: string
  /** The chat's title, where this section gives it. */
  readonly title?: string
}

/** What is known of a chat from its sections so far; JSON. */
export interface ChatState {
  readonly chat?: string
  readonly number: number
  readonly model?: string
  /** Whether the chat has a title that a later section does not better. */
  readonly isTitled: boolean
}

export const NO_CHAT: ChatState = { number: 0, isTitled: false }

const STARTED = /^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/
const USER = '#### '
const OUTPUT = '> '
const END = '  '
const TOKENS = /^Tokens: \S+ sent\b.*\breceived\./
const COST = /^Cost: \$\S+ message\b/
const MODEL = /^(?:Main model|Models?): (\S+?),?(?:\s|$)/
/** Commands that hand the rest of the line to the model. */
const ASKING_COMMANDS = /^\/(?:ask|code|architect|context|help)\s+/
/** What a question of the program looks like in the user's section. */
const ANSWERED_QUESTION = /\(Y\)es\/\(N\)o/

/**
 * Whether a user's text is the answer to one of the program's yes/no questions, and so nothing that the model was
 * asked.
 */
export const isAnswer = (text: string): boolean => ANSWERED_QUESTION.test(text)

type Open = { readonly type: ChatSection['type']; readonly lines: string[] }

/** Takes a history line by line; sections come out as they end. */
export class ChatSections {
  #state: ChatState
  #open: Open | undefined
  /** A report of tokens whose cost stands in the next line. */
  #report: string | undefined
  /** The program prints a text of several lines. */
  #isPrinting = false

  constructor(state: ChatState) {
    this.#state = state
  }

  /** After the sections that came out so far. */
  get state(): ChatState {
    return this.#state
  }

  /** Whether nothing is open: what follows does not belong to what was read. */
  get isBetween(): boolean {
    return this.#open === undefined && this.#report === undefined
  }

  /**
   * Takes a line without its end. A chat, a report of costs, output of the program and the user's words begin by their
   * marks; a blank line ends what is no reply; all else is the reply's.
   * @returns the sections that end with or before it
   */
  take(line: string): readonly ChatSection[] {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    if (this.#report !== undefined) return this.#takeCost(text)
    const started = STARTED.exec(text)?.[1]
    if (started !== undefined) return this.#start(started)
    if (text.startsWith(USER) && text.endsWith(END)) return this.#add('user', text.slice(USER.length))
    if (text.startsWith(OUTPUT) && this.#isPrinted(text)) return this.#print(text.slice(OUTPUT.length))
    if (this.#isPrinting && text.trim() !== '') return this.#print(text)
    if (text.trim() === '' && this.#open?.type !== 'reply') return this.end()
    return this.#add('reply', text)
  }

  /**
   * Ends the section that is open, as at the end of the file.
   * @returns it, as a list of one; empty when none is, or it has neither text nor usage
   */
  end(): readonly ChatSection[] {
    const usage = this.#report
    const open = this.#open
    this.#open = undefined
    this.#report = undefined
    this.#isPrinting = false
    if (open === undefined) return usage === undefined ? [] : [this.#section('reply', '', usage)]
    const text = open.lines
      .map((line) => (open.type === 'reply' ? line : line.trimEnd()))
      .join('\n')
      .trim()
    return text === '' && usage === undefined ? [] : [this.#section(open.type, text, usage)]
  }

  /** Whether the program printed a line, and no reply quotes it. */
  #isPrinted(line: string): boolean {
    return line.endsWith(END) || TOKENS.test(line.slice(OUTPUT.length)) || this.#open?.type !== 'reply'
  }

  /**
   * Begins a chat, with no model and title; returns the sections that this ends. A chat of the same second as the one
   * before goes on in that.
   */
  #start(started: string): readonly ChatSection[] {
    const ended = this.end()
    // Two chats that began in the same second go on in one.
    if (started !== this.#state.chat) this.#state = { ...NO_CHAT, chat: started }
    return ended
  }

  /** Adds a line to the open section; one of another type is ended first and returned. Empty if none was. */
  #add(type: ChatSection['type'], line: string): readonly ChatSection[] {
    const ended = this.#open === undefined || this.#open.type === type ? [] : this.end()
    this.#isPrinting = false
    this.#open ??= { type, lines: [] }
    this.#open.lines.push(line)
    return ended
  }

  /**
   * Takes a line that the program printed, which may name the model or report tokens; the last of several ends with two
   * blanks. Returns the sections that this ends.
   */
  #print(line: string): readonly ChatSection[] {
    const model = MODEL.exec(line)?.[1]
    const ended = TOKENS.test(line) ? this.#takeTokens(line.trimEnd()) : this.#add('output', line)
    this.#isPrinting = this.#open?.type === 'output' && !line.endsWith(END)
    if (model !== undefined) this.#state = { ...this.#state, model }
    return ended
  }

  /**
   * Takes a printed report of tokens, which belongs to the reply before it. With both kinds of cached tokens its cost
   * stands in a line of its own. Returns the sections that this ends.
   */
  #takeTokens(line: string): readonly ChatSection[] {
    const ended = this.#open === undefined || this.#open.type === 'reply' ? [] : this.end()
    this.#report = line
    const isWhole = / Cost: /.test(line) || !(line.includes('cache write') && line.includes('cache hit'))
    return isWhole ? [...ended, ...this.end()] : ended
  }

  /**
   * Takes the line that may continue a printed report of cost; if it does not, it is an ordinary line. Returns the
   * sections that this ends.
   */
  #takeCost(line: string): readonly ChatSection[] {
    const printed = line.startsWith(OUTPUT) ? line.slice(OUTPUT.length) : line
    if (!COST.test(printed)) return [...this.end(), ...this.take(line)]
    this.#report = `${this.#report ?? ''} ${printed.trimEnd()}`
    return this.end()
  }

  /** Makes a section with the chat's next number, which is counted. A question of the user may title it. */
  #section(type: ChatSection['type'], text: string, usage: string | undefined): ChatSection {
    const { chat, model, number } = this.#state
    const title = type === 'user' ? this.#titleOf(text) : undefined
    this.#state = { ...this.#state, number: number + 1 }
    return {
      type,
      ...optional('chat', chat),
      number: number + 1,
      text,
      ...optional('model', model),
      ...optional('usage', usage),
      ...optional('title', title),
    }
  }

  /**
   * A title made of the user's text: of the first request, or of a greeting until then; commands and answers give none.
   * Undefined once a request has given the chat its title, which is noted.
   */
  #titleOf(text: string): string | undefined {
    const asked = text.replace(ASKING_COMMANDS, '')
    if (this.#state.isTitled || isAnswer(text) || /^[/!]/.test(asked)) return undefined
    const words = userWords([asked])
    const title = words === undefined ? undefined : titleFrom(words)
    if (words !== undefined && title !== undefined) this.#state = { ...this.#state, isTitled: isRequest(words) }
    return title
  }
}
