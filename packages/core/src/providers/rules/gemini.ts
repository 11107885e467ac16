/** What Gemini's generateContent demands of a request; each rule is one function over the body. */
import { arrayOf, isJsonObject, objectOf, type JsonObject } from '../../json.ts'
import { checkRules, objectsOf, type WireProblem, type WireRule } from './wire-rules.ts'

const DATA = ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse', 'executableCode']
const RESULT = 'codeExecutionResult'

/** Whether a part has exactly one kind of content, and an empty text only with a signature. */
const hasData = (part: JsonObject): boolean => {
  const kinds = [...DATA, RESULT].filter((name) => part[name] !== undefined)
  return kinds.length === 1 && (part.text !== '' || part.thoughtSignature !== undefined)
}

/** What the parts of a content have under a name, in order. */
const partsWith = (content: JsonObject | undefined, name: string): readonly JsonObject[] =>
  objectsOf(content?.parts)
    .map((part) => part[name])
    .filter(isJsonObject)

/** The names as one text, whatever their order. */
const namesOf = (values: readonly JsonObject[]): string => JSON.stringify(values.map(({ name }) => name ?? null).sort())

/** The rules, by name. */
export const GEMINI_RULES: Readonly<Record<string, WireRule>> = {
  /** A conversation that is empty, does not begin with the user, or ends with the model. */
  *turns({ contents }) {
    const all = objectsOf(contents)
    if (all.length === 0) yield 'it has no messages'
    else if (all[0]?.role !== 'user') yield 'the first message is not the user’s'
    if (all.at(-1)?.role === 'model') yield 'the last message is the model’s'
  },

  /** Empty messages, calls that are the user's, and arguments that are no object. */
  *parts({ contents }) {
    for (const [index, { role, parts }] of objectsOf(contents).entries()) {
      const all = objectsOf(parts)
      if (all.length === 0 || !all.every(hasData)) yield `message ${index} is empty, or has an empty part`
      if (role !== 'model' && all.some(({ functionCall }) => functionCall !== undefined))
        yield `message ${index} is the user’s and calls a tool`
      for (const { functionCall } of all)
        if (functionCall !== undefined && !isJsonObject(objectOf(functionCall).args ?? {}))
          yield `the arguments of a tool call in message ${index} are no object`
    }
  },

  /** Turns with calls that as many results, of the same tools, do not follow at once. */
  *'tool-pairs'({ contents }) {
    const all = objectsOf(contents)
    for (const [index, content] of [{}, ...all].entries()) {
      const calls = partsWith(content, 'functionCall')
      const results = partsWith(all[index], 'functionResponse')
      if (calls.length !== results.length)
        yield `message ${index} has ${results.length} results, and the one before it ${calls.length} tool calls`
      else if (namesOf(calls) !== namesOf(results)) yield `message ${index} has results of other tools than were called`
    }
  },

  /** Names of tools that are repeated or not taken, and calls demanded of others. */
  *tools({ tools, toolConfig }) {
    const names = objectsOf(tools).flatMap((tool) => objectsOf(tool.functionDeclarations).map(({ name }) => name))
    if (new Set(names).size < names.length) yield 'two tools have the same name'
    const bad = names.find((name) => typeof name !== 'string' || !/^[a-z_][\w.:-]{0,63}$/i.test(name))
    if (bad !== undefined) yield `the tool name ${JSON.stringify(bad)} has characters that are not taken, or too many`
    const allowed = arrayOf(objectOf(objectOf(toolConfig).functionCallingConfig).allowedFunctionNames)
    for (const name of allowed.filter((one) => !names.includes(one)))
      yield `it demands a call of ${JSON.stringify(name)}, which is no tool of it`
  },

  /** A limit of the reply that is no whole number from 1 up. */
  *'max-output'({ generationConfig }) {
    const { maxOutputTokens: maximum } = objectOf(generationConfig)
    if (!Number.isInteger(maximum) || (maximum as number) < 1)
      yield 'the longest reply must be a whole number of tokens from 1 up'
  },

  /** A level of reasoning together with a budget. */
  *reasoning({ generationConfig }) {
    const { thinkingLevel, thinkingBudget } = objectOf(objectOf(generationConfig).thinkingConfig)
    if (thinkingLevel !== undefined && thinkingBudget !== undefined)
      yield 'it gives a level of reasoning and a budget for it, and only one is taken'
  },
}

/** What the API would refuse in a body, all of it, in the order of the rules; empty when it would take it. */
export const validateGemini = (body: JsonObject): readonly WireProblem[] => checkRules(GEMINI_RULES, body)
