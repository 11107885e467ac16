/** A session as one JSON document, written in parts: entries and source lines never lie in memory all at once. */
import type { Engine, SessionSummary, SourceLine } from '@cairn/core'
import { jsonText, requestJson, sessionJson } from '../json-output.ts'
import { eachEntry } from './entries.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The line as text where that keeps every byte, else as base64. */
export const sourceJson = ({ file, line, bytes }: SourceLine): Record<string, string | number> => {
  try {
    return { file, line, text: decoder.decode(bytes) }
  } catch {
    return { file, line, base64: Buffer.from(bytes).toString('base64') }
  }
}

async function* listOf(items: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<string> {
  let separator = '['
  for await (const item of items) {
    yield `${separator}\n${jsonText(item)}`
    separator = ','
  }
  yield separator === '[' ? '[]' : '\n]'
}

async function* sourceOf(sessionId: string, engine: Engine): AsyncGenerator {
  for await (const line of engine.store.sessions.sourceLines(sessionId)) yield sourceJson(line)
}

/** The document in parts. `source` is left out unless wanted. */
export async function* jsonExportOf(session: SessionSummary, engine: Engine, withSource: boolean): AsyncGenerator<string> {
  yield `{"session":${jsonText(sessionJson(session))},\n"redactions":${session.redactions},\n"entries":`
  yield* listOf(eachEntry(session.id, engine))
  yield ',\n"requests":'
  yield* listOf((await engine.store.usage.requests(session.id)).map(requestJson))
  if (withSource) {
    yield ',\n"source":'
    yield* listOf(sourceOf(session.id, engine))
  }
  yield '}\n'
}
