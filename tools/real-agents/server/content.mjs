// What all wires share: a message's content is a text or a list of parts that may hold one.

/** @returns {string} the texts of a content, a line each */
export function textOf(content) {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part) => (typeof part === 'string' ? part : (part?.text ?? '')))
    .filter((text) => typeof text === 'string' && text !== '')
    .join('\n')
}

/** @returns {{role: string, text: string}[]} */
export const messagesOf = (messages) =>
  (Array.isArray(messages) ? messages : []).map(({ role = '', content }) => ({ role, text: textOf(content) }))
