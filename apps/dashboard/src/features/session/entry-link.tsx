'use client'
/** The number of an entry, which is the permanent link to it: choosing it goes there, and copies the address. */
import { useState } from 'react'
import { entryLink } from './use-linked-entry.ts'

/**
 * `#12`, and whether its address was copied. A click goes there and copies it; where that is not allowed, nothing is
 * said.
 */
export const EntryLink = ({ seq }: { readonly seq: number }) => {
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(entryLink(seq))
      setCopied(true)
    } catch {
      // Not every address of a page may use the clipboard; the browser's own menu copies a link.
      setCopied(false)
    }
  }
  return (
    <>
      <span role="status" className="text-accent">
        {isCopied && 'Link copied '}
      </span>
      <a
        href={`#${seq}`}
        title="Permanent link: choose it to go there and to copy it"
        aria-label={`Link to entry ${seq}`}
        onClick={() => void copy()}
        className="underline-offset-4 hover:text-ink hover:underline"
      >
        #{seq}
      </a>
    </>
  )
}
