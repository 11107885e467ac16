'use client'
/** An image of a message, asked for when it comes into view. One that was not stored is never fetched. */
import { useQuery } from '@tanstack/react-query'
import { StoreText } from '../../components/store-text.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import type { ImageView } from '@cairn/core/conversation'

interface SessionImageProps {
  readonly id: string
  readonly seq: number
  readonly image: ImageView
}

/** A line in place of an image, which says why there is none. */
const Note = ({ children }: { readonly children: string }) => (
  <p className="text-xs text-muted">
    <StoreText text={children} />
  </p>
)

/** The image once it has come, or a line that says why there is none. Only a stored one is asked for. */
export const SessionImage = ({ id, seq, image }: SessionImageProps) => {
  const trpc = useTRPC()
  const { data, error } = useQuery(
    trpc.session.image.queryOptions(
      { id, seq, position: [...image.position] },
      { enabled: image.state === 'stored', staleTime: Infinity, gcTime: 60_000 },
    ),
  )
  if (image.state === 'unsupported')
    return <Note>{`An image of a kind that is not shown here (${image.mediaType})`}</Note>
  if (image.state === 'elsewhere')
    return (
      <Note>{image.url === null ? 'An image that was not stored' : `An image that was not stored: ${image.url}`}</Note>
    )
  if (error !== null) return <Note>An image that can’t be read</Note>
  if (data === undefined)
    return (
      <div
        role="status"
        aria-label="Loading an image"
        className="h-40 w-64 max-w-full animate-pulse rounded-lg bg-sunken"
      />
    )
  // A data URL: there is nothing for a loader of images to do.
  return <img src={data} alt="From the conversation" className="max-h-96 max-w-full rounded-lg border border-line" />
}
