/** A request as the body of Gemini's generateContent. */
import { isThinking } from '../../context/thinking.ts'
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../../json.ts'
import type { ContentBlock, FileBlock, ImageBlock, Message, ToolCallBlock, ToolResultBlock } from '../../messages.ts'
import type { ModelRequest } from '../../ports/language-model.ts'
import { geminiThinking, isNewerGemini } from '../gemini-models.ts'
import { blockText } from './block-text.ts'
import { FOREIGN_SIGNATURE, isSignedByGoogle } from './google-signatures.ts'
import { withTakenNames, type NameRule } from './tool-names.ts'

const NAMES: NameRule = { refused: /[^\w.:-]/g, longest: 64, beginsWithLetter: true }

/** The request as the API takes it, for a reply and for a count alike. The same request gives the same bytes. */
export const geminiBody = (request: ModelRequest): JsonObject => {
  const { system = '', outputSchema, maxOutputTokens } = request
  const thinking = geminiThinking(request)
  return {
    ...(system === '' ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    ...toolsOf(request),
    contents: contentsOf(request),
    generationConfig: {
      maxOutputTokens,
      ...(thinking === undefined ? {} : { thinkingConfig: thinking }),
      ...(outputSchema === undefined ? {} : { responseMimeType: 'application/json', responseJsonSchema: outputSchema }),
    },
  }
}

/**
 * The tools of a request and which must be called; nothing without tools. Which must be called is left out for `auto`.
 */
const toolsOf = ({ tools = [], toolChoice = 'auto' }: ModelRequest): JsonObject => {
  if (tools.length === 0) return {}
  const config =
    typeof toolChoice === 'object'
      ? { mode: 'ANY', allowedFunctionNames: [toolChoice.tool] }
      : { mode: toolChoice === 'none' ? 'NONE' : 'ANY' }
  return {
    tools: [
      {
        functionDeclarations: tools.map(({ name, description, inputSchema }) => ({
          name,
          description,
          parametersJsonSchema: { type: 'object', ...inputSchema },
        })),
      },
    ],
    ...(toolChoice === 'auto' ? {} : { toolConfig: { functionCallingConfig: config } }),
  }
}

/**
 * The messages as turns: those of the user, of tools and of the system in a row are one `user` turn, in which the
 * results of calls come first, in the order of the calls. Calls whose name the API does not take get another one.
 */
const contentsOf = ({ model, messages }: ModelRequest): readonly JsonObject[] => {
  const isNewer = isNewerGemini(model)
  const turns: { role: 'user' | 'model'; parts: JsonObject[] }[] = []
  /** The calls of the last reply, by id, in order. */
  const calls = new Map<string, ToolCallBlock>()
  for (const { role, contents } of joinedTurns(withTakenNames(messages, NAMES))) {
    if (role === 'model') {
      calls.clear()
      for (const block of contents.flat()) if (block.type === 'tool_call') calls.set(block.id, block)
    }
    const parts =
      role === 'model'
        ? contents.flatMap((content) => replyParts(content, isNewer))
        : userParts(contents.flat(), calls, isNewer)
    const before = turns.at(-1)
    if (before?.role === role) for (const part of parts) before.parts.push(part)
    else if (parts.length > 0) turns.push({ role, parts: [...parts] })
  }
  return turns
}

/** Messages of one side that follow one another. */
interface Turn {
  readonly role: 'user' | 'model'
  readonly contents: (readonly ContentBlock[])[]
}

/**
 * The messages as turns of user and model, those of one speaker in a row joined. Content of joined messages stays
 * apart, in order.
 */
const joinedTurns = (messages: readonly Message[]): readonly Turn[] => {
  const turns: Turn[] = []
  for (const { role: of, content } of messages) {
    const role = of === 'assistant' ? 'model' : 'user'
    const last = turns.at(-1)
    if (last?.role === role) last.contents.push(content)
    else turns.push({ role, contents: [content] })
  }
  return turns
}

/**
 * The parts of a reply. A signature without a text belongs to the part behind it, as it came; behind the last part, to
 * an empty text. For newer models a first call without a signature gets `FOREIGN_SIGNATURE`. Reasoning that Google did
 * not sign is left out.
 */
const replyParts = (content: readonly ContentBlock[], isNewer: boolean): readonly JsonObject[] => {
  const parts: JsonObject[] = []
  let signature: string | undefined
  let hasCall = false
  const flush = (): void => {
    if (signature !== undefined) parts.push({ text: '', thoughtSignature: signature })
    signature = undefined
  }
  for (const block of content) {
    if (isSignedByGoogle(block)) {
      flush()
      if (block.text === '') signature = block.signature
      else parts.push({ text: block.text, thought: true, thoughtSignature: block.signature })
      continue
    }
    const part = replyPart(block, isNewer)
    if (part === undefined) continue
    const isCall = block.type === 'tool_call'
    const sign: string | undefined = signature ?? (isNewer && isCall && !hasCall ? FOREIGN_SIGNATURE : undefined)
    if (isCall) hasCall = true
    signature = undefined
    parts.push(sign === undefined ? part : { ...part, thoughtSignature: sign })
  }
  flush()
  return parts
}

/**
 * A block of a reply as a part; undefined for one that a reply can't hold. `isNewer`: the model takes ids of calls and
 * images in results.
 */
const replyPart = (block: ContentBlock, isNewer: boolean): JsonObject | undefined => {
  if (isThinking(block) || block.type === 'tool_result') return undefined
  if (block.type === 'tool_call') return callPart(block, isNewer)
  if (block.type === 'other' && isOwnPart(block.value)) return block.value
  return partOf(block)
}

/** What the API's own tool for programs gave, and takes back as it came. */
const isOwnPart = (value: JsonValue): value is JsonObject =>
  isJsonObject(value) && ('executableCode' in value || 'codeExecutionResult' in value)

/** A tool call as a part; only newer models take its id. */
const callPart = ({ id, name, input }: ToolCallBlock, isNewer: boolean): JsonObject => ({
  functionCall: { ...(isNewer ? { id } : {}), name, args: argumentsOf(input) },
})

/** Arguments are an object; what another model wrote that is none is kept in one. */
const argumentsOf = (input: JsonValue): JsonObject => {
  const value = typeof input === 'string' ? (parseJson(input)?.value ?? input) : input
  return isJsonObject(value) ? value : { arguments: value }
}

/**
 * The parts of a user's turn: results in the order of their calls, then all else. Reasoning is left out. `isNewer`:
 * images stay within their results; else they follow them.
 */
const userParts = (
  content: readonly ContentBlock[],
  calls: ReadonlyMap<string, ToolCallBlock>,
  isNewer: boolean,
): readonly JsonObject[] => {
  const order = [...calls.keys()]
  const results = content
    .filter((block) => block.type === 'tool_result')
    .sort((left, right) => order.indexOf(left.callId) - order.indexOf(right.callId))
  // Older models take no images within a result; they follow all results.
  const images = isNewer ? [] : results.flatMap((result) => imagesOf(result).map(mediaPart))
  const others = content.filter((block) => block.type !== 'tool_result' && !isThinking(block)).map(partOf)
  return [
    ...results.map((result) => resultPart(result, calls.get(result.callId)?.name ?? '', isNewer)),
    ...images,
    ...others.filter((part) => part !== undefined),
  ]
}

/** The images in a tool's result, in order. */
const imagesOf = ({ content }: ToolResultBlock): readonly ImageBlock[] =>
  content.filter((part) => part.type === 'image')

/**
 * A tool's result as a part; newer models take its images within it. Its text is the output, or the error if it failed.
 */
const resultPart = (result: ToolResultBlock, name: string, isNewer: boolean): JsonObject => {
  const text = result.content
    .map((part) => (part.type === 'image' ? (isNewer ? '' : '(an image, which follows)') : blockText(part)))
    .filter((line) => line !== '')
    .join('\n')
  const images = isNewer ? imagesOf(result).map(mediaPart) : []
  return {
    functionResponse: {
      ...(isNewer ? { id: result.callId } : {}),
      name,
      response: result.isError === true ? { error: text } : { output: text },
      ...(images.length === 0 ? {} : { parts: images }),
    },
  }
}

/**
 * A block as a part: an image, or a file without a text, by its data or address, all else as text; undefined for one
 * without either.
 */
const partOf = (block: ContentBlock): JsonObject | undefined => {
  const isMedia = block.type === 'image' || (block.type === 'file' && block.text === undefined)
  if (isMedia && (block.data !== undefined || block.url !== undefined)) return mediaPart(block)
  const text = blockText(block)
  return text === '' ? undefined : { text }
}

/** An image or file as a part, by its data, else by its address. */
const mediaPart = ({ data, url = '', mediaType = 'application/pdf' }: ImageBlock | FileBlock): JsonObject =>
  data === undefined
    ? { fileData: { mimeType: mediaType, fileUri: url } }
    : { inlineData: { mimeType: mediaType, data } }
