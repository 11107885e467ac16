/** How far a replica is behind, in words, the same wherever it is told. */
import type { ReplicaLag } from '../ports/health-storage.ts'

export type { ReplicaLag }

const secondsText = (seconds: number): string =>
  `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds).toLocaleString('en-US')} s`

/**
 * A clause such as `0.0 s and 0 bytes behind` (`an unknown time`, `an unknown number of bytes` for null), and where it
 * is paused or has lost its server, that it is. Seconds and bytes are those of {@link ReplicaLag}.
 */
export const replicaLagText = ({ seconds, bytes, isPaused, isConnected }: ReplicaLag): string => {
  const time = seconds === null ? 'an unknown time' : secondsText(seconds)
  const size = bytes === null ? 'an unknown number of bytes' : `${bytes.toLocaleString('en-US')} bytes`
  const paused = isPaused ? '; it is paused and applies nothing until it is resumed' : ''
  const lost = isConnected ? '' : '; it is not connected to its server, which may have more that is new'
  return `${time} and ${size} behind${paused}${lost}`
}
