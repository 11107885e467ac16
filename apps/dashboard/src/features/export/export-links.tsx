/** Links that export all rows of a table with the page's filters. The browser saves what the server sends. */

interface ExportLinksProps {
  readonly table: string
  /** `?…` or ''. */
  readonly query: string
}

/**
 * Two links that download a table, CSV and JSON. `table` is a name that the export route knows; `query` begins with `?`
 * or is empty.
 */
export const ExportLinks = ({ table, query }: ExportLinksProps) => (
  <span className="inline-flex gap-2 text-xs">
    {(['csv', 'json'] as const).map((format) => (
      <a
        key={format}
        href={`/api/export/${table}${query === '' ? '?' : `${query}&`}format=${format}`}
        download
        className="rounded px-1 text-muted hover:text-ink hover:underline"
        aria-label={`Export as ${format.toUpperCase()}`}
      >
        {format.toUpperCase()}
      </a>
    ))}
  </span>
)
