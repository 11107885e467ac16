/** The parts of a window's chat: conversation, keys, models, attachments, over the store and folder that are open. */
import { CairnError } from '@cairn/core'
import type { Engine } from '@cairn/core'
import type { Agent, AgentMode } from '@cairn/core/agent'
import { dataFolder } from '@cairn/core/node'
import { createGitFacts, createWorkspaceFiles } from '@cairn/core/node/sources'
import * as vscode from 'vscode'
import { disabledBy } from '../../checkpoints/disabled-by.ts'
import { localFolders, openProjects } from '../../store/open-projects.ts'
import type { WindowEngine } from '../../store/window-engine.ts'
import type { WindowStore } from '../../store/window-store.ts'
import { neutraliseLine } from '../../text/neutralise.ts'
import { createAttachments, withMentions, type AttachedPart } from './attachments.ts'
import { createConversation, type AgentInput, type Conversation, type MessageContent } from './conversation.ts'
import { editorProblems, editorSelections } from './editor-context.ts'
import { choiceText, keptChoice, settingsChoice, type ModelChoice } from './model-choice.ts'
import { createEditorKeys, type EditorKeys } from './provider-keys.ts'

/** What the chat needs of the window. */
export interface ChatDeps {
  readonly store: Pick<WindowStore, 'surroundings' | 'settings'>
  readonly engine: WindowEngine
  readonly secrets: vscode.SecretStorage
  /** Of the workspace: which session is shown, the mode, and the model of each. */
  readonly memento: vscode.Memento
  readonly extensionUri: vscode.Uri
}

/** The project that the chat works in. */
interface ChatProject {
  readonly engine: Engine
  /** As sessions and memory name it: the folder's repository, or the folder. */
  readonly workspace: string
  /** The first open folder, in which the agent works. */
  readonly folder: string
}

/** The parts of the chat that its page's messages act on. */
export interface ChatParts {
  readonly conversation: Conversation
  readonly keys: EditorKeys
  /** Shows the session, mode and model of last time, once. Never rejects. */
  start(): Promise<void>
  /** Makes the store where there is none. Rejects where no folder is open. */
  project(): Promise<ChatProject>
  /** Sets the mode, keeps it for the next start, and shows its model. Rejects as `project` does, with the mode set. */
  setMode(mode: AgentMode): Promise<void>
  /** Sets the model of the mode that is set now, and keeps it for the next start. */
  setModel(choice: ModelChoice): Promise<void>
  /** Puts a part beside the next message; an equal one is replaced. */
  attach(part: AttachedPart): void
  /** Takes a part away again; an unknown id changes nothing. */
  detach(id: string): void
}

const SESSION = 'cairn.chat.session'
const MODE = 'cairn.chat.mode'
/** Returns the key under which a mode's model is kept. */
const modelKey = (mode: AgentMode): string => `cairn.chat.model.${mode}`

/**
 * Creates a window's conversation with the session, mode and models it had last; nothing is opened yet. `onWaiting`
 * gets the number of calls that wait for approval whenever it changes. A failure of `start` is shown as a notice; it
 * starts once.
 */
export const createChatParts = (deps: ChatDeps, onWaiting: (count: number) => void): ChatParts => {
  const keys = createEditorKeys(deps.secrets, () => deps.store.surroundings())
  const attachments = createAttachments()
  const project = (): Promise<ChatProject> => openProject(deps.engine)
  const choiceOf = async (mode: AgentMode, { engine, workspace }: ChatProject): Promise<ModelChoice | undefined> =>
    keptChoice(deps.memento.get(modelKey(mode))) ?? settingsChoice(engine, mode, workspace)
  const stored = async () => (await deps.engine.engine())?.sessions

  const conversation: Conversation = createConversation({
    openAgent: async (input) => {
      const opened = await project()
      return openAgent(input, opened, { deps, keys, choice: await choiceOf(input.mode, opened) })
    },
    contentOf: async (text, attached, sessionId) =>
      contentOf({ text, parts: attachments.take(attached), sessionId }, await project()),
    session: async (id) => (await deps.engine.engine())?.store.sessions.get(id),
    log: async (id) => (await stored())?.log(id) ?? [],
    onSession: (id) => void deps.memento.update(SESSION, id),
    onWaiting,
  })

  const tellModel = async (): Promise<void> => {
    const choice = await choiceOf(conversation.state.mode, await project())
    conversation.tell({ type: 'model', model: choice === undefined ? '' : choiceText(choice) })
  }

  let started: Promise<void> | undefined
  const start = async (): Promise<void> => {
    try {
      conversation.tell({ type: 'mode', mode: deps.memento.get(MODE) === 'plan' ? 'plan' : 'act' })
      const id = deps.memento.get(SESSION)
      if (typeof id === 'string') await conversation.open(id)
      await tellModel()
    } catch (error) {
      conversation.tell({ type: 'notice', level: 'error', text: CairnError.is(error) ? error.message : String(error) })
    }
  }

  return {
    conversation,
    keys,
    project,
    start: () => (started ??= start()),
    setMode: async (mode) => {
      conversation.tell({ type: 'mode', mode })
      await deps.memento.update(MODE, mode)
      await tellModel()
    },
    setModel: async (choice) => {
      await deps.memento.update(modelKey(conversation.state.mode), choice)
      conversation.tell({ type: 'model', model: choiceText(choice) })
    },
    attach: (part) => conversation.tell({ type: 'attachments', attachments: attachments.add(part) }),
    detach: (id) => conversation.tell({ type: 'attachments', attachments: attachments.remove(id) }),
  }
}

