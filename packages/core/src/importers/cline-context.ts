/**
 * What the files of a task of Cline, Roo or Kilo have besides its messages: the model and mode in use at each time, and
 * the project. The requests in the display file name neither, so they are looked up by time.
 */
import { arrayOf, objectOf, parseJson, parseJsonObject, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { FileSystem } from '../ports/file-system.ts'
import { splitElements } from './json-elements.ts'
import { parseTime } from './line-values.ts'

/** From `at` (ms) on, this model or mode was in use. */
export interface ModelUse {
  readonly at: number
  readonly model?: string
  readonly provider?: string
  readonly mode?: string
}

export interface TaskContext {
  readonly workspace?: string
  readonly title?: string
  /** In order of time. */
  readonly uses: readonly ModelUse[]
}

/** What was read, and whether the task's history holds any message. */
export interface ReadTaskContext extends TaskContext {
  readonly hasHistory: boolean
}

/** Model, mode and folder, from the environment block that the editor adds to a user message. */
export interface EnvironmentFacts {
  readonly model?: string
  readonly mode?: string
  readonly workspace?: string
}

const FOLDER = /# Current Work(?:ing|space) Directory \(([^)\n]+)\) Files/
const MODE_OF_ROO = /# Current Mode\s+<slug>([^<]+)<\/slug>/
const MODE_OF_CLINE = /# Current Mode\s+(PLAN|ACT) MODE/
const MODEL = /<model>([^<]+)<\/model>/

/**
 * Parses the last environment block that Cline adds to a message; undefined when the text has none. What it does not
 * name is absent.
 */
export const parseEnvironment = (text: string): EnvironmentFacts | undefined => {
  const start = text.lastIndexOf('<environment_details>')
  if (start < 0) return undefined
  const block = text.slice(start)
  const model = MODEL.exec(block)?.[1]
  const mode = MODE_OF_ROO.exec(block)?.[1] ?? MODE_OF_CLINE.exec(block)?.[1]?.toLowerCase()
  const workspace = FOLDER.exec(block)?.[1]
  return {
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { mode }),
    ...(workspace === undefined ? {} : { workspace }),
  }
}

/**
 * Reads what a task's folder has besides its messages: models and modes in use, workspace, title. Missing or damaged
 * files are left out. Uses are in order of time. The workspace is that of the task's entry in its own file or the
 * extension's lists, else the metadata's, else the first that the conversation history names.
 */
export const readTaskContext = async (
  folder: string,
  fileSystem: Pick<FileSystem, 'read' | 'readText' | 'stat'>,
): Promise<ReadTaskContext> => {
  const metadata = objectOf(await readJson(`${folder}/task_metadata.json`, fileSystem))
  const history = await readHistory(`${folder}/api_conversation_history.json`, fileSystem)
  const entry = await historyEntry(folder, fileSystem)
  const workspace = entry?.workspace ?? stringOf(metadata.workspace_path) ?? history.workspace
  return {
    hasHistory: history.hasHistory,
    uses: [...usesOf(metadata), ...history.uses].sort((a, b) => a.at - b.at),
    ...(workspace === undefined ? {} : { workspace }),
    ...(entry?.title === undefined ? {} : { title: entry.title }),
  }
}

/**
 * The models that a task's metadata names, with their times; those without a time are left out. In the order of the
 * file.
 */
const usesOf = (metadata: JsonObject): readonly ModelUse[] =>
  arrayOf(metadata.model_usage).flatMap((value) => {
    const use = objectOf(value)
    const at = parseTime(use.ts)
    return at === null
      ? []
      : [parseModelUse(at, stringOf(use.model_id), stringOf(use.model_provider_id), stringOf(use.mode))]
  })

/**
 * What the messages of a task's history have besides their content: models and modes in use, in its order, the first
 * folder named, and whether it has any message. Empty where there is no history.
 */
const readHistory = async (
  path: string,
  fileSystem: Pick<FileSystem, 'read' | 'stat'>,
): Promise<Omit<ReadTaskContext, 'title'>> => {
  const uses: ModelUse[] = []
  let workspace: string | undefined
  let hasHistory = false
  if ((await fileSystem.stat(path))?.kind !== 'file') return { uses, hasHistory }
  const decoder = new TextDecoder()
  for await (const items of splitElements(fileSystem.read(path))) {
    for (const item of items) {
      const text = decoder.decode(item.bytes)
      hasHistory ||= text.includes('"role"')
      if (!text.includes('environment_details') && !text.includes('"modelInfo"')) continue
      const message = parseJsonObject(text)
      const environment = message.role === 'user' ? parseEnvironment(textsOf(message.content)) : undefined
      workspace ??= environment?.workspace
      const use = messageUse(message, environment)
      if (use !== undefined) uses.push(use)
    }
  }
  return { uses, hasHistory, ...(workspace === undefined ? {} : { workspace }) }
}

