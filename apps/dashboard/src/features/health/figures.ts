/** Figures of the page on health, as text. */

/** A time in ms as `4.2 ms`, `340 ms`, `1,200 ms`; a decimal below 10. */
export const msText = (ms: number): string =>
  ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms).toLocaleString('en-US')} ms`

/** A share of 0 to 1 as `2.5 %`, always with one decimal. */
export const shareText = (share: number): string => `${(share * 100).toFixed(1)} %`

const UNITS = ['B', 'kB', 'MB', 'GB'] as const

/** A size of so many bytes as `1.4 MB`; a kB is 1,000 B. Below 1 kB without a decimal. */
export const bytesText = (bytes: number): string => {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1_000 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power] ?? ''}`
}
