import { createHash } from 'node:crypto'
import { createRandom, type Random } from '#platform/module'
import type { Buyer } from '../buyer/buyer-state.ts'
import { completeCriteria } from '../criteria/complete-criteria.rules.ts'
import { criterionKinds } from '../criteria/criteria.schemas.ts'
import { personaStyles, practiceLanguages } from '../personas/personas.schemas.ts'
import { difficulties } from '../scenarios/scenarios.schemas.ts'
import { analyzeRoleplay, scoreRoleplay } from './analysis.rules.ts'
import { playConversation } from './play-conversation.rules.ts'

const phrases = [
  'What tool do you use today?',
  'How big is your team, and why does it matter?',
  'Is the budget fixed?',
  'I understand. The savings would be large.',
  'Um, you know, basically it is, like, the best product.',
  'Our price list starts at 100, with 20 percent off.',
  'Tell me about the last project.',
  'Let us schedule a call on Tuesday at 10:00.',
  'We could follow up.',
  'Wie arbeiten Sie heute? Können wir am Montag sprechen?',
  'Comment mesurez-vous cela ? Nous pouvons fixer un rendez-vous demain.',
  '¿Qué le preocupa? Entiendo.',
  'O que acha do prazo? 😀',
  'Short.',
  'word '.repeat(180),
]

const criteria = completeCriteria(
  criterionKinds.map((kind, index) => ({
    key: kind,
    name: kind,
    weight: 5 + index,
    kind,
    ...(kind === 'keywords' && { config: { groups: [['savings'], ['team', 'tool']], avoid: ['best'] } }),
    ...(kind === 'judgement' && { config: { indicators: ['understand', 'why'] } }),
  })),
)

const createBuyer = (random: Random): Buyer => ({
  name: 'Robin',
  job_title: 'Buyer',
  company_profile: null,
  industry: null,
  style: random.pick(personaStyles),
  language: random.pick(practiceLanguages),
  traits: {
    patience: random.integer(1, 5),
    skepticism: random.integer(1, 5),
    talkativeness: random.integer(1, 5),
    technical_depth: random.integer(1, 5),
    price_sensitivity: random.integer(1, 5),
  },
  goals: ['Less work', 'Better numbers'],
  pains: ['Late reports'],
  opening_line: random.chance(0.5) ? 'Hello.' : null,
  facts: ['tool', 'team', 'budget'].map((key) => ({
    key,
    topic: key,
    text: `We talk about the ${key}.`,
    reveal_keywords: [key],
    suggested_question: null,
  })),
  objections: ['price', 'time'].map((key, index) => ({
    key,
    topic: key,
    text: `The ${key} is a problem.`,
    triggers: [key],
    good_responses: index ? [] : ['savings'],
    severity: 2,
  })),
})

/** Plays and scores conversations that a fixed seed determines. */
export function scoreRecordedConversations(count: number): string[] {
  const random = createRandom(20_260_725)
  const now = new Date('2026-03-11T12:00:00Z')
  return Array.from({ length: count }, (_, index) => {
    const buyer = createBuyer(random)
    const snapshot = {
      title: 'Recorded',
      type: 'discovery' as const,
      difficulty: random.pick(difficulties),
      brief: null,
      buyer_context: null,
      max_turns: random.integer(4, 8),
      time_limit_seconds: random.chance(0.5) ? 600 : null,
      passing_score: 70,
      rubric: criteria,
      rubric_version: 1,
    }
    const texts = Array.from({ length: random.integer(1, 7) }, () =>
      Array.from({ length: random.integer(1, 2) }, () => random.pick(phrases)).join(' '),
    )
    const seed = createHash('sha256').update(`${index}`).digest()
    const startedAt = new Date(now.getTime() - random.integer(60, 900) * 1_000)
    const { conversation, messages } = playConversation({ buyer, snapshot, seed, texts, startedAt })
    const provenance = { engine: 'rules' as const, model: null, fallback_reason: null }
    const scorecard = scoreRoleplay(conversation, messages, { provenance, now })
    return JSON.stringify({
      messages,
      state: conversation.state,
      analysis: analyzeRoleplay(conversation, messages),
      scorecard,
    })
  })
}
