/** Names of tools as a wire takes them, in calls of sessions that had other tools: another provider, or MCP. */
import type { Message } from '../../messages.ts'

/** What a wire takes in a name beside letters, digits and `_`, and how long a name may be. */
export interface NameRule {
  /** A class of characters that are replaced. */
  readonly refused: RegExp
  readonly longest: number
  /** The name begins with a letter or `_`. */
  readonly beginsWithLetter?: true
}

/**
 * The messages with each call under a name that the wire takes, not made unique; a message where nothing had to change
 * is the same object.
 */
export const withTakenNames = (messages: readonly Message[], rule: NameRule): readonly Message[] =>
  messages.map((message) => {
    const content = message.content.map((block) => {
      if (block.type !== 'tool_call') return block
      const name = takenName(block.name, rule)
      return name === block.name ? block : { ...block, name }
    })
    return content.every((block, index) => block === message.content[index]) ? message : { ...message, content }
  })

/**
 * A name as the provider takes it: other characters become `_`, one more goes before a beginning that is not taken, and
 * its end is cut off; `_` for an empty one.
 */
const takenName = (name: string, { refused, longest, beginsWithLetter }: NameRule): string => {
  const plain = name.replace(refused, '_')
  const begun = beginsWithLetter === true && !/^[a-z_]/i.test(plain) ? `_${plain}` : plain
  return begun === '' ? '_' : begun.slice(0, longest)
}

/** The names of a request's tools as a wire takes them, and back. */
export interface ToolNames {
  /** The name under which a tool is sent to the API; a name that is not among the tools is made fit, too. */
  sent(name: string): string
  /** The tool's own name for the name in a call of the reply; a name that is not known is returned as it is. */
  asked(name: string): string
}

/**
 * Gives each tool a name that the wire takes and no other tool has. Names that it takes stay as they are. Names that
 * differ only in case count as the same, as some APIs compare them so. `sent` gives the name for a tool, `asked` the
 * tool of a name that a model called; both also take names of no tool, which `asked` gives back as they are.
 */
export const toolNames = (tools: readonly { readonly name: string }[], rule: NameRule): ToolNames => {
  const sent = new Map<string, string>()
  const asked = new Map<string, string>()
  const isTaken = (name: string): boolean => takenName(name, rule) === name
  const names = tools.map(({ name }) => name)
  for (const name of [...names.filter(isTaken), ...names.filter((one) => !isTaken(one))]) {
    if (sent.has(name)) continue
    const free = freeName(takenName(name, rule), asked, rule.longest)
    sent.set(name, free)
    asked.set(free.toLowerCase(), name)
  }
  return {
    sent: (name) => sent.get(name) ?? takenName(name, rule),
    asked: (name) => asked.get(name.toLowerCase()) ?? name,
  }
}

/** The name, or with a number behind it where another has it; never longer than `longest`. */
const freeName = (name: string, others: ReadonlyMap<string, string>, longest: number): string => {
  let free = name
  for (let count = 2; others.has(free.toLowerCase()); count++) {
    const end = `_${count}`
    free = name.slice(0, longest - end.length) + end
  }
  return free
}
