/** Messages typed on a terminal, with a line editor: history, completion, pastes, several lines. */
import { createInterface, type Interface } from 'node:readline'
import { createMessageLines, type ChatInput, type Typed } from './chat-input.ts'
import { openKeyboard, type KeyboardOptions } from './keyboard.ts'
import { createPastes } from './pastes.ts'

export interface EditorHistory {
  /** The newest first. */
  readonly entries: readonly string[]
  /** Keeps a message that was sent. */
  add(text: string): void
}

export interface EditorOptions extends Pick<KeyboardOptions, 'input' | 'output' | 'onInterrupt'> {
  /** The prompt of a message, and that of its further lines; asked for anew each time. */
  readonly prompts: () => readonly [string, string]
  readonly history: EditorHistory
  /** What the end of a line may become, and that end. */
  readonly complete: (line: string) => Promise<readonly [readonly string[], string]>
}

/** How a line break of an earlier message stands in the line. */
const BREAK = '⏎'
/** Messages that the arrow keys go back to. */
const HISTORY_SIZE = 500

const onOneLine = (text: string): string => text.replaceAll('\n', BREAK)

/** Takes over the terminal until it is closed. */
export const openEditorInput = (options: EditorOptions): ChatInput => {
  const { output, history, complete, prompts } = options
  const pastes = createPastes()
  let hasEnded = false
  let active: Interface | undefined
  const keyboard = openKeyboard({
    ...options,
    paste: (text) => pastes.keep(text),
    onEnd: () => {
      hasEnded = true
      active?.close()
    },
  })
  /** What was sent, as it stood in the line. */
  const lines = history.entries.map(onOneLine)

  const editor = (own: readonly string[]): Interface => {
    const opened = createInterface({
      input: keyboard.keys,
      output,
      terminal: true,
      history: [...own],
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
    active = opened
    return opened
  }
  const shut = (opened: Interface): void => {
    active = undefined
    opened.close()
    keyboard.end()
  }

  const remember = (shown: string, text: string): void => {
    const own = lines.indexOf(onOneLine(shown))
    if (own !== -1) lines.splice(own, 1)
    lines.unshift(onOneLine(shown))
    history.add(text)
  }

  const message = (): Promise<Typed> =>
    new Promise((resolve) => {
      if (hasEnded) return resolve({ kind: 'end' })
      const typed = createMessageLines()
      const opened = editor(lines)
      const finish = (result: Typed): void => {
        opened.removeAllListeners()
        shut(opened)
        resolve(result)
      }
      opened.on('line', (line) => {
        const shown = typed.add(line)
        if (shown === undefined) {
          opened.setPrompt(prompts()[1])
          opened.prompt()
          return
        }
        const text = pastes.expand(shown.replaceAll(BREAK, '\n'))
        if (text.trim() !== '') remember(shown, text)
        finish({ kind: 'message', text })
      })
      opened.on('SIGINT', () => {
        const hasText = opened.line !== '' || !typed.isEmpty
        output.write('\n')
        if (!hasText) return finish({ kind: 'interrupt' })
        typed.clear()
        opened.write(null, { ctrl: true, name: 'e' })
        opened.write(null, { ctrl: true, name: 'u' })
        opened.setPrompt(prompts()[0])
        opened.prompt()
      })
      opened.on('close', () => {
        output.write('\n')
        finish({ kind: 'end' })
      })
      opened.setPrompt(prompts()[0])
      opened.prompt()
      keyboard.begin({ ahead: true })
    })

  const ask = (question: string, signal: AbortSignal): Promise<string | undefined> =>
    new Promise((resolve) => {
      if (hasEnded || signal.aborted) return resolve(undefined)
      const opened = editor([])
      const finish = (answer: string | undefined): void => {
        opened.removeAllListeners()
        signal.removeEventListener('abort', stop)
        shut(opened)
        resolve(answer)
      }
      const stop = (): void => {
        output.write('\n')
        finish(undefined)
      }
      signal.addEventListener('abort', stop)
      opened.on('line', finish)
      opened.on('close', stop)
      opened.on('SIGINT', () => {
        options.onInterrupt()
        // Whoever hears of it may have ended the question already.
        if (active === opened) stop()
      })
      opened.setPrompt(question)
      opened.prompt()
      keyboard.begin({ ahead: false })
    })

  return { message, ask, close: () => keyboard.close() }
}
