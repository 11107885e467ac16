// Style sheets are imported for their effect; next-env.d.ts declares them too, but only after a first build.
declare module '*.css'
