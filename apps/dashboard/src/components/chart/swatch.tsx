/** The colour of a series beside its name: a small square that screen readers pass over. */
export const Swatch = ({ color }: { readonly color: string }) => (
  <svg aria-hidden="true" className="size-2.5 shrink-0" viewBox="0 0 10 10">
    <rect width="10" height="10" rx="2" fill={color} />
  </svg>
)
