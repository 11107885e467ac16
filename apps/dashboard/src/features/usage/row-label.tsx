/** What a row of usage is about, with its share of the cost as a bar, and the way to its sessions. */
import Link from 'next/link'
import { visibleText } from '../../components/store-text.tsx'

interface RowLabelProps {
  readonly label: string
  readonly detail: string | null
  readonly costShare: number
  readonly href: string | undefined
  readonly sessions?: { readonly href: string; readonly name: string } | undefined
}

/**
 * The first cell of a row: its name, a link to its sessions and a bar for its share of the cost. `costShare` is 0 to 1;
 * `href` narrows the page down to the value.
 */
export const RowLabel = ({ label, detail, costShare, href, sessions }: RowLabelProps) => (
  <>
    <span className="flex min-w-0 items-baseline gap-2">
      <span className="min-w-0 flex-1 truncate" title={visibleText(detail ?? label)}>
        {href === undefined ? (
          <bdi>{visibleText(label)}</bdi>
        ) : (
          <Link href={href} prefetch={false} className="underline-offset-4 hover:underline">
            <bdi>{visibleText(label)}</bdi>
          </Link>
        )}
      </span>
      {sessions !== undefined && (
        <Link
          href={sessions.href}
          prefetch={false}
          aria-label={sessions.name}
          title={sessions.name}
          className="shrink-0 text-xs text-accent hover:underline"
        >
          Sessions
        </Link>
      )}
    </span>
    {detail !== null && (
      <span className="block truncate text-xs text-muted" title={visibleText(detail)}>
        <bdi>{visibleText(detail)}</bdi>
      </span>
    )}
    <svg aria-hidden="true" className="mt-1.5 h-1 w-full" viewBox="0 0 100 1" preserveAspectRatio="none">
      <rect width="100" height="1" fill="var(--sunken)" />
      <rect width={Math.max(costShare * 100, costShare > 0 ? 0.5 : 0)} height="1" fill="var(--accent)" />
    </svg>
  </>
)
