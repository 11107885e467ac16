// Periods and filters as the address of the dashboard's first page gives them, chosen at random.
const DAY_MS = 86_400_000
const TIME_ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Tokyo', 'Australia/Sydney']

/**
 * Returns a function of what is filtered (`everything` or `one filter`), span (`30 days` or `two years`) and random numbers
 * that gives a selection.
 * @param {{ filters: Record<string, readonly string[]>, start: number, end: number, endsNow: number }} data the values to filter
 *   by, first and last time (ms), and which share of the short periods ends at the last one
 */
export function createSelections({ filters, start, end, endsNow }) {
  return (by, span, random) => {
    const all = Math.round((end - start) / DAY_MS)
    const days = span === '30 days' ? 30 : all + 1
    const isEarlier = span === '30 days' && random() >= endsNow
    const last = isEarlier ? start + DAY_MS * (60 + Math.floor(random() * (all - 60))) : end
    const dimension = one(Object.keys(filters), random)
    return {
      period: '30d',
      from: dateOf(last - (days - 1) * DAY_MS),
      to: dateOf(last),
      timeZone: one(TIME_ZONES, random),
      filter: by === 'everything' ? {} : { [dimension]: one(filters[dimension], random) },
    }
  }
}

const dateOf = (at) => new Date(at).toISOString().slice(0, 10)

const one = (values, random) => values[Math.floor(random() * values.length)]