/**
 * The model and mode of a message, by what it tells itself, else by its environment block; undefined where its time is
 * not told, or neither of the two is.
 */
const messageUse = (message: JsonObject, environment: EnvironmentFacts | undefined): ModelUse | undefined => {
  const at = parseTime(message.ts)
  const info = objectOf(message.modelInfo)
  const model = stringOf(info.modelId) ?? environment?.model
  const mode = stringOf(info.mode) ?? environment?.mode
  if (at === null || (model === undefined && mode === undefined)) return undefined
  return parseModelUse(at, model, stringOf(info.providerId), mode)
}

/**
 * The workspace and title of a task by its own file, else by the extension's list of tasks two folders up, else by the
 * index there; the first that has the task counts. Undefined if none has it. The workspace is a path as it stands
 * there; the title is the task's first text.
 */
const historyEntry = async (
  folder: string,
  fileSystem: Pick<FileSystem, 'readText'>,
): Promise<{ readonly workspace?: string; readonly title?: string } | undefined> => {
  const parts = folder.split(/[/\\]/)
  const task = parts.at(-1)
  const storage = parts.slice(0, -2).join('/')
  const own = objectOf(await readJson(`${folder}/history_item.json`, fileSystem))
  const listed = arrayOf(await readJson(`${storage}/state/taskHistory.json`, fileSystem)).find(
    (item) => objectOf(item).id === task,
  )
  const index = arrayOf(objectOf(await readJson(`${storage}/tasks/_index.json`, fileSystem)).entries).find(
    (item) => objectOf(item).id === task,
  )
  const item = [own, objectOf(listed), objectOf(index)].find((candidate) => Object.keys(candidate).length > 0)
  if (item === undefined) return undefined
  const workspace =
    stringOf(item.cwdOnTaskInitialization) ?? stringOf(item.workspace) ?? stringOf(item.shadowGitConfigWorkTree)
  const title = stringOf(item.task)
  return { ...(workspace === undefined ? {} : { workspace }), ...(title === undefined ? {} : { title }) }
}

/** A file's JSON; undefined where there is none, or a damaged one. */
const readJson = async (path: string, fileSystem: Pick<FileSystem, 'readText'>): Promise<JsonValue | undefined> => {
  try {
    const text = await fileSystem.readText(path)
    return text === undefined ? undefined : parseJson(text)?.value
  } catch {
    // A damaged side file costs its facts, not the transcript.
    return undefined
  }
}

/** The texts of a content, one below the other; '' if it has none. */
const textsOf = (content: JsonValue | undefined): string =>
  typeof content === 'string'
    ? content
    : arrayOf(content)
        .map((block) => stringOf(objectOf(block).text) ?? '')
        .join('\n')

/** A use of a model; what is not known is absent. */
const parseModelUse = (
  at: number,
  model: string | undefined,
  provider: string | undefined,
  mode: string | undefined,
): ModelUse => ({
  at,
  ...(model === undefined ? {} : { model }),
  ...(provider === undefined ? {} : { provider }),
  ...(mode === undefined ? {} : { mode }),
})

/**
 * The model, provider and mode in use at a time (ms): each the last one noted at or before it, else the first of all;
 * the last of all without a time. Absent where none was ever noted. `uses` are in order of time.
 */
export const modelUseAt = (uses: readonly ModelUse[], at: number | null): Omit<ModelUse, 'at'> => {
  let found: Omit<ModelUse, 'at'> = {}
  for (const use of uses) {
    if (at !== null && use.at > at) break
    found = { ...found, ...use }
  }
  const first = (key: 'model' | 'provider' | 'mode'): string | undefined =>
    found[key] ?? uses.find((use) => use[key] !== undefined)?.[key]
  const [model, provider, mode] = [first('model'), first('provider'), first('mode')]
  return {
    ...(model === undefined ? {} : { model }),
    ...(provider === undefined ? {} : { provider }),
    ...(mode === undefined ? {} : { mode }),
  }
}

/**
 * Reads a task context back from the JSON that it was stored as. Never throws: what is missing or of another form is
 * left out, so undefined gives a context without uses. A use without a time has 0.
 */
export const parseTaskContext = (value: JsonValue | undefined): TaskContext => {
  const object = objectOf(value)
  const workspace = stringOf(object.workspace)
  const title = stringOf(object.title)
  return {
    uses: arrayOf(object.uses).map((use) => {
      const entry = objectOf(use)
      return parseModelUse(
        typeof entry.at === 'number' ? entry.at : 0,
        stringOf(entry.model),
        stringOf(entry.provider),
        stringOf(entry.mode),
      )
    }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(title === undefined ? {} : { title }),
  }
}
