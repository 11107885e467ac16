/** The rules of tools in a Messages request: their definitions, and that calls and results are pairs. */
import { isObject, objectOf, textOf } from '../json.ts'
import type { Call } from '../wire.ts'
import { toolBlocks, turnsOf, type Turn } from './request.ts'

const NAME = /^[a-zA-Z0-9_-]{1,128}$/
const ID = /^[a-zA-Z0-9_-]+$/

/** What is wrong with the definitions of tools and with which must be called; undefined if nothing is. */
const checkDefinitions = ({ body }: Call): string | undefined => {
  const names = new Set<string>()
  for (const { value, path } of toolBlocks(body)) {
    const name = textOf(value.name)
    if (!NAME.test(name)) return `${path}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`
    if (names.has(name)) return 'tools: Tool names must be unique.'
    names.add(name)
    if (!isObject(value.input_schema) || value.input_schema.type !== 'object')
      return `${path}.custom.input_schema.type: Input should be 'object'`
  }
  const choice = objectOf(body.tool_choice)
  if (body.tool_choice === undefined) return undefined
  if (names.size === 0) return 'tool_choice: tool_choice may only be specified while providing tools'
  if (!['auto', 'any', 'tool', 'none'].includes(textOf(choice.type)))
    return "tool_choice.type: Input should be 'auto', 'any', 'tool' or 'none'"
  return choice.type === 'tool' && !names.has(textOf(choice.name))
    ? `Tool '${textOf(choice.name)}' not found in provided tools`
    : undefined
}

const idsOf = (turn: Turn | undefined, type: string, field: string): string[] =>
  turn?.blocks.filter((block) => block.type === type).map(({ value }) => textOf(value[field])) ?? []

/**
 * What is wrong with a turn's calls: ids, names, inputs, or no result in the next turn; undefined if nothing is. Adds
 * the ids to `seen`.
 */
const checkCalls = (turn: Turn, next: Turn | undefined, seen: Set<string>): string | undefined => {
  for (const { type, value, path } of turn.blocks) {
    if (type !== 'tool_use') continue
    if (!ID.test(textOf(value.id))) return `${path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`
    if (seen.has(textOf(value.id))) return `${path}: \`tool_use\` ids must be unique`
    seen.add(textOf(value.id))
    if (!NAME.test(textOf(value.name)))
      return `${path}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`
    if (!isObject(value.input)) return `${path}.tool_use.input: Input should be a valid dictionary`
  }
  const answered = new Set(idsOf(next?.role === 'user' ? next : undefined, 'tool_result', 'tool_use_id'))
  const missing = idsOf(turn, 'tool_use', 'id').filter((id) => !answered.has(id))
  return missing.length === 0
    ? undefined
    : `${turn.path}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. ` +
        'Each `tool_use` block must have a corresponding `tool_result` block in the next message.'
}

/**
 * What is wrong with a turn's results: no call, a second one, or other content before them; undefined if nothing is.
 */
const checkResults = (turn: Turn, previous: Turn | undefined): string | undefined => {
  const called = new Set(idsOf(previous?.role === 'assistant' ? previous : undefined, 'tool_use', 'id'))
  const answered = new Set<string>()
  let isBehindOther = false
  for (const { type, value, path } of turn.blocks) {
    if (type !== 'tool_result') {
      isBehindOther = true
      continue
    }
    const id = textOf(value.tool_use_id)
    if (!called.has(id))
      return (
        `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
        'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.'
      )
    if (answered.has(id))
      return `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`
    answered.add(id)
    if (isBehindOther) return `${path}: \`tool_result\` blocks must come before all other content of the message`
  }
  return undefined
}

/**
 * Why the calls and results of a request, or its tools, would be refused; undefined when they are as they must be: each
 * call answered by the next turn, each result with its call.
 */
export const checkTools = (call: Call): string | undefined => {
  const turns = turnsOf(call.body)
  const seen = new Set<string>()
  for (const [index, turn] of turns.entries()) {
    const problem = checkCalls(turn, turns[index + 1], seen) ?? checkResults(turn, turns[index - 1])
    if (problem !== undefined) return problem
  }
  return checkDefinitions(call)
}
