import { completeCriteria } from './complete-criteria.rules.ts'
import type { ConversationMessage } from './conversation.rules.ts'
import type { Criterion, NewCriterion } from './criteria.schemas.ts'

const words = (count: number, word = 'alpha') => Array(count).fill(word).join(' ')

/** Creates criteria with short names, such as `{ questions: { weight: 30 } }`. */
export const criteriaOf = (
  parts: Partial<Record<NewCriterion['kind'], Partial<Pick<NewCriterion, 'weight' | 'config'>>>>,
): Criterion[] =>
  completeCriteria(
    Object.entries(parts).map(([kind, { weight = 10, config }]) => ({
      key: kind,
      name: `Criterion ${kind}`,
      weight,
      kind: kind as NewCriterion['kind'],
      ...(config && { config }),
    })),
  )

export const conversationCriteria = criteriaOf({
  talk_ratio: { weight: 20 },
  questions: { weight: 30 },
  objections: { weight: 30 },
  next_step: { weight: 20 },
})

const lines: [ConversationMessage['role'], string][] = [
  ['rep', 'What slows your team down today?'],
  ['buyer', words(20, 'beta')],
  ['rep', 'How do you measure that? Is it getting worse?'],
  ['buyer', words(19, 'beta')],
  ['rep', `Why now? ${words(34)}`],
  ['rep', 'Let us schedule a call. Tuesday is free for me.'],
]

/** 61 of 100 words are the rep's, with four questions, three of them open, and a next step with a time. */
export const workedConversation: ConversationMessage[] = lines.map(([role, text], seq) => ({ seq, role, text }))
export const workedOutcome = { objections: { raised: 3, handled: 2, seqs: [2, 4] } }

export const pitchCriteria = criteriaOf({
  keywords: {
    weight: 40,
    config: { groups: [['onboarding', 'setup'], ['security'], ['price']], avoid: ['cheap', 'no problem'] },
  },
  pace: { weight: 30 },
  filler: { weight: 30 },
})

/** 8,600 words in 3,000 seconds are 172 words a minute; 387 fillers are 4.5 per 100 words. */
export const workedPitch = {
  durationSeconds: 3_000,
  messages: [
    {
      seq: 0,
      role: 'rep' as const,
      text: `Our setups are secure and our security is cheap. ${words(387, 'um,')} ${words(8_204)}.`,
    },
  ],
}
