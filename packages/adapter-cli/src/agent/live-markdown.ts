/** Streams a model's reply to a terminal: wrapped between words, with its Markdown rendered. */
import { MarkdownStream } from '../chat/render/markdown-stream.ts'
import type { ReplyText } from '../output/reply-text.ts'
import type { Terminal } from '../terminal/terminal.ts'

/**
 * Creates a writer that draws one reply's Markdown on standard output while it arrives. Standard output must be a
 * terminal. An empty line stands between two texts; what was written before a retry stays.
 */
export const createLiveMarkdown = (terminal: Pick<Terminal, 'write' | 'style' | 'width'>): ReplyText => {
  const markdown = new MarkdownStream({
    width: () => terminal.width,
    paint: (style, text) => (style === 'plain' ? text : terminal.style(style === 'code' ? 'cyan' : 'bold', text)),
    isPlain: false,
  })
  let hasBlock = false
  const end = (): Promise<void> => terminal.write(markdown.end())
  return {
    take: async (event) => {
      if (event.type === 'text') {
        if (hasBlock) await terminal.write('\n')
        hasBlock = false
        await terminal.write(markdown.push(event.text))
      } else if (event.type === 'block' && event.block.type === 'text') {
        await end()
        hasBlock = true
      } else if (event.type === 'retry') {
        await end()
        hasBlock = false
      }
    },
    end,
  }
}
