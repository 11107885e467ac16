/** The receiver of the telemetry that agents send by themselves. */
export { startReceiver, type Receiver, type ReceiverInput } from './receiver.ts'
export {
  createTelemetryRecorder,
  type RecordedRequest,
  type TelemetryRecorder,
  type TelemetryRecorderDeps,
} from './telemetry-recorder.ts'
