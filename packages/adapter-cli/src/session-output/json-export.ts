/** A session as one JSON document, written in parts: entries and source lines never lie in memory all at once. */
import type { Engine, SessionSummary, SourceLine } from '@cairn/core'
import { jsonText, requestJson, sessionJson } from '../output/json-output.ts'
import { eachEntry } from './entries.ts'
import { createExportRedaction, type ExportRedaction } from './redacted.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The line as text where that keeps every byte, else as base64. */
const sourceJson = (
  { file, line, bytes }: SourceLine,
  redactText: (text: string) => string,
): Record<string, string | number> => {
  try {
    return { file, line, text: redactText(decoder.decode(bytes)) }
  } catch {
    // A byte a letter: secrets are plain ASCII, and the other bytes stay.
    return {
      file,
      line,
      base64: Buffer.from(redactText(Buffer.from(bytes).toString('latin1')), 'latin1').toString('base64'),
    }
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

async function* sourceOf(sessionId: string, engine: Engine, redaction: ExportRedaction): AsyncGenerator {
  for await (const line of engine.store.sessions.sourceLines(sessionId))
    yield sourceJson(line, (text) => redaction.text(text))
}

async function* entriesOf(sessionId: string, engine: Engine, redaction: ExportRedaction): AsyncGenerator {
  for await (const entry of eachEntry(sessionId, engine)) yield redaction.value(entry)
}

/** The document in parts. `source` is left out unless wanted. Secrets that are still in the store are replaced, and counted at its end. */
export async function* jsonExportOf(
  session: SessionSummary,
  engine: Engine,
  withSource: boolean,
): AsyncGenerator<string> {
  const redaction = createExportRedaction()
  yield `{"session":${jsonText(redaction.value(sessionJson(session)))},\n"redactions":${session.redactions},\n"entries":`
  yield* listOf(entriesOf(session.id, engine, redaction))
  yield ',\n"requests":'
  yield* listOf((await engine.store.usage.requests(session.id)).map(requestJson))
  if (withSource) {
    yield ',\n"source":'
    yield* listOf(sourceOf(session.id, engine, redaction))
  }
  yield `,\n"redactedHere":${redaction.count}}\n`
}
