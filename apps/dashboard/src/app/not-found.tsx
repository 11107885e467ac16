import Link from 'next/link'

/** Shown for an address that is no page’s: a sentence, with a link to the overview. */
export default function NotFound() {
  return (
    <div className="mx-auto max-w-xl px-4 py-24">
      <h1 className="text-xl font-semibold">There is no such page</h1>
      <p className="mt-2 text-muted">
        Everything is on the{' '}
        <Link className="text-accent underline underline-offset-4" href="/">
          overview
        </Link>
        .
      </p>
    </div>
  )
}
