'use client'
import { Notice } from '../components/notice.tsx'

/** A fault of the page itself; what fails in the data layer is told in its place. */
export default function PageError({ reset }: { readonly reset: () => void }) {
  return (
    <div className="mx-auto max-w-xl px-4 py-24">
      <Notice
        title="The page broke"
        text="Nothing in the store was touched."
        action={{ label: 'Show it again', run: reset }}
      />
    </div>
  )
}
