// What all wires share: a message's content is a text or a list of parts that may hold one, and so is a tool's result.

/**
 * A text is taken as it is; '' for what is no content.
 * @returns {string} the texts of a content, a line each
 */
export function textOf(content) {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map(partText)
    .filter((text) => text !== '')
    .join('\n')
}

/** The text of a part, whatever wire it came by; '' if it has none. */
const partText = (part) => {
  if (typeof part === 'string') return part
  if (typeof part?.text === 'string') return part.text
  if (part?.functionResponse !== undefined) return JSON.stringify(part.functionResponse.response)
  return textOf(part?.content)
}

/**
 * The messages of a request; one without a role is a tool's. None for what is no list.
 * @returns {{role: string, text: string}[]}
 */
export const messagesOf = (messages) =>
  (Array.isArray(messages) ? messages : []).map(({ role = 'tool', content, output }) => ({
    role,
    text: textOf(content ?? output),
  }))
