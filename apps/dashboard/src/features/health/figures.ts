/** Figures of the page on health, as text. */

/** `4.2 ms`, `340 ms`. */
export const msText = (ms: number): string =>
  ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms).toLocaleString('en-US')} ms`

/** `2.5 %` */
export const shareText = (share: number): string => `${(share * 100).toFixed(1)} %`
