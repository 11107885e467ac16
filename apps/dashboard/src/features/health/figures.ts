/** Figures of the page on health, as text. */

/** Returns a time in ms as `4.2 ms`, `340 ms`, `1,200 ms`; a decimal below 10. */
export const msText = (ms: number): string =>
  ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms).toLocaleString('en-US')} ms`

/** Returns a share of 0 to 1 as `2.5 %`, always with one decimal. */
export const shareText = (share: number): string => `${(share * 100).toFixed(1)} %`