/**
 * Opens the project of the window's first folder, and creates the store if there is none.
 * @throws CairnError `invalid-input` without an open folder, or in one that is not trusted; as opening the store does
 */
const openProject = async (engine: WindowEngine): Promise<ChatProject> => {
  const folder = localFolders()[0]
  if (folder === undefined) throw new CairnError('invalid-input', 'Open a folder: the chat works on the files of one.')
  if (!vscode.workspace.isTrusted)
    throw new CairnError('invalid-input', 'This folder is not trusted: the chat works only in folders that you trust.')
  const [workspace = folder] = await openProjects()
  return { engine: await engine.engineForWriting(), workspace, folder }
}

/**
 * Opens the agent for one turn.
 * @throws CairnError `usage` if no model was chosen, or as {@link openChoice}
 */
const openAgent = async (
  input: AgentInput,
  { engine, workspace, folder }: ChatProject,
  {
    deps,
    keys,
    choice,
  }: { readonly deps: ChatDeps; readonly keys: EditorKeys; readonly choice: ModelChoice | undefined },
): Promise<Agent> => {
  if (choice === undefined) throw new CairnError('usage', 'No model is chosen yet: choose one.')
  const { openChatAgent } = await import('./open-chat-agent.ts')
  const surroundings = deps.store.surroundings()
  return openChatAgent({
    ...input,
    engine,
    workspace,
    folder,
    choice,
    key: await keys.find(choice.provider),
    askUser,
    keepsFiles: disabledBy(deps.store, folder) === undefined,
    home: surroundings.home,
    dataFolder: dataFolder(surroundings),
  })
}

/**
 * Asks the user a question of the agent with the editor's dialogs: a list with `Another answer…`, which asks for a
 * text; without choices, for the text at once. Resolves to the choice (shown as one safe line) or the text as typed,
 * maybe ''; undefined if they cancel, or if the signal aborts, which closes the dialog.
 */
const askUser = async (
  question: string,
  choices: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> => {
  if (signal.aborted) return undefined
  const stop = new vscode.CancellationTokenSource()
  const cancel = (): void => stop.cancel()
  signal.addEventListener('abort', cancel)
  try {
    const title = neutraliseLine(question)
    const other = 'Another answer…'
    const shown = choices.map(neutraliseLine)
    const picked =
      choices.length === 0
        ? other
        : await vscode.window.showQuickPick([...shown, other], { title, ignoreFocusOut: true }, stop.token)
    if (picked === undefined) return undefined
    if (picked !== other) return choices[shown.indexOf(picked)]
    return await vscode.window.showInputBox({ title: 'The chat asks', prompt: title, ignoreFocusOut: true }, stop.token)
  } finally {
    signal.removeEventListener('abort', cancel)
    stop.dispose()
  }
}

/**
 * Returns the message with the content of what it mentions and what is attached, as it is now. `names` are what is
 * sent, with what was left out of it; `refused` are sentences. Rejects as the engine does. Without an `@` the text
 * alone.
 */
const contentOf = async (
  {
    text,
    parts,
    sessionId,
  }: { readonly text: string; readonly parts: readonly AttachedPart[]; readonly sessionId: string | undefined },
  { engine, workspace, folder }: ChatProject,
): Promise<MessageContent> => {
  const whole = withMentions(text, parts)
  if (!whole.includes('@')) return { content: [{ type: 'text', text: whole }], names: [], refused: [] }
  const selections = parts.flatMap((part) => (part.kind === 'selection' ? [part.selection] : []))
  const problems = parts.flatMap((part) => (part.kind === 'problems' ? part.problems : []))
  const { content, sent, refused } = await engine.mentions.expand(whole, {
    workspace,
    files: createWorkspaceFiles([folder]),
    git: createGitFacts(folder),
    selections: selections.length === 0 ? editorSelections(folder) : selections,
    problems: problems.length === 0 ? editorProblems(folder) : problems,
    ...(sessionId === undefined ? {} : { sessionId }),
  })
  return {
    content,
    names: sent.map(({ name, leftOut, notice }) => {
      const remarks = [
        ...(leftOut === undefined ? [] : [`${leftOut} left out`]),
        ...(notice === undefined ? [] : [notice]),
      ]
      return remarks.length === 0 ? name : `${name} (${remarks.join('; ')})`
    }),
    refused: refused.map(({ reason }) => reason),
  }
}
