/** The rules of a generateContent request, one function each; the first broken one is what the API reports. */
import { isCount, isObject, listOf, objectOf, textOf, type JsonObject } from '../json.ts'
import { countSegments } from '../tokens.ts'
import type { Call, Problem } from '../wire.ts'
import { contentsOf, declarationsOf, requestOf, segmentsOf, type Content } from './request.ts'

const FIELDS = new Set(
  'contents systemInstruction tools toolConfig generationConfig safetySettings cachedContent labels model serviceTier'.split(
    ' ',
  ),
)
const CONFIG_FIELDS = new Set(
  (
    'temperature topP topK candidateCount maxOutputTokens stopSequences presencePenalty frequencyPenalty seed ' +
    'responseMimeType responseSchema responseJsonSchema thinkingConfig responseModalities mediaResolution'
  ).split(' '),
)
const DATA = ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse']
const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/
const MODES = new Set(['AUTO', 'ANY', 'NONE', 'VALIDATED'])
const LEVELS = new Set(['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'])
/** Stands for the signature of a call that another model made. */
const FOREIGN = 'skip_thought_signature_validator'

/** The signature that was given with a call, by account and signature. */
export type IssuedSignatures = ReadonlySet<string>

type Rule = (call: Call, issued: IssuedSignatures) => string | undefined

/** The refusal of the first unknown name of an object; undefined if all are known. */
const unknownName = (value: JsonObject, known: ReadonlySet<string>, path = ''): string | undefined => {
  const name = Object.keys(value).find((candidate) => !known.has(candidate))
  return name === undefined
    ? undefined
    : `Invalid JSON payload received. Unknown name "${name}"${path}: Cannot find field.`
}

/** Refuses unknown fields. */
const checkFields: Rule = ({ body }) => {
  const request = requestOf(body)
  return (
    unknownName(request, FIELDS) ??
    unknownName(objectOf(request.generationConfig), CONFIG_FIELDS, " at 'generation_config'")
  )
}

/** Refuses limits, settings of thinking and schemas that the model does not take. */
const checkConfig: Rule = ({ body, model }) => {
  const config = objectOf(requestOf(body).generationConfig)
  const most = config.maxOutputTokens
  if (most !== undefined && (!isCount(most) || most < 1 || most > model.maxOutputTokens))
    return `Unable to submit request because it has a maxOutputTokens value of ${JSON.stringify(most)} but the supported range is from 1 (inclusive) to ${model.maxOutputTokens + 1} (exclusive).`
  const { thinkingBudget, thinkingLevel } = objectOf(config.thinkingConfig)
  if (thinkingBudget !== undefined && thinkingLevel !== undefined)
    return 'You can only set only one of thinking budget and thinking level.'
  if (thinkingLevel !== undefined && (model.requiresThoughtSignatures !== true || !LEVELS.has(textOf(thinkingLevel))))
    return 'Thinking level is not supported for this model.'
  const hasSchema = config.responseSchema !== undefined || config.responseJsonSchema !== undefined
  return hasSchema && config.responseMimeType !== 'application/json'
    ? "Response schema is only supported with response mime type 'application/json'."
    : undefined
}

/** What is wrong with a part: not exactly one kind of data, or that is wrong; undefined if nothing is. */
const checkPart = (part: JsonObject, path: string, role: string): string | undefined => {
  const [kind, ...others] = DATA.filter((name) => name in part)
  if (kind === undefined || others.length > 0 || (part.text === '' && part.thoughtSignature === undefined))
    return `Invalid value at '${path}': required oneof field 'data' must have one initialized field`
  return kind.startsWith('function') ? checkFunctionPart(part, path, role) : checkData(part, path)
}

/** What is wrong with a call or a result as a part; undefined if nothing is. */
const checkFunctionPart = (part: JsonObject, path: string, role: string): string | undefined => {
  if ('functionCall' in part) {
    if (role !== 'model') return `${path}: function calls are only in turns of the model.`
    const { name, args = {} } = objectOf(part.functionCall)
    if (!NAME.test(textOf(name))) return `${path}.function_call.name: Invalid function name.`
    return isObject(args) ? undefined : `${path}.function_call.args: Invalid value, expected an object.`
  }
  if (role === 'model') return `${path}: function responses are only in turns of the user.`
  const { response } = objectOf(part.functionResponse)
  return isObject(response) ? undefined : `${path}.function_response.response: Invalid value, expected an object.`
}

/** What is wrong with inline data; undefined if nothing is. */
const checkData = (part: JsonObject, path: string): string | undefined => {
  const { mimeType, data } = objectOf(part.inlineData)
  return 'inlineData' in part && (textOf(mimeType) === '' || textOf(data) === '')
    ? `${path}.inline_data: mimeType and data are required.`
    : undefined
}

