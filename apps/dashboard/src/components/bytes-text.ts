/** A number of bytes as people say it. */

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** `1.4 MB`; a kB is 1,000 B. */
export const bytesText = (bytes: number): string => {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1_000 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power] ?? ''}`
}
