/** The logo: a cairn of three stones. Screen readers pass over it. */
export const Mark = () => (
  <svg aria-hidden="true" className="size-7" viewBox="0 0 32 32">
    <ellipse cx="16" cy="25.5" rx="12" ry="4.5" fill="var(--muted)" />
    <ellipse cx="15.2" cy="17.2" rx="8.6" ry="3.8" fill="var(--muted)" opacity="0.65" />
    <ellipse cx="16.4" cy="10" rx="5.6" ry="3.2" fill="var(--accent)" />
  </svg>
)
