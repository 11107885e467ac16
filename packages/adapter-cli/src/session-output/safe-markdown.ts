/**
 * Makes Markdown of others safe to put into our own document. It reads as before, but has no tags, no images and no
 * links that could run something, and leaves nothing open at its end.
 */

const FENCE = /^\s*(`{3,}|~{3,})\s*([^`]*)$/
/** What some readers take for the start of a code block: in a quote, in a list, or behind spaces. */
const FENCE_LIKE = /^([\s>*+\-\d.)]*)(`{3}|~{3})/
const PLAIN_ADDRESS = /^<?(?:https?:\/\/|mailto:)[^\s<>`\\]*>?[)\s]/i
/** An address within the document or relative to it, without a scheme or escapes. */
const NEAR_ADDRESS = /^[\w./#~@-]*\)/

/**
 * Returns a message's text as Markdown that reads the same, but has no tags, images or links that could run something,
 * and leaves nothing open at its end. Code blocks stay code.
 */
export const safeMarkdown = (text: string): string => {
  const lines = text.split('\n')
  const out: string[] = []
  /** Backticks in this paragraph are not closed on their line, so it is not certain any more what is code. */
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

/**
 * Returns the text as a code block whose fence is longer than any run of backticks in it, without line breaks at its
 * end.
 */
export const fenced = (text: string, language = ''): string => {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}`
}

/** Returns the index of the line that closes a fence; the number of lines if none does. */
const endOfFence = (lines: readonly string[], index: number, fence: string): number => {
  for (let end = index + 1; end < lines.length; end++) {
    const mark = (lines[end] ?? '').trim()
    if (mark.length >= fence.length && mark === (fence[0] ?? '`').repeat(mark.length)) return end
  }
  return lines.length
}

/** Some readers treat a backtick as part of a bare address. */
const ADDRESS_WITH_MARK = /(?::\/\/|www\.)[^\s`]{0,2000}`/i
const MARK = /[`<[!\]\\]/g

/** What a mark is replaced by; `taken` is the number of characters that it stands for. */
interface Replacement {
  readonly text: string
  readonly taken: number
}

/** Readers that turn bare addresses into links would make a backslash before `<` part of one. */
const LESS_THAN = '&lt;'

/**
 * Returns a line in which tags, images and unsafe links outside of code are text. `isOpen`: code is not closed on this
 * line. `wasUncertain`: code of a line before may still be open; then nothing counts as code.
 */
const safeLine = (line: string, wasUncertain: boolean): { readonly text: string; readonly isOpen: boolean } => {
  const next = new RegExp(MARK)
  let text = ''
  let from = 0
  let isOpen = false
  // Definitions of link addresses take precedence over code.
  const isUncertain = wasUncertain || line.includes(']:') || ADDRESS_WITH_MARK.test(line)
  for (let at = next.exec(line); at !== null; at = next.exec(line)) {
    const { index } = at
    if (at[0] === '`') {
      const length = /^`*/.exec(line.slice(index))?.[0].length ?? 1
      // Code may have begun before, so this may not be code.
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

/** Returns what a mark outside of code is replaced by; undefined if it is harmless. `rest` is what follows it. */
const replacementOf = (mark: string, rest: string): Replacement | undefined => {
  switch (mark) {
    case '\\':
      return rest.startsWith('<') ? { text: LESS_THAN, taken: 2 } : undefined
    case '<':
      return beginsTag(rest) ? { text: LESS_THAN, taken: 1 } : undefined
    case '!':
      return rest.startsWith('[') ? { text: '!\\', taken: 1 } : undefined
    case ']':
      // Escaped here, as the `[` of the link may be far before.
      return beginsUnsafeTarget(rest) ? { text: ']\\', taken: 1 } : undefined
    default:
      return undefined
  }
}

/** Whether a `<` before this text starts a tag, other than a link to a page. */
const beginsTag = (rest: string): boolean => /^[A-Za-z/!?]/.test(rest) && !/^https?:\/\/[^\s<>`\\]*>/i.test(rest)

/** Whether the text behind `]` defines an address, or is one that could run something. */
const beginsUnsafeTarget = (rest: string): boolean =>
  rest.startsWith(':') || (rest.startsWith('(') && !isSafeTarget(rest.slice(1)))

/** Whether a link's target opens a page, a mail or a part of the document. */
const isSafeTarget = (rest: string): boolean => {
  const address = rest.trimStart()
  return NEAR_ADDRESS.test(address) || PLAIN_ADDRESS.test(`${address} `)
}

/** The offset behind the run of so many backticks that closes code; -1 if there is none. */
const endOfCode = (line: string, from: number, length: number): number => {
  for (const run of line.slice(from).matchAll(/`+/g)) if (run[0].length === length) return from + run.index + length
  return -1
}
