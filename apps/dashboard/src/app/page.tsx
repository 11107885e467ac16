export default function Home() {
  return (
    <main className="mx-auto max-w-4xl p-8 font-sans">
      <h1 className="text-2xl font-semibold">Cairn</h1>
      <p className="mt-2 text-neutral-600">Nothing has been recorded yet.</p>
    </main>
  )
}
