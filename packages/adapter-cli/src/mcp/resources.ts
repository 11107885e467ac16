/** Resources, which users attach to a conversation in clients that show them: memory, sessions and notes by address. */
import type { CompleteRequest, ListResourcesResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js'
import { projectName } from '../options/project-option.ts'
import { counted } from '../terminal/format.ts'
import { INVALID_PARAMS, ProtocolError, RESOURCE_NOT_FOUND } from './protocol-error.ts'
import { named, partOf, quoted, safeLine, shortLine, timeText } from './quoted.ts'
import type { Call } from './tool.ts'
import { summaryText } from './tools/get-session.ts'

const MEMORY = 'cairn://memory/'
const SESSION = 'cairn://session/'
const NOTE = 'cairn://note/'
const MARKDOWN = 'text/markdown'

/** The kinds of resources that a client can ask for by address. */
export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: `${MEMORY}{workspace}`,
    name: 'memory',
    title: 'Memory of a project',
    description: 'What was learnt about a project; {workspace} is its folder, percent-encoded, or its name.',
    mimeType: MARKDOWN,
  },
  {
    uriTemplate: `${SESSION}{id}`,
    name: 'session',
    title: 'An earlier session',
    description: 'What a session was about: requests, decisions, files.',
    mimeType: MARKDOWN,
  },
  {
    uriTemplate: `${NOTE}{key}`,
    name: 'note',
    title: 'A note of the project',
    description: 'A note of the current project by its key.',
    mimeType: MARKDOWN,
  },
] as const

const SESSIONS_LISTED = 20
const NOTES_LISTED = 50
const COMPLETIONS = 50
const MEMORY_TOKENS = 6_000
/** Characters of one resource; tools return the rest. */
const MOST_CHARACTERS = 60_000
const TITLE_SHOWN = 200
/** Characters of a completion; longer ones are left out. */
const COMPLETION_SHOWN = 500

/**
 * Lists the addresses of the current project's memory (unless that is off), newest sessions and newest notes, up to a
 * limit each; outside of a project the newest sessions of all, without memory and notes.
 */
export const listResources = async ({ engine, ownProject, longTermMemory }: Call): Promise<ListResourcesResult> => {
  const own = await ownProject()
  const { sessions } = await engine.store.sessions.list({
    limit: SESSIONS_LISTED,
    ...(own === undefined ? {} : { workspace: own.path }),
  })
  const notes =
    own === undefined
      ? []
      : (await engine.notes.list(own.path))
          .toSorted((left, right) => right.updatedAt - left.updatedAt)
          .slice(0, NOTES_LISTED)
  return {
    resources: [
      ...(own === undefined || !longTermMemory
        ? []
        : [
            {
              uri: `${MEMORY}${encodeURIComponent(own.path)}`,
              name: `memory of ${named(projectName(own.path))}`,
              title: `Memory of ${named(projectName(own.path))}`,
              description: 'What was learnt about this project.',
              mimeType: MARKDOWN,
            },
          ]),
      ...sessions.map(({ id, title, agent, updatedAt }) => ({
        uri: `${SESSION}${encodeURIComponent(id)}`,
        name: shortLine(title ?? id, 80),
        description: shortLine(`${agent}, ${timeText(updatedAt)}`, 200),
        mimeType: MARKDOWN,
      })),
      ...notes.map(({ key, updatedAt }) => ({
        uri: `${NOTE}${encodeURIComponent(key)}`,
        name: `note: ${shortLine(key, 80)}`,
        description: timeText(updatedAt),
        mimeType: MARKDOWN,
      })),
    ],
  }
}

/** Returns a part of an address, decoded. @throws ProtocolError if it is malformed */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ProtocolError(INVALID_PARAMS, `The address holds a "%" that stands for nothing: ${shortLine(text, 100)}`)
  }
}

/**
 * Returns the content of a resource, delimited as data. Rejects with a `ProtocolError` or `not-found` if there is none
 * at the address.
 */
