/** Numbers, sizes and times as people read them. */

const STEPS: readonly (readonly [number, string])[] = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
]

/** Returns a count with three significant digits and a letter: `987`, `12.3k`, `4.57M`; below 1,000 unchanged. */
export const formatCount = (count: number): string => {
  for (const [step, letter] of STEPS) {
    if (Math.abs(count) < step * 0.9995) continue
    const value = count / step
    return `${value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0)}${letter}`
  }
  return String(count)
}

/** Returns a count with all its digits, in groups of three: `1,234,567`. */
export const formatWhole = (count: number): string => count.toLocaleString('en-US')

const PLURALS: Readonly<Record<string, string>> = {
  reply: 'replies',
  entry: 'entries',
  'log entry': 'log entries',
  'memory entry': 'memory entries',
  'change of memory': 'changes of memory',
  'change of notes': 'changes of notes',
}

/** Returns a number with its noun, in the plural unless it is 1: `1 file`, `2 files`. */
export const counted = (count: number, noun: string): string =>
  `${formatWhole(count)} ${count === 1 ? noun : (PLURALS[noun] ?? `${noun}s`)}`

/** Returns a size in bytes as `512 B`, `3.4 kB` or `1.2 GB` (decimal, as disks are sold). */
export const formatBytes = (bytes: number): string => {
  for (const [step, letter] of STEPS) {
    if (bytes >= step * 0.9995) return `${(bytes / step).toFixed(bytes / step < 99.95 ? 1 : 0)} ${letter}B`
  }
  return `${bytes} B`
}

/** Returns a duration in ms as `0.4 s`, `12 s`, `3 min 5 s` or `2 h 10 min`; a smaller unit of 0 is left out. */
export const formatDuration = (ms: number): string => {
  const seconds = ms / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  return minutes < 60
    ? withRest(`${minutes} min`, whole % 60, 's')
    : withRest(`${Math.floor(minutes / 60)} h`, minutes % 60, 'min')
}

/** A duration with its smaller unit, unless that is 0. */
const withRest = (text: string, rest: number, unit: string): string => (rest === 0 ? text : `${text} ${rest} ${unit}`)

/** Returns a share from 0 to 1 as `93.1 %`, always with one decimal. */
export const formatShare = (share: number): string => `${(share * 100).toFixed(1)} %`

/** A number with at least two digits. */
const two = (value: number): string => String(value).padStart(2, '0')

/** Returns a time in ms as local `2026-01-31 08:05`; `-` for null, `unknown` for an invalid time. */
export const formatTime = (at: number | null): string => {
  if (at === null) return '-'
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return 'unknown'
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** Returns a time in ms as local `08:05:12`, always eight columns; spaces for null, `unknown ` for an invalid time. */
export const formatClock = (at: number | null): string => {
  if (at === null) return '        '
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return 'unknown '
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** Returns a time in ms as local `08:05`; `unknown` for an invalid time. */
export const formatMinute = (at: number): string => {
  const clock = formatClock(at)
  return clock.includes(':') ? clock.slice(0, 5) : clock.trimEnd()
}
