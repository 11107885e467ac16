/** How long a request's system prompt and tools are, in whichever API's form they are given: they are only measured. */
import { CairnError } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import { toolCharacters } from '../tokens/content-characters.ts'

/**
 * Characters of system prompt and tools together, as they are sent; 0 for what is missing. Throws `invalid-input` for
 * what is neither.
 */
export const prefixCharacters = ({ system, tools }: { readonly system?: unknown; readonly tools?: unknown }): number =>
  systemCharacters(system) + toolsCharacters(tools)

/**
 * The characters of a system prompt; 0 if there is none. @throws CairnError `invalid-input` if it is neither a text nor
 * a list of text blocks
 */
const systemCharacters = (system: unknown): number => {
  if (system === undefined || system === null) return 0
  if (typeof system === 'string') return system.length
  if (!Array.isArray(system))
    throw new CairnError('invalid-input', `system must be a text or a list of text blocks, not ${typeof system}.`)
  return system.reduce((sum: number, block: unknown) => sum + blockCharacters(block), 0)
}

/**
 * The characters of a block of the system prompt, which may be a bare text. @throws CairnError `invalid-input` if it
 * has no text
 */
const blockCharacters = (block: unknown): number => {
  if (typeof block === 'string') return block.length
  if (typeof block === 'object' && block !== null && 'text' in block && typeof block.text === 'string')
    return block.text.length
  throw new CairnError(
    'invalid-input',
    'system must be a text or a list of text blocks; one of its blocks has no text.',
  )
}

/**
 * The characters of all tool definitions; 0 if there are none. @throws CairnError `invalid-input` if it is no list of
 * tool definitions
 */
const toolsCharacters = (tools: unknown): number => {
  if (tools === undefined || tools === null) return 0
  if (!Array.isArray(tools))
    throw new CairnError('invalid-input', `tools must be a list of tool definitions, not ${typeof tools}.`)
  return tools.reduce((sum: number, tool: unknown, index) => sum + definitionCharacters(tool, index), 0)
}

/**
 * The characters of a tool's definition. Another form than Cairn's is measured with its punctuation: rather a little
 * too long than too short.
 * @throws CairnError `invalid-input` if it is no object
 */
const definitionCharacters = (tool: unknown, index: number): number => {
  if (typeof tool !== 'object' || tool === null || Array.isArray(tool))
    throw new CairnError(
      'invalid-input',
      `Tool ${index} must be a definition with a name, not ${JSON.stringify(tool)}.`,
    )
  const { name, description, inputSchema } = tool as Readonly<Record<string, unknown>>
  const isOurs = typeof name === 'string' && typeof description === 'string' && typeof inputSchema === 'object'
  return isOurs && inputSchema !== null
    ? toolCharacters({ name, description, inputSchema: inputSchema as JsonObject })
    : JSON.stringify(tool).length
}
