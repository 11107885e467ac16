/** Names of time zones as people know them today. Browsers list, and call their own, some by names of the past century. */

const TODAY: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** Returns today's name of a time zone: `Asia/Kathmandu` for `Asia/Katmandu`; any other name unchanged. */
export const zoneName = (name: string): string => TODAY[name] ?? name

/** Returns the time zones that the runtime knows, by today's names, sorted, with UTC first. */
export const zoneNames = (): readonly string[] => [
  'UTC',
  ...[...new Set(Intl.supportedValuesOf('timeZone').map(zoneName))].filter((name) => name !== 'UTC').sort(),
]

/**
 * Returns the zone that somebody typed, in any case, with spaces or by its city alone; undefined if there is none or
 * several.
 */
export const zoneOf = (typed: string, names: readonly string[]): string | undefined => {
  const wanted = typed.trim().replaceAll(' ', '_').toLowerCase()
  if (wanted === '') return undefined
  const exact = names.find((name) => name.toLowerCase() === wanted)
  if (exact !== undefined) return exact
  const cities = names.filter((name) => name.toLowerCase().endsWith(`/${wanted}`))
  return cities.length === 1 ? cities[0] : undefined
}
