/** Sends recorded requests to a collector of OpenTelemetry. */
import type { Destination } from './destination.ts'
import type { OtlpSender } from './otlp-sender.ts'

export { destinationOf, OTLP_PROTOCOLS, serverOf, type Destination, type OtlpProtocol } from './destination.ts'
export {
  exportTelemetry,
  previewExport,
  type ExportQuery,
  type ExportReport,
  type ExportSource,
} from './export-telemetry.ts'
export { createLiveExport, type LiveExport, type LiveExportDeps } from './live-export.ts'
export { SentRecord } from './sent-record.ts'
export type { Span } from './span.ts'

/** Connects to a collector. OpenTelemetry's exporters are loaded when this is called. Rejects with `connection-lost`. */
export const openSender = async (destination: Destination): Promise<OtlpSender> =>
  (await import('./otlp-sender.ts')).openSender(destination)
