/** `memory`: what was learned about the project, across all sessions. */
import { MEMORY_KINDS, type MemoryEntry } from '../../ports/memory-storage.ts'
import type { Memory } from '../../memory/memory.ts'
import { escapedLine } from '../../memory/section-text.ts'
import type { AgentTool, PreparedCall, ToolContext } from '../agent-tool.ts'
import type { JsonObject } from '../../json.ts'
import { answer, callOf, choiceIn, countIn, found, optionalTextIn, textIn, textsIn } from './tool-input.ts'

const OPERATIONS = ['search', 'list', 'add', 'confirm', 'contradict', 'forget'] as const
/** The source recorded with the agent's entries. */
const SOURCE = 'agent:cairn'
const MOST_LISTED = 50

type MemoryPart = Pick<Memory, 'search' | 'list' | 'add' | 'confirm' | 'contradict' | 'forget'>

/**
 * The tool `memory` over a workspace's entries. Calls that change entries run without approval (effect `memory`);
 * results are marked as data.
 */
export const memoryTool = (memory: MemoryPart, workspace: string): AgentTool => ({
  definition: {
    name: 'memory',
    description:
      'What was learnt about this project, over all sessions. search, list: what is known. add: one fact, as a whole sentence that is understood without this conversation; the same again only confirms. confirm: an entry was seen to be true again. contradict: it was seen to be wrong; text is what is true instead. forget. Not for secrets, nor for what only matters now.',
    inputSchema: {
      type: 'object',
      properties: {
        operation: { type: 'string', enum: OPERATIONS },
        text: { type: 'string', description: 'search: words; add: the fact; contradict: what is true instead.' },
        kind: { type: 'string', enum: MEMORY_KINDS, description: 'add.' },
        examples: {
          type: 'array',
          items: { type: 'string' },
          description: 'add: where it shows, path:line.',
        },
        id: { type: 'string', description: 'confirm, contradict, forget: the entry.' },
        limit: { type: 'integer', description: `search: the most entries; 10 unless named, at most ${MOST_LISTED}.` },
      },
      required: ['operation'],
    },
  },
  prepare: async (input, context) => prepared(memory, workspace, input, context),
})

/**
 * Checks the input of a call and describes what it will do; nothing is read or written before it runs. `search` (10
 * entries unless named) and `list` (the first `MOST_LISTED`) give a line per entry; the others answer with the entry's
 * id.
 * @throws CairnError `invalid-input`
 */
const prepared = (
  memory: MemoryPart,
  workspace: string,
  input: JsonObject,
  { sessionId }: Pick<ToolContext, 'sessionId'>,
): PreparedCall => {
  const operation = choiceIn(input, 'operation', OPERATIONS)
  switch (operation) {
    case 'search': {
      const text = textIn(input, 'text')
      const limit = countIn(input, 'limit', MOST_LISTED, 10)
      return callOf('none', `search the memory for ${escapedLine(text, 60)}`, async () => {
        const matches = await memory.search(workspace, text, { limit })
        return found(`${matches.length} entries.`, matches.map(({ entry }) => lineOf(entry)).join('\n'))
      })
    }
    case 'list':
      return callOf('none', 'list the memory', async () => {
        const entries = await memory.list(workspace)
        const more = entries.length > MOST_LISTED ? `, the first ${MOST_LISTED} of them here` : ''
        return found(`${entries.length} entries${more}.`, entries.slice(0, MOST_LISTED).map(lineOf).join('\n'))
      })
    case 'add': {
      const text = textIn(input, 'text')
      const kind = choiceIn(input, 'kind', MEMORY_KINDS)
      const examples = textsIn(input, 'examples', 20)
      return callOf('memory', `remember: ${escapedLine(text, 80)}`, async () => {
        const { entry, outcome } = await memory.add({ workspace, kind, text, examples, sessionId, source: SOURCE })
        return answer(outcome === 'added' ? `Kept as ${entry.id}.` : `Known already (${entry.id}); confirmed.`)
      })
    }
    case 'confirm': {
      const id = textIn(input, 'id', 100)
      return callOf('memory', `confirm ${id}`, async () => answer(`Confirmed ${(await memory.confirm(id)).id}.`))
    }
    case 'contradict': {
      const id = textIn(input, 'id', 100)
      const text = optionalTextIn(input, 'text')
      return callOf('memory', `contradict ${id}`, async () =>
        answer(`Noted; ${(await memory.contradict(id, text, { sessionId, source: SOURCE })).id} stands now.`),
      )
    }
    case 'forget': {
      const id = textIn(input, 'id', 100)
      return callOf('memory', `forget ${id}`, async () => answer(`Forgot ${(await memory.forget(id)).id}.`))
    }
  }
}

const lineOf = ({ id, kind, text, confidence, examples }: MemoryEntry): string =>
  `${id} ${kind} (${Math.round(confidence * 100)} % sure): ${escapedLine(text, 600)}${
    examples.length === 0 ? '' : ` [${examples.map((example) => escapedLine(example, 120)).join(', ')}]`
  }`