/** Refuses contents of wrong roles or parts, and those that do not begin and end with the user. */
const checkContents: Rule = ({ body }) => {
  const contents = contentsOf(body)
  if (contents.length === 0) return 'contents is not specified'
  if (contents[0]?.role !== 'user') return 'Please ensure that the first turn is of the user.'
  for (const { role, parts, path } of contents) {
    if (role !== 'user' && role !== 'model') return 'Please use a valid role: user, model.'
    if (parts.length === 0) return `* GenerateContentRequest.${path}.parts: contents.parts must not be empty.`
    for (const part of parts) {
      const problem = checkPart(part.value, part.path, role)
      if (problem !== undefined) return problem
    }
  }
  return contents.at(-1)?.role === 'model' ? 'Please ensure that the last turn is of the user.' : undefined
}

const partsWith = (content: Content | undefined, name: string): JsonObject[] =>
  content?.parts.filter(({ value }) => name in value).map(({ value }) => objectOf(value[name])) ?? []

/** Refuses calls without as many results of the same names in the next turn, and results without calls. */
const checkPairs: Rule = ({ body }) => {
  const contents = contentsOf(body)
  for (const [index, content] of contents.entries()) {
    const calls = partsWith(content, 'functionCall')
    const responses = partsWith(contents[index + 1], 'functionResponse')
    if (responses.length > 0 && calls.length === 0)
      return 'Please ensure that function response turn comes immediately after a function call turn.'
    if (calls.length !== responses.length)
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
    const names = (values: readonly JsonObject[]): string => JSON.stringify(values.map(({ name }) => name).sort())
    if (names(calls) !== names(responses))
      return 'Function response names do not match the names of the function calls.'
  }
  return partsWith(contents[0], 'functionResponse').length > 0
    ? 'Please ensure that function response turn comes immediately after a function call turn.'
    : undefined
}

const isSpoken = ({ role, parts }: Content): boolean =>
  role === 'user' && parts.some(({ value }) => !('functionResponse' in value))

/** Refuses signatures that were not issued, and, where the model wants them, a running turn without. */
const checkSignatures: Rule = ({ body, account, model }, issued) => {
  const contents = contentsOf(body)
  for (const { value, path } of contents.flatMap(({ parts }) => parts)) {
    const { thoughtSignature } = value
    const isKnown =
      thoughtSignature === undefined || issued.has(`${account} ${textOf(thoughtSignature)} ${signedOf(value)}`)
    if (!isKnown && thoughtSignature !== FOREIGN) return `Thought signature is not valid: ${path}.`
  }
  if (model.requiresThoughtSignatures !== true) return undefined
  for (const content of contents.slice(contents.findLastIndex(isSpoken) + 1)) {
    const first = content.parts.find(({ value }) => 'functionCall' in value)
    if (first !== undefined && first.value.thoughtSignature === undefined)
      return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly: ${first.path}.`
  }
  return undefined
}

/** What of a part its signature is for, as a text: a call's name and arguments, or any text. */
export const signedOf = (part: JsonObject): string =>
  'functionCall' in part
    ? JSON.stringify([objectOf(part.functionCall).name, objectOf(part.functionCall).args ?? {}])
    : 'text'

/** Refuses wrong names, schemas and modes of tools, and allowed names that are none of them. */
const checkTools: Rule = ({ body }) => {
  const declarations = declarationsOf(body)
  const names = declarations.map(({ name }) => textOf(name))
  for (const [index, { name, parameters, parametersJsonSchema }] of declarations.entries()) {
    const path = `GenerateContentRequest.tools[0].function_declarations[${index}]`
    if (!NAME.test(textOf(name))) return `* ${path}.name: Invalid function name.`
    if (names.indexOf(textOf(name)) !== index) return `Duplicate function declaration found: ${textOf(name)}`
    const schema = parametersJsonSchema ?? parameters
    if (schema !== undefined && !/^object$/i.test(textOf(objectOf(schema).type)))
      return `* ${path}.parameters.type: should be OBJECT.`
  }
  const config = objectOf(objectOf(requestOf(body).toolConfig).functionCallingConfig)
  if (config.mode !== undefined && !MODES.has(textOf(config.mode)))
    return `Invalid value at 'tool_config.function_calling_config.mode': "${textOf(config.mode)}"`
  const allowed = listOf(config.allowedFunctionNames).map(textOf)
  if (allowed.length === 0) return undefined
  if (config.mode !== 'ANY' && config.mode !== 'VALIDATED')
    return 'allowed_function_names should only be set when mode is ANY or VALIDATED.'
  const missing = allowed.find((name) => !names.includes(name))
  return missing === undefined ? undefined : `Function name ${missing} is not in the function declarations.`
}

const RULES: readonly Rule[] = [checkFields, checkConfig, checkContents, checkPairs, checkSignatures, checkTools]

/**
 * What Gemini's API would refuse in a request: the first broken rule, or an input that is longer than the window;
 * undefined when it would take it. `issued`: the signatures that this server gave.
 */
export const checkRules = (call: Call, issued: IssuedSignatures): Problem | undefined => {
  for (const rule of RULES) {
    const message = rule(call, issued)
    if (message !== undefined) return { condition: 'bad-request', message }
  }
  const tokens = countSegments(segmentsOf(call.body))
  const most = call.model.contextWindow
  return tokens > most
    ? {
        condition: 'too-long',
        message: `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${most}).`,
      }
    : undefined
}
