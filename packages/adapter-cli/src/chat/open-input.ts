/** Opens the input of a conversation: a line editor, lines of a terminal, or a pipe; and handles signals. */
import { createWorkspaceFiles } from '@cairn/core/node/sources'
import { dataFolder } from '@cairn/core/node'
import type { ChatParts } from './chat.ts'
import type { ChatLoop } from './chat-loop.ts'
import { completionOf, type Completion } from './completion.ts'
import type { ChatInput } from './input/chat-input.ts'
import { openLineEditor } from './input/line-editor.ts'
import { NO_HISTORY, historyPath, openHistory } from './input/history-file.ts'
import { createStreamInput } from './input/stream-input.ts'
import { SLASH_COMMANDS } from './slash/registry.ts'

/** How a conversation is held. */
export interface Manner {
  /** Somebody types and watches. */
  readonly isInteractive: boolean
  /** For screen readers: nothing is drawn over, and words stand for signs. */
  readonly isPlain: boolean
}

/** What the input works with; the loop exists when the first key arrives. */
export interface InputSurroundings {
  readonly manner: Manner
  readonly chat: ChatParts
  /** What is completed for; see {@link completionOf}. */
  readonly complete: (line: string) => Promise<Completion>
  readonly loop: () => Pick<ChatLoop, 'interrupt' | 'terminate'> | undefined
}

const MODE_PROMPTS = { act: '> ', plan: 'plan> ' } as const
/** The prompt of a message's further lines. */
const FURTHER = '. '
/** How long the list of files for completions is reused. */
const FILES_KEPT_MS = 10_000

/**
 * Opens the input that suits standard input (a line editor on a terminal; otherwise, and in the plain manner, lines)
 * and listens for signals until closed.
 */
export const openChatInput = (parts: InputSurroundings): ChatInput => {
  const { manner, loop } = parts
  if (manner.isInteractive && !manner.isPlain) {
    const editor = openLineEditor({
      input: process.stdin,
      output: process.stdout,
      onInterrupt: () => loop()?.interrupt(),
      prompts: () => [MODE_PROMPTS[parts.chat.session.mode], FURTHER],
      history: historyOf(parts),
      complete: parts.complete,
    })
    return withSignals(editor, () => loop()?.interrupt(), loop)
  }
  const { isInteractive } = manner
  const lines = createStreamInput({
    input: process.stdin,
    prompts: isInteractive ? ['You: ', 'more: '] : ['', ''],
    ...(isInteractive ? { prompt: (text: string) => void process.stdout.write(text) } : {}),
  })
  // At a prompt the loop hears of it by what is typed.
  const interrupt = (): void => {
    if (!lines.interrupt()) loop()?.interrupt()
  }
  return withSignals(lines, interrupt, loop)
}

/**
 * Returns the input with the process's signals passed on until it is closed: SIGINT to `interrupt`, SIGTERM and SIGHUP
 * to the loop's `terminate`.
 */
const withSignals = (input: ChatInput, interrupt: () => void, loop: InputSurroundings['loop']): ChatInput => {
  const terminate = (): void => loop()?.terminate()
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', terminate)
  process.on('SIGHUP', terminate)
  return {
    message: () => input.message(),
    ask: (question, signal) => input.ask(question, signal),
    close: () => {
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', terminate)
      process.off('SIGHUP', terminate)
      input.close()
    },
  }
}

/** The workspace's history; with incognito none. */
const historyOf = ({ chat: { engine, context, workspace } }: InputSurroundings) =>
  engine.privacy.incognito
    ? NO_HISTORY
    : openHistory(historyPath(dataFolder(context.surroundings), workspace), (problem) => context.terminal.note(problem))

/**
 * Returns the function that completes lines of a conversation with its commands and the files of its workspace, whose
 * list is at most ten seconds old.
 */
export const completerFor = (chat: ChatParts): ((line: string) => Promise<Completion>) => {
  const workspaceFiles = createWorkspaceFiles([chat.workspace])
  let listedAt = Number.NEGATIVE_INFINITY
  let paths: Promise<readonly string[]> = Promise.resolve([])
  /** The paths of the workspace's files; listed anew when the list is older than `FILES_KEPT_MS`. */
  const files = (): Promise<readonly string[]> => {
    const now = chat.context.now()
    if (now - listedAt > FILES_KEPT_MS) {
      listedAt = now
      paths = workspaceFiles.list().then((list) => list.files.map(({ path }) => path))
    }
    return paths
  }
  return (line) => completionOf(line, { commands: SLASH_COMMANDS, chat, files })
}
