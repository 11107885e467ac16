/** Messages typed on a terminal, with a line editor: history, completion, pastes, several lines. */
import { createInterface, type Interface } from 'node:readline'
import { createMessageLines, type ChatInput, type Typed } from './chat-input.ts'
import { openKeyboard, type Keyboard, type KeyboardOptions } from './keyboard.ts'
import { createPastes } from './pastes.ts'

/** Earlier messages, for the arrow keys. */
export interface EditorHistory {
  /** The newest first. */
  readonly entries: readonly string[]
  /** Keeps a message that was sent. */
  add(text: string): void
}

/** What the line editor works with. */
export interface EditorOptions extends Pick<KeyboardOptions, 'input' | 'output' | 'onInterrupt'> {
  /** The prompt of a message, and that of its further lines; asked for again each time. */
  readonly prompts: () => readonly [string, string]
  readonly history: EditorHistory
  /** What the end of a line may become, and that end. */
  readonly complete: (line: string) => Promise<readonly [readonly string[], string]>
}

/** Stands for a line break of an earlier message in the line. */
const BREAK = '⏎'
/** Messages that the arrow keys go back to. */
const HISTORY_SIZE = 500

/** A message as one line. */
const onOneLine = (text: string): string => text.replaceAll('\n', BREAK)

/**
 * Takes over the terminal until closed, with a line editor that has history and completion. What is typed between two
 * questions stays in the next line, unsent.
 */
export const openLineEditor = (options: EditorOptions): ChatInput => new LineEditor(options)

class LineEditor implements ChatInput {
  readonly #options: EditorOptions
  readonly #pastes = createPastes()
  readonly #keyboard: Keyboard
  /** What was sent, as it stood in the line; the newest first. */
  readonly #lines: string[]
  #hasEnded = false
  #active: Interface | undefined

  constructor(options: EditorOptions) {
    this.#options = options
    this.#lines = options.history.entries.map(onOneLine)
    this.#keyboard = openKeyboard({
      ...options,
      paste: (text) => this.#pastes.keep(text),
      onEnd: () => {
        this.#hasEnded = true
        this.#active?.close()
      },
    })
  }

  /**
   * Returns the next message typed, with pastes as they were; it goes into the history unless it is blank. Ctrl-C
   * empties a line with text and is `interrupt` without any; the end of the input is `end`, also for ever after. Of
   * messages and questions only one may be open.
   */
  message(): Promise<Typed> {
    return new Promise((resolve) => {
      if (this.#hasEnded) {
        resolve({ kind: 'end' })
        return
      }
      const { output, prompts } = this.#options
      const typed = createMessageLines()
      const editor = this.#open(this.#lines)
      const finish = (result: Typed): void => {
        this.#shut(editor)
        resolve(result)
      }
      editor.on('line', (line) => {
        const shown = typed.add(line)
        if (shown === undefined) ask(editor, prompts()[1])
        else finish({ kind: 'message', text: this.#sent(shown) })
      })
      editor.on('SIGINT', () => {
        const hasText = editor.line !== '' || !typed.isEmpty
        output.write('\n')
        if (!hasText) {
          finish({ kind: 'interrupt' })
          return
        }
        typed.clear()
        editor.write(null, { ctrl: true, name: 'e' })
        editor.write(null, { ctrl: true, name: 'u' })
        ask(editor, prompts()[0])
      })
      editor.on('close', () => {
        if (this.#active !== editor) return
        output.write('\n')
        finish({ kind: 'end' })
      })
      ask(editor, prompts()[0])
      this.#keyboard.begin({ ahead: true })
    })
  }

  /**
   * The answer to a question; undefined if it is aborted, the input has ended, or Ctrl-C is pressed, which also calls
   * `onInterrupt`. Keys typed before it is asked are no answer. It does not go into the history.
   */
  ask(question: string, signal: AbortSignal): Promise<string | undefined> {
    return new Promise((resolve) => {
      if (this.#hasEnded || signal.aborted) {
        resolve(undefined)
        return
      }
      const editor = this.#open([])
      const finish = (answer: string | undefined): void => {
        signal.removeEventListener('abort', stop)
        this.#shut(editor)
        resolve(answer)
      }
      const stop = (): void => {
        if (this.#active !== editor) return
        this.#options.output.write('\n')
        finish(undefined)
      }
      signal.addEventListener('abort', stop)
      editor.on('line', finish)
      editor.on('close', stop)
      editor.on('SIGINT', () => {
        this.#options.onInterrupt()
        // Whoever hears of it may have ended the question already.
        stop()
      })
      ask(editor, question)
      this.#keyboard.begin({ ahead: false })
    })
  }

  /** Ends what is typed and gives the terminal back. Open promises stay open. */
  close(): void {
    const editor = this.#active
    this.#active = undefined
    editor?.close()
    this.#keyboard.close()
  }

  /** Opens a line editor with a history of its own; the former must have been shut. */
  #open(history: readonly string[]): Interface {
    const { output, complete } = this.#options
    const editor = createInterface({
      input: this.#keyboard.keys,
      output,
      terminal: true,
      history: [...history],
      historySize: HISTORY_SIZE,
      removeHistoryDuplicates: true,
      tabSize: 4,
      completer: (line: string, answer: (error: Error | null, found: [string[], string]) => void) => {
        complete(line).then(
          ([found, end]) => answer(null, [[...found], end]),
          () => answer(null, [[], line]),
        )
      },
    })
    this.#active = editor
    return editor
  }

  /** Closes an editor; keys are not for it any more. */
  #shut(editor: Interface): void {
    this.#active = undefined
    editor.close()
    this.#keyboard.end()
  }

  /**
   * Returns the message that stood in the line, with pastes and line breaks as they were, and puts it first in the
   * history unless it is blank.
   */
  #sent(shown: string): string {
    const text = this.#pastes.expand(shown.replaceAll(BREAK, '\n'))
    if (text.trim() === '') return text
    const line = onOneLine(shown)
    const earlier = this.#lines.indexOf(line)
    if (earlier !== -1) this.#lines.splice(earlier, 1)
    this.#lines.unshift(line)
    this.#options.history.add(text)
    return text
  }
}

/** Shows a prompt and starts reading. */
const ask = (editor: Interface, prompt: string): void => {
  editor.setPrompt(prompt)
  editor.prompt()
}
