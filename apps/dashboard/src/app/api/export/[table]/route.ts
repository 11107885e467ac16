/** A table as a file to be saved. */
import { CairnError } from '@cairn/core'
import { FORMATS, exportText } from '../../../../features/export/format.ts'
import type { ExportRows } from '../../../../features/export/format.ts'
import { EXPORT_TABLES, exportTable } from '../../../../features/export/tables.ts'
import { guarded } from '../../../../security/guarded.ts'
import { emptyPolicy, securityHeaders } from '../../../../security/headers.ts'
import { assertExport } from '../../../../security/team/assert-export.ts'
import { fromStore } from '../../../../store/dashboard-store.ts'

export const dynamic = 'force-dynamic'

/** Returns a response of one sentence as plain text, which is never cached. */
const sentence = (status: number, text: string): Response =>
  new Response(`${text}\n`, {
    status,
    headers: {
      ...securityHeaders,
      'Content-Security-Policy': emptyPolicy,
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
    },
  })

const TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const

/** Returns the texts as a stream of UTF-8; cancelling it ends them. A failure of theirs is passed on to the reader. */
const streamOf = (parts: AsyncIterable<string>): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder()
  const iterator = parts[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const next = await iterator.next()
      if (next.done === true) controller.close()
      else controller.enqueue(encoder.encode(next.value))
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

/** Returns the same rows with the first of them read already, so that an error is known before the answer begins. */
const begun = async (rows: ExportRows): Promise<ExportRows> => {
  const iterator = rows[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    try {
      for (let next = first; next.done !== true; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  })()
}

/**
 * Sends a table as a file, `?format=csv` or `json`; the other parameters select as on the page. Answers 404 for what
 * there is not, 400 for a parameter that is wrong, 503 when the store can’t be read.
 */
export const GET = (
  request: Request,
  { params }: { readonly params: Promise<{ readonly table: string }> },
): Promise<Response> => guarded(request, async () => exported(request, (await params).table))

/**
 * Answers a request for a table as a download. Never rejects: a failure is an answer of one sentence, with 400, 403,
 * 404 or 503. What fails once rows are sent breaks the download off.
 */
const exported = async (request: Request, wanted: string): Promise<Response> => {
  const name = EXPORT_TABLES.find((known) => known === wanted)
  const parameters = new URL(request.url).searchParams
  const format = FORMATS.find((known) => known === (parameters.get('format') ?? 'csv'))
  if (name === undefined || format === undefined) return sentence(404, 'There is no such table, or not in this format.')
  try {
    assertExport(name, parameters)
    const table = await fromStore((store) => exportTable(name, parameters, store, Date.now()))
    if (table === undefined) return sentence(404, 'There is no such session.')
    return new Response(streamOf(exportText(format, table.columns, await begun(table.rows))), {
      headers: {
        ...securityHeaders,
        'Content-Security-Policy': emptyPolicy,
        'Content-Type': TYPES[format],
        'Content-Disposition': `attachment; filename="cairn-${name}.${format}"`,
        'Cache-Control': 'no-store',
      },
    })
  } catch (error) {
    if (CairnError.is(error) && error.code === 'usage') return sentence(400, error.message)
    if (CairnError.is(error) && error.code === 'disabled') return sentence(403, error.message)
    console.error(`export of ${name}:`, error)
    return sentence(
      503,
      CairnError.is(error)
        ? error.message
        : 'The dashboard could not read the store; the reason is in the output of "cairn dashboard".',
    )
  }
}
