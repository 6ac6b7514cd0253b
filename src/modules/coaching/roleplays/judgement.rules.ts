import { containsQuote } from '../criteria/evaluate-criteria.rules.ts'
import type { Judgements } from './roleplay.schemas.ts'
import type { MessageRow, RoleplayRow } from './roleplay-row.ts'

/** The transcript has only what was said, so it contains no fact that the buyer has not told. */
export const toJudgementData = (
  { scenario_snapshot: { type, rubric } }: RoleplayRow,
  messages: readonly MessageRow[],
) => ({
  conversation: type,
  criteria: rubric
    .filter(({ kind }) => kind === 'judgement')
    .map(({ key, name, description }) => ({ key, name, description })),
  transcript: messages.map(({ seq, role, text }) => ({ seq, role, text })),
})

/** Every criterion has one score, and a score above 0 a quote that the seller really said. */
export function isValidJudgement(
  { criteria }: Judgements,
  { criteria: wanted, transcript }: ReturnType<typeof toJudgementData>,
): boolean {
  const isSaid = ({ seq, quote }: { seq: number; quote: string }) =>
    transcript.some((message) => message.seq === seq && message.role === 'rep' && containsQuote(message.text, quote))
  const keys = criteria.map(({ key }) => key)
  return (
    keys.length === wanted.length &&
    wanted.every(({ key }) => keys.includes(key)) &&
    criteria.every(({ score, evidence }) => score === 0 || evidence.some(isSaid))
  )
}
