/** A block of the conversation with the facts that policies decide on. */
import type { ContentBlock, Message } from '../messages.ts'
import type { HistoryBlock } from '../session/model-history.ts'
import { contentCharacters } from '../tokens/content-characters.ts'
import { MESSAGE_OVERHEAD_TOKENS, estimateTokens } from '../tokens/estimate.ts'
import { isProgramContent, type Speech } from '../user-words/user-words.ts'
import { fileOperationsOf, type FileOperation } from '../file-activity/file-tools.ts'
import { isThinking } from './thinking.ts'

/**
 * `user`: what a person said. `program`: what the agent's program put in a user's turn. `reply`, `thinking`,
 * `call`: what the model said. `read`, `edit`, `command`, `search`, `result`: what a tool brought, by what it
 * did. `summary`: stands for what another agent compacted. `inserted`: put in by a rewrite.
 */
export type BlockKind =
  | 'user'
  | 'program'
  | 'system'
  | 'reply'
  | 'thinking'
  | 'call'
  | 'read'
  | 'edit'
  | 'command'
  | 'search'
  | 'result'
  | 'summary'
  | 'inserted'

/** A block of the model history (`source`) with what policies decide on. */
export interface ViewBlock {
  readonly source: HistoryBlock
  readonly kind: BlockKind
  /** How many requests were made before the block; a result has the number of its call. */
  readonly request: number
  /** Characters and estimated tokens of the original. */
  readonly characters: number
  readonly tokens: number
  /** Of a call its result, of a result its call; undefined until it is known. */
  partner: ViewBlock | undefined
  /** Of a call and of its result: the files that it reads or edits. */
  readonly operations: readonly FileOperation[]
  /** Of a call and of its result: the tool's name. */
  readonly tool: string | undefined
  /** The last estimate of its tokens, and the form of the block that it was made for. */
  sent: { readonly seen: ContentBlock | null; readonly tokens: number }
}

/**
 * Tokens of a call or result beyond its characters, such as its id and the names of its arguments. Measured on 200
 * steps of recorded Claude sessions by how much each step added to the input: with these, the estimates add up to
 * within 1 % of the provider's count; without them they are 6 % too low.
 */
const CALL_FRAME_TOKENS = 12

/**
 * Tokens that the API adds around a block beyond its characters: a constant for calls and results, another for
 * everything else.
 */
export const frameTokens = ({ type }: Pick<ContentBlock, 'type'>): number =>
  type === 'tool_call' || type === 'tool_result' ? CALL_FRAME_TOKENS : MESSAGE_OVERHEAD_TOKENS

/** Estimated tokens of a block as it is sent, {@link frameTokens} included. */
export const tokensOf = (block: ContentBlock, charactersPerToken: number): number =>
  estimateTokens(block, { charsPerToken: charactersPerToken }) + frameTokens(block)

/** Estimated tokens of messages: the sum of {@link tokensOf} over all their blocks. */
export const estimateOfMessages = (messages: readonly Message[], charactersPerToken: number): number =>
  messages.reduce((sum, { content }) => sum + estimateOfBlocks(content, charactersPerToken), 0)

/** Estimated tokens of blocks: the sum of {@link tokensOf}. */
export const estimateOfBlocks = (blocks: readonly ContentBlock[], charactersPerToken: number): number =>
  blocks.reduce((sum, block) => sum + tokensOf(block, charactersPerToken), 0)

const SEARCH_TOOLS =
  /^(?:grep|glob|search|search_files|find|ls|list|list_files|list_dir|codebase_search|ripgrep|rg|websearch|toolsearch)$/i
const COMMAND_TOOLS =
  /^(?:bash|shell|exec_command|execute_command|run_command|run_terminal_cmd|local_shell|bashoutput|terminal)$/i

/**
 * The kind of a tool result. Where the call names files: what was done with the first one (`read`, `edit`, …); else
 * `command` or `search` by the tool's name, and `result` for any other tool.
 */
export const resultKind = (tool: string, operations: readonly FileOperation[]): BlockKind => {
  const first = operations[0]
  if (first !== undefined) return first.operation
  const name = tool.split(/[.:/]|__/).at(-1) ?? tool
  if (COMMAND_TOOLS.test(name)) return 'command'
  return SEARCH_TOOLS.test(name) ? 'search' : 'result'
}

/**
 * The view's record of a block that was just added: kind, files, tokens, and the call that it answers. Does not add it
 * to the view. The partner's own `partner` is not set. Tokens are estimated.
 */
export const createViewBlock = (
  source: HistoryBlock,
  {
    requests,
    speech,
    call,
    charactersPerToken,
  }: {
    /** Made so far. */
    readonly requests: number
    /** What the block's message is as the user's. */
    readonly speech: Speech
    /** That the block is the result of. */
    readonly call: ViewBlock | undefined
    readonly charactersPerToken: number
  },
): ViewBlock => {
  const { original } = source
  const operations = original.type === 'tool_call' ? fileOperationsOf(original) : (call?.operations ?? [])
  const tool = original.type === 'tool_call' ? original.name : call?.tool
  const tokens = tokensOf(original, charactersPerToken)
  return {
    source,
    kind: kindOf(source, speech, tool, operations),
    // A result that comes late (parallel calls) belongs to the request whose call it answers.
    request: call?.request ?? requests,
    characters: contentCharacters(original),
    tokens,
    sent: { seen: original, tokens },
    partner: call,
    operations,
    tool,
  }
}

/**
 * The kind to show to people. A tool's text that answers no call has the kind `user`, so that policies keep it, but is
 * shown as a result.
 */
export const shownKind = ({ kind, source }: Pick<ViewBlock, 'kind' | 'source'>): BlockKind =>
  kind === 'user' && source.entry.role === 'tool' ? 'result' : kind

/**
 * The kind of a block. For a tool's result see {@link resultKind}. Else `inserted` if a rewrite put it in, `summary` if
 * it stands for what an agent compacted; the model's are `call`, `thinking` or `reply`, by their type. All others are
 * by who wrote them: `system`, `program` or `user`, which a tool's text that is no result is, too.
 */
const kindOf = (
  { original, entry, isInsertion }: HistoryBlock,
  speech: Speech,
  tool: string | undefined,
  operations: readonly FileOperation[],
): BlockKind => {
  if (original.type === 'tool_result') return resultKind(tool ?? '', operations)
  if (isInsertion) return 'inserted'
  if (entry.origin === 'summary') return 'summary'
  if (entry.role === 'assistant')
    return original.type === 'tool_call' ? 'call' : isThinking(original) ? 'thinking' : 'reply'
  if (entry.role === 'system') return 'system'
  if (speech === 'program') return 'program'
  // A message that a person wrote may also hold blocks that the program added.
  return entry.role === 'user' && entry.content.length > 1 && isProgramContent([original]) ? 'program' : 'user'
}