export const readResource = async (uri: string, call: Call): Promise<ReadResourceResult> => {
  const text = await contentOf(uri, call)
  return { contents: [{ uri, mimeType: MARKDOWN, text }] }
}

/**
 * Returns the text of a resource, delimited as data; a long one is cut, with how to read on. With long-term memory off
 * the memory's says so. Rejects with a ProtocolError for an unknown address, `not-found` or `ambiguous` for what it
 * names.
 */
const contentOf = async (uri: string, { engine, project, longTermMemory }: Call): Promise<string> => {
  if (uri.startsWith(MEMORY)) {
    if (!longTermMemory) return 'Long-term memory is off (--no-ltm).'
    const workspace = await project(decoded(uri.slice(MEMORY.length)) || undefined)
    // It is delimited and escaped already.
    const { text } = await engine.memory.section(workspace, { maxTokens: MEMORY_TOKENS })
    return text === '' ? `Nothing is remembered of ${named(workspace)} yet.` : text
  }
  if (uri.startsWith(SESSION)) {
    const session = await engine.sessions.find(decoded(uri.slice(SESSION.length)))
    const { text, next, total } = partOf(await summaryText(session.id, engine), 0, MOST_CHARACTERS)
    const more =
      next === undefined
        ? ''
        : `\nThere is more (${counted(total, 'character')} in all): the tool get_session with id "${named(session.id)}", offset ${next}.`
    return `${quoted(`${shortLine(session.title ?? session.id, TITLE_SHOWN)} (${session.agent}, ${timeText(session.startedAt)} to ${timeText(session.updatedAt)})\n\n${text}`)}${more}`
  }
  if (uri.startsWith(NOTE)) {
    const note = await engine.notes.get(await project(undefined), decoded(uri.slice(NOTE.length)))
    const { text, next, total } = partOf(note.text, 0, MOST_CHARACTERS)
    return `${quoted(text)}${next === undefined ? '' : `\nThere is more (${counted(total, 'character')} in all): the tool notes with operation "get", this key, offset ${next}.`}`
  }
  throw new ProtocolError(
    RESOURCE_NOT_FOUND,
    `There is no resource ${shortLine(uri, 200)}; there are ${RESOURCE_TEMPLATES.map(({ uriTemplate }) => uriTemplate).join(', ')}.`,
  )
}

/**
 * Returns the values that complete an argument; empty if there are none. Values that are too long, or could not be
 * shown unchanged, are left out.
 */
export const completionsFor = async (params: CompleteRequest['params'], call: Call): Promise<readonly string[]> =>
  (await candidates(params, call)).filter((value) => value.length <= COMPLETION_SHOWN && safeLine(value) === value)

/**
 * At most 50 values that an argument of a resource may have: keys and projects that contain what was typed, in any
 * case, sessions whose id begins with it (nothing typed: the newest of the client's project, or of all). Empty for
 * arguments of prompts.
 */
const candidates = async ({ ref, argument }: CompleteRequest['params'], call: Call): Promise<readonly string[]> => {
  const { engine } = call
  const begun = argument.value.toLowerCase()
  const matching = (values: readonly string[]): readonly string[] =>
    values.filter((value) => value.toLowerCase().includes(begun)).slice(0, COMPLETIONS)
  if (ref.type !== 'ref/resource') return []
  if (argument.name === 'id') {
    if (argument.value !== '')
      return (await engine.store.sessions.resolve(argument.value, COMPLETIONS)).map(({ id }) => id)
    const own = await call.ownProject()
    return (
      await engine.store.sessions.list({ limit: COMPLETIONS, ...(own === undefined ? {} : { workspace: own.path }) })
    ).sessions.map(({ id }) => id)
  }
  if (argument.name === 'key') {
    const own = await call.ownProject()
    return own === undefined ? [] : matching((await engine.notes.list(own.path)).map(({ key }) => key))
  }
  return argument.name === 'workspace' && call.longTermMemory
    ? matching((await engine.store.memory.workspaces()).map(({ workspace }) => workspace))
    : []
}
