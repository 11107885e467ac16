/** Globs of rules files: `*`, `**`, `?`, `[a-z]`, `{ts,tsx}`. Takes time in proportion to pattern and path, whoever wrote them. */

/** In characters. The pattern comes from a repository, so its size is limited. */
const LONGEST = 1_000
const MOST_ALTERNATIVES = 1_000

/**
 * Whether a relative path with `/` matches a glob: `*`, `?`, `[…]`, `**` and `{a,b}`. A pattern without `/` matches in
 * every folder; one that ends with `/` matches everything below. False for a pattern longer than 1,000 characters.
 */
export const globMatches = (pattern: string, path: string): boolean => {
  if (pattern.length > LONGEST) return false
  const names = path.split('/')
  return alternatives(pattern.trim()).some((one) => {
    const plain = one.replace(/^(?:\.\/|\/)+/, '')
    if (plain === '') return false
    const anywhere = plain.replace(/\/$/, '').includes('/') || one.startsWith('/') ? plain : `**/${plain}`
    return namesMatch((anywhere.endsWith('/') ? `${anywhere}**` : anywhere).split('/'), names)
  })
}

/**
 * The patterns that one with braces (also within braces) stands for. Of one that stands for more than about 1,000
 * only those without braces by then, which may be none.
 */
const alternatives = (pattern: string): readonly string[] => {
  let open: readonly string[] = [pattern]
  const done: string[] = []
  while (open.length > 0) {
    const next: string[] = []
    for (const one of open) {
      const [braces, inside] = /\{([^{}]*)\}/.exec(one) ?? []
      if (braces === undefined || inside === undefined) done.push(one)
      else for (const choice of inside.split(',')) next.push(one.replace(braces, () => choice))
      if (next.length + done.length > MOST_ALTERNATIVES) return done
    }
    open = next
  }
  return done
}

/**
 * Whether the names of a path match those of a pattern, where `**` stands for any number of names. Dynamic programming,
 * so that no pattern takes long.
 */
const namesMatch = (patterns: readonly string[], names: readonly string[]): boolean => {
  let reached: readonly boolean[] = [true, ...names.map(() => false)]
  for (const pattern of patterns) {
    const next: boolean[] = []
    for (let index = 0; index <= names.length; index++) {
      const before = index > 0 ? names[index - 1] : undefined
      next.push(
        pattern === '**'
          ? reached[index] === true || next[index - 1] === true
          : before !== undefined && reached[index - 1] === true && nameMatches(pattern, before),
      )
    }
    reached = next
  }
  return reached.at(-1) === true
}

/**
 * Whether one name matches one pattern without `/`: after a mismatch the last `*` takes one more character. Case
 * counts.
 */
const nameMatches = (pattern: string, name: string): boolean => {
  const parts = [...pattern.matchAll(/\[[!^]?\]?[^\]]*\]|[^]/gu)].map(([part]) => part)
  const characters = Array.from(name)
  let at = 0
  let part = 0
  let star = -1
  let mark = 0
  while (at < characters.length) {
    if (parts[part] === '*') {
      star = part
      mark = at
      part += 1
    } else if (part < parts.length && characterMatches(parts[part] ?? '', characters[at] ?? '')) {
      part += 1
      at += 1
    } else if (star >= 0) {
      part = star + 1
      mark += 1
      at = mark
    } else return false
  }
  while (parts[part] === '*') part += 1
  return part === parts.length
}

/**
 * Whether one character matches `?`, a class such as `[a-z]`, or itself. A class that begins with `!` or `^` is
 * negated. A class is closed on both ends; case counts.
 */
const characterMatches = (part: string, character: string): boolean => {
  if (part === '?') return true
  if (!part.startsWith('[') || part.length < 3) return part === character
  const isNegated = /^\[[!^]/.test(part)
  const inside = Array.from(part.slice(isNegated ? 2 : 1, -1))
  let isIn = false
  for (let index = 0; index < inside.length; index++) {
    const from = inside[index] ?? ''
    const to = inside[index + 1] === '-' ? inside[index + 2] : undefined
    isIn ||= to === undefined ? from === character : from <= character && character <= to
    if (to !== undefined) index += 2
  }
  return isIn !== isNegated
}
