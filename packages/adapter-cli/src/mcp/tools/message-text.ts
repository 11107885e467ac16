/** Messages as text for a model. */
import { textOfBlock, textOfJson } from '@cairn/core'
import type { ContentBlock, MessageEntry } from '@cairn/core'
import { shortLine, timeText } from '../quoted.ts'

/**
 * Returns a block as text; of images and files without text only what they are. A call is `→ name input`, a result `←`
 * and its texts.
 */
const blockText = (block: ContentBlock): string => {
  switch (block.type) {
    case 'text':
      return block.text
    case 'thinking':
      return `(reasoning) ${block.text}`
    case 'tool_call':
      return `→ ${block.name} ${typeof block.input === 'string' ? block.input : JSON.stringify(block.input)}`
    case 'tool_result':
      return `←${block.isError === true ? ' error:' : ''} ${block.content.map(textOfBlock).join('\n')}`
    case 'image':
      return `(image, ${block.mediaType})`
    case 'file':
      return `(file ${block.path})${block.text === undefined ? '' : `\n${block.text}`}`
    case 'other':
      return textOfJson(block.value)
  }
}

/**
 * Returns the blocks of a message as text, separated by line breaks; blank ones are left out. Not made safe; empty for
 * a message without text.
 */
export const messageText = ({ content }: MessageEntry): string =>
  content
    .map(blockText)
    .filter((text) => text.trim() !== '')
    .join('\n')

const HEAD_SHOWN = 400

/** Returns one safe line about a message: its id for `get_message`, time, role, author and model, as far as known. */
export const messageHead = (sessionId: string, { seq, at, role, author, subagent, model }: MessageEntry): string =>
  shortLine(
    [
      `${sessionId}#${seq}`,
      timeText(at),
      role,
      author,
      subagent === undefined ? undefined : `subagent ${subagent}`,
      model,
    ]
      .filter((part) => part !== undefined)
      .join(' · '),
    HEAD_SHOWN,
  )
