/** Globs of rules files: `*`, `**`, `?`, `[a-z]`, `{ts,tsx}`. Takes time in proportion to pattern and path, whoever wrote them. */

/** A repository's own text decides the pattern, so its size has a limit. */
const LONGEST = 1_000
const MOST_ALTERNATIVES = 200

/**
 * Whether a path (with `/` between names, relative) matches; `{a,b}` are alternatives, `*` and `**` as usual. A
 * pattern without `/` is looked for in every folder, one that ends with `/` is all below it. False for a pattern that
 * is too long.
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

/** The patterns that one with braces stands for. */
const alternatives = (pattern: string): readonly string[] => {
  let open: readonly string[] = [pattern]
  const done: string[] = []
  while (open.length > 0 && open.length + done.length <= MOST_ALTERNATIVES) {
    const next: string[] = []
    for (const one of open) {
      const [braces, inside] = /\{([^{}]*)\}/.exec(one) ?? []
      if (braces === undefined || inside === undefined) done.push(one)
      else for (const choice of inside.split(',')) next.push(one.replace(braces, () => choice))
    }
    open = next
  }
  return done
}

/** `**` stands for any number of names. A table of what is reached, so that no pattern takes long. */
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

/** One name: after a mismatch the last `*` takes one character more. */
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
