/** What a server offers: the handlers for tools, resources, prompts and completions. */
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { CallToolResult, Prompt } from '@modelcontextprotocol/sdk/types.js'
import { CairnError } from '@cairn/core'
import type { Engine } from '@cairn/core'
import type { Context } from '../command.ts'
import { didYouMean } from '../options/close-matches.ts'
import { listOwnPrompts, listPrompts, promptOf } from './prompts.ts'
import { INVALID_PARAMS, ProtocolError } from './protocol-error.ts'
import { answerText, named } from './quoted.ts'
import { debugError, errorSentence } from './requests.ts'
import type { ProtocolServer, Requests } from './requests.ts'
import { RESOURCE_TEMPLATES, completionsFor, listResources, readResource } from './resources.ts'
import type { McpServerInput, Privacy } from './server-input.ts'
import type { Call, Tool, ToolAnswer } from './tool.ts'
import { TOOLS } from './tools/all-tools.ts'

/** The answer of tools under `--incognito`. */
export const OFF_INCOGNITO = 'Memory is off (--incognito): nothing is read or written.'
/** The answer of tools about long-term memory under `--no-ltm`. */
export const OFF_NO_LTM = 'Long-term memory is off (--no-ltm): it is neither read nor written.'

/**
 * Returns a function that gives a sentence to add to answers from an empty store, so that the model knows why nothing
 * was found; empty once the store has something.
 */
const createEmptyStoreNote = (storeName: string): ((store: Engine['store']) => Promise<string>) => {
  let holdsSomething = false
  return async ({ sessions, memory, notes }) => {
    holdsSomething ||=
      (await sessions.list({ limit: 1 })).sessions.length > 0 ||
      (await memory.workspaces()).length > 0 ||
      (await notes.workspaces()).length > 0
    return holdsSomething
      ? ''
      : `Nothing is remembered yet in ${named(storeName)}: "cairn import" takes in earlier sessions. If there should be something, this client starts the server without the CAIRN_HOME or CAIRN_DATABASE_URL of your terminal.`
  }
}

/** Returns a result with one text. `isError`: the call failed. */
const textResult = (text: string, isError = false): CallToolResult => ({
  content: [{ type: 'text', text }],
  ...(isError ? { isError } : {}),
})

/**
 * Runs a tool and returns its text. Failures are results too, which the model reads; only faults of the store are
 * thrown, so that whoever holds the store can close it.
 */
const runTool = async (
  run: (call: Call) => Promise<ToolAnswer>,
  call: Call,
  context: Context,
): Promise<{ readonly text: string; readonly isError: boolean }> => {
  try {
    return { text: answerText(await run(call)), isError: false }
  } catch (error) {
    // The holder of the store closes it then.
    if (CairnError.is(error) && error.code.startsWith('storage-')) throw error
    debugError(error, context)
    return { text: errorSentence(error), isError: true }
  }
}

/** Returns the tool with a name. @throws ProtocolError, with similar names, if there is none */
const toolNamed = (name: string, tools: readonly Tool[]): Tool => {
  const tool = tools.find((each) => each.name === name)
  if (tool !== undefined) return tool
  const suggestion = didYouMean(
    named(name),
    tools.map((each) => each.name),
  )
  throw new ProtocolError(INVALID_PARAMS, `There is no tool "${named(name)}".${suggestion}`)
}

/**
 * Registers the tools on the server and answers calls of them. A failed call is answered with one sentence, marked as
 * an error; a call that privacy settings forbid with the reason. Only an unknown tool is an error of the protocol.
 * Answers from an empty store say that it is empty. Listing the tools does not need the store.
 */
export const offerTools = (
  server: ProtocolServer,
  requests: Requests,
  { storeName, privacy, context, tools = TOOLS }: McpServerInput,
): void => {
  const emptyStoreNote = createEmptyStoreNote(storeName)

  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, title, description, hints, inputSchema }) => ({
      name,
      title,
      description,
      inputSchema,
      annotations: { title, openWorldHint: false, ...hints },
    })),
  }))

  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    const tool = toolNamed(params.name, tools)
    try {
      const run = tool.prepare(params.arguments)
      if (privacy.incognito) return textResult(OFF_INCOGNITO)
      if (tool.isMemory && !privacy.longTermMemory) return textResult(OFF_NO_LTM)
      return await requests.ask(extra, async (call) => {
        const { text, isError } = await runTool(run, call, context)
        const note = await emptyStoreNote(call.engine.store)
        return textResult(note === '' ? text : `${text}\n${note}`, isError)
      })
    } catch (error) {
      debugError(error, context)
      return textResult(errorSentence(error), true)
    }
  })
}

/** Registers the resources on the server. Under incognito their list is empty, and reading one is an error. */
export const offerResources = (server: ProtocolServer, requests: Requests, { incognito }: Privacy): void => {
  server.setRequestHandler(ListResourcesRequestSchema, (_, extra) =>
    incognito ? { resources: [] } : requests.askProtocol(extra, listResources),
  )
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }, extra) => {
    if (incognito) throw new ProtocolError(INVALID_PARAMS, OFF_INCOGNITO)
    return requests.askProtocol(extra, (call) => readResource(params.uri, call))
  })
}

/** Clients ask for lists when they start and may block until they have them; migrating a store takes longer. */
const LISTED_WITHIN_MS = 1_500

/**
 * Returns all prompts; only our own if the store fails or is not open within 1.5 seconds, after which the client is
 * told to ask again if there turn out to be more. Never rejects.
 */
const promptsInTime = async (
  server: ProtocolServer,
  requests: Requests,
  extra: Parameters<Requests['ask']>[0],
): Promise<Prompt[]> => {
  const own = listOwnPrompts()
  const all = requests.ask(extra, listPrompts).catch(() => own)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LISTED_WITHIN_MS)
  })
  const listed = await Promise.race([all, late])
  clearTimeout(timer)
  if (listed !== undefined) return listed
  void all.then(async (prompts) => {
    // The client may be gone by then.
    if (prompts.length > own.length) await server.sendPromptListChanged().catch(() => undefined)
  })
  return own
}

/**
 * Registers the prompts, and the completion of arguments of prompts and resources. Under incognito prompts say why they
 * know nothing, and nothing is completed.
 */
export const offerPrompts = (server: ProtocolServer, requests: Requests, { incognito }: Privacy): void => {
  server.setRequestHandler(ListPromptsRequestSchema, async (_, extra) => ({
    prompts: incognito ? listOwnPrompts() : await promptsInTime(server, requests, extra),
  }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }, extra) => {
    const prompt = promptOf(params.name, params.arguments ?? {})
    return incognito ? prompt.without(OFF_INCOGNITO) : requests.askProtocol(extra, prompt.over)
  })
  server.setRequestHandler(CompleteRequestSchema, async ({ params }, extra) => {
    const values = incognito ? [] : await requests.askProtocol(extra, (call) => completionsFor(params, call))
    return { completion: { values: [...values], hasMore: false } }
  })
}
