/**
 * How long something took: `42 s`, `6 min`, `2 h 5 min`, `3 d`; less than half a second is `0 s`. From 48 hours on it
 * is in days, rounded.
 */
export const durationText = (ms: number): string => {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.round(hours / 24)} d`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}
