/** What the reader should know of the numbers below. */
import Link from 'next/link'
import type { ReactNode } from 'react'
import { visibleText } from '../../components/store-text.tsx'

/** Something that the reader should know of the figures. */
export interface Remark {
  /** A sentence or more; names of the store are in it as they are. */
  readonly text: string
  /** Where more of it stands, or it can be looked at. */
  readonly link?: { readonly href: string; readonly name: string }
}

/** A list of sentences, each with its link; children are further items. An empty list is an empty frame. */
export const Remarks = ({
  remarks,
  children,
}: {
  readonly remarks: readonly Remark[]
  readonly children?: ReactNode
}) => (
  <ul className="grid gap-1 rounded-xl border border-line border-l-4 border-l-warning bg-panel px-4 py-2.5 text-sm text-muted [overflow-wrap:anywhere]">
    {remarks.map(({ text, link }) => (
      <li key={text} data-remark={text}>
        <bdi>{visibleText(text)}</bdi>
        {link !== undefined && (
          <>
            {' '}
            <Link href={link.href} prefetch={false} className="text-accent underline underline-offset-4">
              {link.name}
            </Link>
          </>
        )}
      </li>
    ))}
    {children}
  </ul>
)
