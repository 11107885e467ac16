'use client'
/** Stands at the top of a page whose address names what there is not. */
import { useSearchParams } from 'next/navigation'
import { visibleText } from '../../components/store-text.tsx'
import { pageSentences } from './url-problem-text.ts'

/** Longer ones are nobody's typing. */
const LONGEST = 300

/** What is wrong with the page’s address, a sentence each; nothing when it is fine. Long ones are cut. */
export const UrlProblemsNotice = () => {
  const found = pageSentences(useSearchParams())
  if (found.length === 0) return null
  return (
    <div
      role="alert"
      className="mb-4 rounded-xl border border-line border-l-4 border-l-danger bg-panel px-4 py-2.5 text-sm [overflow-wrap:anywhere]"
    >
      {found.map((sentence) => (
        <p key={sentence}>
          <bdi>{visibleText(sentence.length > LONGEST ? `${sentence.slice(0, LONGEST)}…` : sentence)}</bdi>
        </p>
      ))}
    </div>
  )
}
