/** The source of the replayed session: a transcript file, or the store. */
import { relative, resolve } from 'node:path'
import { CairnError, paidRequests } from '@cairn/core'
import type { TrajectorySource } from '@cairn/core'
import type { Context } from '../command.ts'
import { statOf } from '../path-problems.ts'
import { counted } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import type { ReplayOptions } from './replay-options.ts'

/** A session to replay, and where it comes from. */
export interface ReplaySource {
  readonly source: TrajectorySource
  /** The transcript that was read; undefined for a session of the store. */
  readonly file?: string
  /** Sentences for the user about how it was read. */
  readonly notes: readonly string[]
}

/** What is taken for a path, as no session's id looks like it. */
const LOOKS_LIKE_FILE = /[/\\]|\.(?:jsonl?|gz)$/i

/**
 * The session that an argument names: a transcript where there is a file or folder of this path, else a session of the
 * store. Rejects with `usage` for an empty one, `not-found` (also for what looks like a file) or `ambiguous`.
 */
export const sourceOf = async (argument: string, options: ReplayOptions, context: Context): Promise<ReplaySource> => {
  const path = resolve(context.surroundings.folder, argument)
  if (argument.trim() === '')
    throw new CairnError(
      'usage',
      'Which session? Name a transcript file, or the beginning of the id of a session in the store.',
    )
  if (statOf(path, argument) !== undefined) return fromFile(path, argument, options, context)
  if (LOOKS_LIKE_FILE.test(argument)) throw new CairnError('not-found', `There is no file ${neutraliseLine(argument)}.`)
  const engine = await context.readEngine(options)
  const { id } = await engine.sessions.find(argument)
  return { source: await engine.sessions.replaySource(id, options.charsPerToken), notes: [] }
}

/**
 * Reads a transcript file, or the only transcript in a folder; of several sessions in it, the longest. `notes` tell
 * what was read or left out. Rejects with `invalid-input` if it holds no session. @param argument the path as it was
 * given, for messages
 */
const fromFile = async (
  path: string,
  argument: string,
  options: ReplayOptions,
  context: Context,
): Promise<ReplaySource> => {
  const [{ readTranscript }, { createFileSystem, createHasher }] = await Promise.all([
    import('@cairn/core/importers'),
    import('@cairn/core/node'),
  ])
  const {
    sessions,
    skipped,
    path: read,
  } = await readTranscript(path, { fileSystem: createFileSystem(), hasher: createHasher() })
  const [session] = sessions
  if (session === undefined) throw new CairnError('invalid-input', `${argument} holds no session.`)
  const { facts, entries, lines, requests } = session
  const { prices } = await context.settings(options)
  const paid = await paidRequests(requests, { now: context.now(), overrides: prices.value })
  const notes: string[] = []
  if (read !== path) notes.push(`Read: ${neutraliseLine(relative(context.surroundings.folder, read))}.`)
  if (sessions.length > 1)
    notes.push(
      `${argument} holds ${counted(sessions.length, 'session')}; the longest is replayed: ${neutraliseLine(facts.id)}.`,
    )
  const [first] = skipped
  if (first !== undefined)
    notes.push(
      `Left out of ${argument}: ${counted(skipped.length, 'line')}, the first is line ${first.line} (${neutraliseLine(first.reason)}).`,
    )
  return {
    source: { session: facts.id, entries, lines, requests, paid, charactersPerToken: options.charsPerToken },
    file: read,
    notes,
  }
}
