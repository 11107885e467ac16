/** One block of a message: text as it is, all else folded away behind a line that says what it is. */
import { StoreText } from '../../components/store-text.tsx'
import type { BlockView, CutText, EditView, TaggedText } from '@cairn/core/conversation'
import { EditCounts, EditLines } from './edit-lines.tsx'
import { Folded, LongText } from './folded.tsx'
import type { BlockPosition } from './folded.tsx'
import type { TextFormat } from './formatted-text.tsx'
import { SessionImage } from './session-image.tsx'

const sizeText = (length: number): string => `${length.toLocaleString('en-US')} characters`

/** Characters of a text in its folded line, which is cut to the width of the page. */
const BRIEF_LENGTH = 400

interface FoldedTextProps {
  readonly position: BlockPosition
  /** What it is: `Reasoning`, the name of a tool. */
  readonly name: string
  /** What it is about, in one line. */
  readonly brief: string
  readonly cut: CutText & Partial<Pick<TaggedText, 'parts'>>
  readonly format?: TextFormat
  readonly isError?: boolean
  /** What a call writes into files, in the place of its arguments. */
  readonly edit?: EditView | undefined
}

/** A text behind its name and beginning, which a click unfolds. */
const FoldedText = ({ position, name, brief, cut, format = 'code', isError = false, edit }: FoldedTextProps) => (
  <Folded
    position={position}
    isError={isError}
    summary={
      <>
        <span className={`shrink-0 font-medium ${isError ? 'text-danger' : 'text-ink'}`}>
          <StoreText text={name} />
        </span>
        <span className="min-w-0 flex-1 truncate font-mono">
          <StoreText text={brief} />
        </span>
        {edit === undefined ? (
          <span className="hidden shrink-0 tabular-nums sm:inline">{sizeText(cut.length)}</span>
        ) : (
          <EditCounts {...edit} />
        )}
      </>
    }
  >
    {edit === undefined ? (
      <LongText cut={cut} position={position} format={format} />
    ) : (
      <EditLines {...edit} seq={position.seq} />
    )}
  </Folded>
)

interface BlockProps<Type extends BlockView['type'] = BlockView['type']> {
  readonly block: Extract<BlockView, { readonly type: Type }>
  readonly position: BlockPosition
  /** A person wrote it: its text is drawn as it stands. */
  readonly isPlain?: boolean
}

/** A tool call, with its result below it. */
const Call = ({ block, position }: BlockProps<'call'>) => (
  <div className="grid min-w-0 gap-1">
    <FoldedText
      position={position}
      name={block.name}
      brief={block.brief}
      cut={block}
      edit={block.edit?.lines.length === 0 ? undefined : block.edit}
    />
    {block.output !== null && (
      <div className="ml-4 min-w-0 sm:ml-6">
        <Block
          block={block.output.view}
          position={{ id: position.id, seq: block.output.seq, block: block.output.block }}
        />
      </div>
    )}
  </div>
)

/** What a tool answered, with its images. */
const Result = ({ block, position }: BlockProps<'result'>) => (
  <div className="grid min-w-0 gap-2">
    <FoldedText
      position={position}
      name={`${block.isError ? 'Error' : 'Result'}${block.name === null ? '' : ` of ${block.name}`}`}
      brief={block.brief}
      cut={block}
      isError={block.isError}
    />
    {block.images.map((image) => (
      <SessionImage key={image.position.join(' ')} id={position.id} seq={position.seq} image={image} />
    ))}
  </div>
)

/** Draws a block by its type; a result that is shown with its call draws nothing. */
export const Block = ({ block, position, isPlain = false }: BlockProps) => {
  switch (block.type) {
    case 'text':
      return <LongText cut={block} position={position} format={isPlain ? 'plain' : 'markdown'} />
    case 'thinking':
      return (
        <FoldedText
          position={position}
          name="Reasoning"
          brief={block.text.slice(0, BRIEF_LENGTH)}
          cut={block}
          format="markdown"
        />
      )
    case 'call':
      return <Call block={block} position={position} />
    case 'answered':
      return null
    case 'result':
      return <Result block={block} position={position} />
    case 'file':
      return <FoldedText position={position} name="File" brief={block.path} cut={block} />
    case 'other':
      return <FoldedText position={position} name="Other" brief={block.text.slice(0, BRIEF_LENGTH)} cut={block} />
    case 'image':
      return <SessionImage id={position.id} seq={position.seq} image={block.image} />
  }
}
