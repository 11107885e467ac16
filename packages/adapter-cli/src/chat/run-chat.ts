/** Sets up a conversation (engine, agent, input, view), runs it, and says how to resume it. */
import { nanoFromUsd, usdFromNano } from '@cairn/core'
import type { AskUser } from '@cairn/core/agent'
import type { AgentCommandOptions } from '../agent/agent-options.ts'
import { openAgent } from '../agent/open-agent.ts'
import type { Context } from '../command.ts'
import { definedValues } from '../options/defined-values.ts'
import { sourceFolder } from '../options/source-folder.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapLine } from '../terminal/wrap.ts'
import { createApprover } from './approval.ts'
import type { ChatParts, ChatSession, MakeAgent } from './chat.ts'
import { createChatLoop, type ChatLoop, type TurnOutcome } from './chat-loop.ts'
import { openChatSession } from './chat-session.ts'
import { chatContext, chatTerminal } from './chat-terminal.ts'
import type { ChatInput } from './input/chat-input.ts'
import { completerFor, openChatInput, type Manner } from './open-input.ts'
import { SLASH_COMMANDS } from './slash/registry.ts'
import { createTurnView } from './turn-view.ts'
import { farewell, nameSession, welcomeLines } from './welcome.ts'

/** The options of `cairn chat`. */
export interface ChatOptions extends AgentCommandOptions {
  readonly plain?: boolean
}

const NEVER = new AbortController().signal

/**
 * Holds a conversation, which starts with `first` if given, until it is left. With `--json` it prints `{session,
 * costUsd, turns}` at the end. Titles an untitled session with its first message. Sets the exit code. If piped, nobody
 * is asked. Rejects, before anything is sent, if there is no project folder, model, key or session.
 */
export const runChat = async (first: string | undefined, options: ChatOptions, context: Context): Promise<void> => {
  const manner = mannerOf(options, context)
  const isPiped = !manner.isInteractive
  const engine = await context.sessionEngine(options)
  const open: { input?: ChatInput; loop?: ChatLoop } = {}
  const ask = async (question: string, signal = NEVER): Promise<string | undefined> => open.input?.ask(question, signal)
  const terminal = chatTerminal(context.terminal, {
    isPlain: manner.isPlain,
    isSilent: options.json === true,
    ...(isPiped ? {} : { ask }),
  })
  const own = chatContext(context, engine, terminal)
  const view = createTurnView(terminal, { isPlain: manner.isPlain, isPiped, now: () => context.now() })
  const session = await openChatSession(
    {
      engine,
      makeAgent: agentsFor(options, own, isPiped ? undefined : askerOn(terminal, ask)),
      onEvent: (event) => view.take(event),
      ...(isPiped ? {} : { approve: createApprover({ terminal, isPlain: manner.isPlain, ask }) }),
      ...(options.maxCost === undefined ? {} : { maxCostNano: nanoFromUsd(options.maxCost) }),
    },
    definedValues({ mode: options.mode, resume: options.resume }),
  )
  const turns: TurnOutcome[] = []
  const workspace = sourceFolder(options, own)?.root ?? context.surroundings.folder
  const chat: ChatParts = {
    engine,
    context: own,
    options: { ...definedValues({ store: options.store, ltm: options.ltm }), workspace },
    workspace,
    session,
    isPlain: manner.isPlain,
  }
  open.input = openChatInput({ manner, chat, complete: completerFor(chat), loop: () => open.loop })
  try {
    open.loop = createChatLoop({
      chat,
      input: open.input,
      view,
      commands: SLASH_COMMANDS,
      isPiped,
      onTurn: async (turn) => {
        turns.push(turn)
        if (turn.message !== null) await nameSession(turn.outcome.sessionId, turn.message, engine, context.now())
      },
    })
    if (!isPiped) for (const line of await welcomeLines(session, chat)) await printWrapped(line, terminal)
    context.setExitCode(await open.loop.run(first))
  } finally {
    open.input.close()
  }
  if (options.json === true) return context.json(await documentOf(session, turns))
  const last = isPiped ? undefined : await farewell(session, engine, options, own)
  if (last !== undefined) await printWrapped(last, terminal)
}

/** Prints a text in lines of the terminal's width. */
const printWrapped = async (text: string, terminal: Terminal): Promise<void> => {
  for (const line of wrapLine(text, terminal.width)) await terminal.line(line)
}

/** Whether somebody types and watches, and whether to draw plainly. */
const mannerOf = ({ json, plain }: ChatOptions, { terminal, surroundings }: Context): Manner => ({
  isInteractive: json !== true && terminal.canAsk && terminal.isOutputTerminal,
  isPlain: plain === true || surroundings.variables['TERM'] === 'dumb',
})

/**
 * Creates agents with the command's options, some of which the conversation may replace. A chosen model comes without
 * the command's provider and address. Files are kept before a change where that is possible.
 */
const agentsFor =
  (options: ChatOptions, context: Context, askUser: AskUser | undefined): MakeAgent =>
  async ({ choice, mode, session, maxCostNano, onEvent, approve, granted }) => {
    const { model, provider, baseUrl, mode: _mode, resume: _resume, maxCost: _cost, ...others } = options
    const chosen = {
      ...others,
      ...definedValues({
        model,
        provider,
        baseUrl,
        ...(choice === undefined ? {} : { provider: undefined, baseUrl: undefined, ...choice }),
      }),
      ...definedValues({ mode, resume: session }),
      ...(maxCostNano === undefined ? {} : { maxCost: usdFromNano(maxCostNano) }),
      checkpoint: (await keepsFiles(options, context)) ? ('where-possible' as const) : false,
    }
    return openAgent(chosen, context, { onEvent, ...definedValues({ approve, granted, askUser }) })
  }

/** Whether a checkpoint is made before a turn's first change, so that it can be undone. */
const keepsFiles = async (options: ChatOptions, context: Context): Promise<boolean> =>
  options.incognito !== true && (await context.settings(options))['checkpoints.enabled'].value

/**
 * Asks the user what the model wants to know, with numbered choices: a number gives that choice's text, any other text
 * is the answer as typed. Undefined means no answer.
 */
const askerOn =
  (terminal: Terminal, ask: (question: string, signal: AbortSignal) => Promise<string | undefined>): AskUser =>
  async (question, choices, signal) => {
    await printWrapped(neutraliseLine(question), terminal)
    for (const [index, choice] of choices.entries())
      await printWrapped(`${index + 1}. ${neutraliseLine(choice)}`, terminal)
    const answer = (await ask('Answer: ', signal))?.trim()
    return answer === undefined ? undefined : (choices[Number(answer) - 1] ?? answer)
  }

/**
 * Returns the document of `--json`: costs in USD, null without a price; `requests` of each turn are its requests to a
 * model. Rejects as the store does.
 */
const documentOf = async (session: ChatSession, turns: readonly TurnOutcome[]): Promise<Record<string, unknown>> => {
  const cost = await session.cost()
  return {
    session: session.id ?? null,
    costUsd: cost === null ? null : usdFromNano(cost),
    turns: turns.map(({ message, outcome: { end, reason, text, turns: requests, costNano, error } }) => ({
      message,
      end,
      reason: reason ?? null,
      text,
      requests,
      costUsd: costNano === null ? null : usdFromNano(costNano),
      error: error === undefined ? null : { code: error.code, message: error.message },
    })),
  }
}
