/**
 * A session as one JSON document, written in parts, so that entries and source lines are never in memory all at once.
 */
import { withoutBrokenSignatures } from '@cairn/core'
import type { Engine, SessionSummary, SourceLine } from '@cairn/core'
import { jsonText, requestJson, sessionJson } from '../output/json-output.ts'
import { eachEntry } from './entries.ts'
import { createExportRedaction, type ExportRedaction } from './redacted.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Returns a line of the transcript without secrets: as text if that keeps every byte, otherwise as base64. */
const sourceJson = (
  { file, line, bytes }: SourceLine,
  redactText: (text: string) => string,
): Record<string, string | number> => {
  try {
    return { file, line, text: redactText(decoder.decode(bytes)) }
  } catch {
    // Read as one character a byte: secrets are ASCII, and all other bytes are kept.
    return {
      file,
      line,
      base64: Buffer.from(redactText(Buffer.from(bytes).toString('latin1')), 'latin1').toString('base64'),
    }
  }
}

/** Yields a JSON list, in parts. */
async function* listOf(items: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<string> {
  let separator = '['
  for await (const item of items) {
    yield `${separator}\n${jsonText(item)}`
    separator = ','
  }
  yield separator === '[' ? '[]' : '\n]'
}

/** Yields the lines of the transcript, without secrets, in order. */
async function* sourceOf(sessionId: string, engine: Engine, redaction: ExportRedaction): AsyncGenerator {
  for await (const line of engine.store.sessions.sourceLines(sessionId))
    yield sourceJson(line, (text) => redaction.text(text))
}

/** Yields the entries of the log, without secrets, in order. A signature of reasoning that was changed is left out. */
async function* entriesOf(sessionId: string, engine: Engine, redaction: ExportRedaction): AsyncGenerator {
  for await (const entry of eachEntry(sessionId, engine)) {
    const exported = redaction.value(entry)
    yield exported === entry ? entry : withoutBrokenSignatures(exported)
  }
}

/**
 * Yields a session as one JSON document, in parts, with the transcript's lines (`source`) only if asked for. Secrets
 * that are still in the store are replaced and counted at the end. Rejects as the store does.
 */
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
