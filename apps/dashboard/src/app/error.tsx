'use client'
import { Notice } from '../components/notice.tsx'

/** Shown for a fault of the page itself; failures of the data layer are shown where the data would be. */
export default function PageError({ reset }: { readonly reset: () => void }) {
  return (
    <div className="mx-auto max-w-xl px-4 py-24">
      <Notice
        title="This page failed"
        text="Nothing in the store was touched."
        action={{ label: 'Show it again', run: reset }}
      />
    </div>
  )
}
