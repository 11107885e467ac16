/** A number of bytes as people say it. */

const UNITS = [
  ['TB', 1e12],
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const
/** Of a unit: what is rounded to 1.0 of it is no `1000.0` of the one below. */
const ROUNDED_UP = 0.9995
/** From here on a digit behind the point says nothing. */
const WHOLE_FROM = 99.95

/** Returns a size in bytes as the command prints it: `1.4 MB`, `235 MB`, `512 B`; a kB is 1,000 B. */
export const bytesText = (bytes: number): string => {
  const [unit, step] = UNITS.find(([, each]) => bytes >= each * ROUNDED_UP) ?? ['B', 1]
  const value = bytes / step
  return `${step === 1 ? value : value.toFixed(value < WHOLE_FROM ? 1 : 0)} ${unit}`
}
