/** One block of a message. */
import { StoreText } from '../../components/store-text.tsx'
import type { BlockView } from './block-view.ts'
import { Folded, LongText } from './folded.tsx'
import type { BlockPosition } from './folded.tsx'
import { SessionImage } from './session-image.tsx'

const size = (length: number): string => `${length.toLocaleString('en-US')} characters`

const Head = ({
  name,
  brief,
  aside,
  isError = false,
}: {
  readonly name: string
  readonly brief: string
  readonly aside: string
  readonly isError?: boolean
}) => (
  <>
    <span className={`shrink-0 font-medium ${isError ? 'text-danger' : 'text-ink'}`}>
      <StoreText text={name} />
    </span>
    <span className="min-w-0 flex-1 truncate font-mono">
      <StoreText text={brief} />
    </span>
    <span className="hidden shrink-0 tabular-nums sm:inline">{aside}</span>
  </>
)

export const Block = ({ block, position }: { readonly block: BlockView; readonly position: BlockPosition }) => {
  switch (block.type) {
    case 'text':
      return <LongText cut={block} position={position} isCode={false} />
    case 'thinking':
      return (
        <Folded
          position={position}
          summary={<Head name="Reasoning" brief={block.text.slice(0, 400)} aside={size(block.length)} />}
        >
          <LongText cut={block} position={position} isCode={false} />
        </Folded>
      )
    case 'call':
      return (
        <div className="grid min-w-0 gap-1">
          <Folded
            position={position}
            summary={<Head name={block.name} brief={block.brief} aside={size(block.length)} />}
          >
            <LongText cut={block} position={position} isCode />
          </Folded>
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
    case 'answered':
      return null
    case 'result':
      return (
        <div className="grid min-w-0 gap-2">
          <Folded
            position={position}
            summary={
              <Head
                name={`${block.isError ? 'Error' : 'Result'}${block.name === null ? '' : ` of ${block.name}`}`}
                brief={block.brief}
                aside={size(block.length)}
                isError={block.isError}
              />
            }
          >
            <LongText cut={block} position={position} isCode />
          </Folded>
          {block.images.map((image) => (
            <SessionImage key={image.position.join(' ')} id={position.id} seq={position.seq} image={image} />
          ))}
        </div>
      )
    case 'file':
      return (
        <Folded position={position} summary={<Head name="File" brief={block.path} aside={size(block.length)} />}>
          <LongText cut={block} position={position} isCode />
        </Folded>
      )
    case 'other':
      return (
        <Folded
          position={position}
          summary={<Head name="Other" brief={block.text.slice(0, 400)} aside={size(block.length)} />}
        >
          <LongText cut={block} position={position} isCode />
        </Folded>
      )
    case 'image':
      return <SessionImage id={position.id} seq={position.seq} image={block.image} />
  }
}
