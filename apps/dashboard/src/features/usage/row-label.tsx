/** What a row of usage is about, with its share of the cost as a bar. */
import Link from 'next/link'

interface RowLabelProps {
  readonly label: string
  readonly detail: string | null
  readonly costShare: number
  readonly href: string | undefined
}

export const RowLabel = ({ label, detail, costShare, href }: RowLabelProps) => (
  <>
    <span className="block truncate" title={detail ?? label}>
      {href === undefined ? (
        <bdi>{label}</bdi>
      ) : (
        <Link href={href} prefetch={false} className="underline-offset-4 hover:underline">
          <bdi>{label}</bdi>
        </Link>
      )}
    </span>
    {detail !== null && (
      <span className="block truncate text-xs text-muted" title={detail}>
        <bdi>{detail}</bdi>
      </span>
    )}
    <svg aria-hidden="true" className="mt-1.5 h-1 w-full" viewBox="0 0 100 1" preserveAspectRatio="none">
      <rect width="100" height="1" fill="var(--sunken)" />
      <rect width={Math.max(costShare * 100, costShare > 0 ? 0.5 : 0)} height="1" fill="var(--accent)" />
    </svg>
  </>
)
