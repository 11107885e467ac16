import Link from 'next/link'

/** Shown for a session that the store does not have: a sentence, with a link to the list of sessions. */
export default function NoSuchSession() {
  return (
    <div className="mx-auto max-w-xl px-4 py-24">
      <h1 className="text-xl font-semibold">There is no such session</h1>
      <p className="mt-2 text-muted">
        It was deleted, or the address is not whole. All that there are stand in the{' '}
        <Link className="text-accent underline underline-offset-4" href="/sessions?period=all">
          list of sessions
        </Link>
        .
      </p>
    </div>
  )
}
