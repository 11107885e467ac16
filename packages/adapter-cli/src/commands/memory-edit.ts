/** `cairn memory add`, `confirm`, `contradict`, `update` and `forget`. */
import { CairnError } from '@cairn/core'
import type { Engine, MemoryEntry, MemoryKind } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { entryIds, entryLines } from '../memory-output.ts'
import { projectOf } from '../project-option.ts'
import { counted } from '../terminal/format.ts'
import { wrapLine } from '../terminal/wrap.ts'
import { asUsage } from '../wrong-usage.ts'

export interface AddOptions extends CommonOptions {
  readonly confidence?: number
  readonly example?: readonly string[]
  readonly session?: string
  readonly commit?: string
}

export interface ConfirmOptions extends CommonOptions {
  readonly applied?: boolean
}

export interface ContradictOptions extends CommonOptions {
  readonly replacement?: string
}

export interface UpdateOptions extends CommonOptions {
  readonly text?: string
  readonly kind?: MemoryKind
  readonly confidence?: number
  readonly example?: readonly string[]
}

/** What nobody is sure of any more ends by itself. */
const ENDS_BELOW = 0.1

const print = async (sentence: string, entry: MemoryEntry, engine: Engine, { terminal }: Context): Promise<void> => {
  const id = (await entryIds([entry], engine)).get(entry.id) ?? entry.id
  for (const line of wrapLine(sentence, terminal.width)) await terminal.line(line)
  for (const line of entryLines(entry, id, terminal)) await terminal.line(line)
}

/** Adds an entry: `{entry, outcome, redactions}` as JSON. */
export const runAdd = async (kind: MemoryKind, text: string, options: AddOptions, context: Context): Promise<void> => {
  if (text.trim() === '') throw new CairnError('usage', 'What is to be remembered? Give a text: cairn memory add discovery "Tests need Redis"')
  const engine = await context.engine(options)
  const workspace = await projectOf(options, engine, context)
  const { confidence, example, session, commit } = options
  const added = await asUsage(
    engine.memory.add({
      workspace,
      kind,
      text,
      source: 'user',
      ...(confidence === undefined ? {} : { confidence }),
      ...(example === undefined ? {} : { examples: example }),
      ...(session === undefined ? {} : { sessionId: (await engine.session(session)).id }),
      ...(commit === undefined ? {} : { commit }),
    }),
  )
  if (options.json === true) return context.json(added)
  const secrets = added.redactions === 0 ? '' : ` ${counted(added.redactions, 'secret')} ${added.redactions === 1 ? 'was' : 'were'} replaced first.`
  await print(`${added.outcome === 'added' ? 'Remembered.' : 'That was known already; it is confirmed.'}${secrets}`, added.entry, engine, context)
}

/** Confirms an entry: `{entry}` as JSON. */
export const runConfirm = async (id: string, options: ConfirmOptions, context: Context): Promise<void> => {
  const engine = await context.engine(options)
  const entry = await asUsage(engine.memory.confirm(id, { applied: options.applied === true }))
  if (options.json === true) return context.json({ entry })
  await print(options.applied === true ? 'Confirmed, and counted as applied.' : 'Confirmed.', entry, engine, context)
}

/** Contradicts an entry: `{entry}` as JSON; with a replacement, the new one. */
export const runContradict = async (id: string, options: ContradictOptions, context: Context): Promise<void> => {
  const engine = await context.engine(options)
  const entry = await asUsage(engine.memory.contradict(id, options.replacement))
  if (options.json === true) return context.json({ entry })
  const outcome = entry.confidence < ENDS_BELOW ? 'Contradicted, and ended: nobody is sure of it any more.' : 'Contradicted: it is less sure now.'
  await print(options.replacement === undefined ? outcome : 'Replaced; the former entry stays in its history.', entry, engine, context)
}

/** Changes an entry: `{entry}` as JSON. */
export const runUpdate = async (id: string, options: UpdateOptions, context: Context): Promise<void> => {
  const { text, kind, confidence, example } = options
  const changes = {
    ...(text === undefined ? {} : { text }),
    ...(kind === undefined ? {} : { kind }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(example === undefined ? {} : { examples: example }),
  }
  if (Object.keys(changes).length === 0) throw new CairnError('usage', 'What is to change? Give --text, --kind, --confidence or --example.')
  const engine = await context.engine(options)
  const entry = await asUsage(engine.memory.update(id, changes))
  if (options.json === true) return context.json({ entry })
  await print('Changed; the former version stays in the history.', entry, engine, context)
}

/** Forgets an entry: `{entry}`, as it was last, as JSON. */
export const runForget = async (id: string, options: CommonOptions, context: Context): Promise<void> => {
  const engine = await context.engine(options)
  const entry = await asUsage(engine.memory.forget(id))
  if (options.json === true) return context.json({ entry })
  await print('Forgotten; its history stays.', entry, engine, context)
}
