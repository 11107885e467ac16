/** The counts that the table of files shows. */

export const COUNTS = [
  { field: 'reads', name: 'Reads', hint: 'Times that the file, or a part of it, was read without an error' },
  {
    field: 'rereads',
    name: 'Read again',
    hint: 'Of these reads, those of a part (or the whole) that the session had read before and not edited since; other parts of the same file are no repetition',
  },
  { field: 'edits', name: 'Edits', hint: 'Times that the file was written or changed without an error' },
  { field: 'failures', name: 'Failed', hint: 'Reads and edits that ended in an error; they are in no other column' },
  {
    field: 'readTokens',
    name: 'Tokens read',
    hint: 'What all reads put into the context, estimated from their characters',
  },
  {
    field: 'rereadTokens',
    name: 'Tokens of re-reads',
    hint: 'The part of “Tokens read” that the context had held before',
  },
] as const

/** The style of a number's cell. */
export const CELL = 'px-2 py-1.5 text-right align-top tabular-nums whitespace-nowrap last:pr-4 sm:last:pr-5'
