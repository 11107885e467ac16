/**
 * Markdown that somebody wrote, made safe to put into a document of ours: it stays as it reads, but no tag, no picture
 * from elsewhere and no link that could run something is left, and nothing in it stays open behind its end.
 */

const FENCE = /^\s*(`{3,}|~{3,})\s*([^`]*)$/
/** What a reader could take for the beginning of a block of code: in a quote, in a list, or behind spaces. */
const FENCE_LIKE = /^([\s>*+\-\d.)]*)(`{3}|~{3})/
const PLAIN_ADDRESS = /^<?(?:https?:\/\/|mailto:)[^\s<>`\\]*>?[)\s]/i
/** An address within the document or beside it: no scheme, nothing that a reader decodes. */
const NEAR_ADDRESS = /^[\w./#~@-]*\)/

/** Text of a message as Markdown of the document. */
export const safeMarkdown = (text: string): string => {
  const lines = text.split('\n')
  const out: string[] = []
  /** A run of backticks in this paragraph is not closed on its line: where code ends is not certain any more. */
  let isUncertain = false
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const fence = FENCE.exec(line)
    if (fence !== null) {
      const end = endOfFence(lines, index, fence[1] ?? '')
      out.push(
        ...(out.at(-1) === '' || out.length === 0 ? [] : ['']),
        fenced(lines.slice(index + 1, end).join('\n'), /^[\w+#.-]{1,24}/.exec(fence[2] ?? '')?.[0]),
        '',
      )
      index = end
      isUncertain = false
      continue
    }
    if (line.trim() === '') isUncertain = false
    const safe = safeLine(line.replace(FENCE_LIKE, '$1\\$2'), isUncertain)
    isUncertain ||= safe.isOpen
    out.push(safe.text)
  }
  return out.join('\n')
}

/** A block whose fence is longer than any run of backticks in the text. */
export const fenced = (text: string, language = ''): string => {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}`
}

const endOfFence = (lines: readonly string[], index: number, fence: string): number => {
  for (let end = index + 1; end < lines.length; end++) {
    const mark = (lines[end] ?? '').trim()
    if (mark.length >= fence.length && mark === (fence[0] ?? '`').repeat(mark.length)) return end
  }
  return lines.length
}

/** Some readers take a backtick for a part of an address that stands bare. */
const ADDRESS_WITH_MARK = /(?::\/\/|www\.)[^\s`]{0,2000}`/i
const MARK = /[`<[!\]\\]/g

/** What a mark is replaced by, and where to go on; `taken`: characters of the line that the replacement stands for. */
interface Replacement {
  readonly text: string
  readonly taken: number
}

/** Readers that make links of bare addresses would take a backslash before `<` for a part of one. */
const LESS_THAN = '&lt;'

/** Outside of code, what begins a tag, a picture or a link that is not safe is taken for text. `isOpen`: code is not closed. */
const safeLine = (line: string, wasUncertain: boolean): { readonly text: string; readonly isOpen: boolean } => {
  const next = new RegExp(MARK)
  let text = ''
  let from = 0
  let isOpen = false
  // What defines an address for links elsewhere comes before code.
  const isUncertain = wasUncertain || line.includes(']:') || ADDRESS_WITH_MARK.test(line)
  for (let at = next.exec(line); at !== null; at = next.exec(line)) {
    const { index } = at
    if (at[0] === '`') {
      const length = /^`*/.exec(line.slice(index))?.[0].length ?? 1
      // Where code may have begun before, nothing is certain to be code.
      const end: number = isUncertain || isOpen ? -1 : endOfCode(line, index + length, length)
      isOpen ||= end === -1
      next.lastIndex = end === -1 ? index + length : end
      continue
    }
    const rest = line.slice(index + 1, index + 2002)
    if (at[0] === '\\' && /^[`\\<]/.test(rest)) next.lastIndex = index + 2
    const replacement = replacementOf(at[0], rest)
    if (replacement === undefined) continue
    text += line.slice(from, index) + replacement.text
    from = index + replacement.taken
  }
  return { text: text + line.slice(from), isOpen }
}

/** What a mark outside of code is replaced by; undefined for one that does no harm. `rest`: what follows it. */
const replacementOf = (mark: string, rest: string): Replacement | undefined => {
  switch (mark) {
    case '\\':
      return rest.startsWith('<') ? { text: LESS_THAN, taken: 2 } : undefined
    case '<':
      return beginsTag(rest) ? { text: LESS_THAN, taken: 1 } : undefined
    case '!':
      return rest.startsWith('[') ? { text: '!\\', taken: 1 } : undefined
    case ']':
      // Broken between the two: the `[` of a link may be far in front.
      return beginsUnsafeTarget(rest) ? { text: ']\\', taken: 1 } : undefined
    default:
      return undefined
  }
}

const beginsTag = (rest: string): boolean => /^[A-Za-z/!?]/.test(rest) && !/^https?:\/\/[^\s<>`\\]*>/i.test(rest)

/** Behind `]`: the definition of an address, or an address that could run something. */
const beginsUnsafeTarget = (rest: string): boolean =>
  rest.startsWith(':') || (rest.startsWith('(') && !isSafeTarget(rest.slice(1)))

const isSafeTarget = (rest: string): boolean => {
  const address = rest.trimStart()
  return NEAR_ADDRESS.test(address) || PLAIN_ADDRESS.test(`${address} `)
}

/** The offset behind the run of so many backticks that closes code; -1 without one. */
const endOfCode = (line: string, from: number, length: number): number => {
  for (const run of line.slice(from).matchAll(/`+/g)) if (run[0].length === length) return from + run.index + length
  return -1
}
