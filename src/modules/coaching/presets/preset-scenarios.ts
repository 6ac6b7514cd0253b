import type { NewCriterion } from '../criteria/criteria.schemas.ts'
import type { NewScenario } from '../scenarios/scenarios.schemas.ts'

export type PresetScenario = Omit<NewScenario, 'persona_id'> & { persona: string }

const talkRatio = (weight: number): NewCriterion => ({
  key: 'talk_ratio',
  name: 'Talk ratio',
  description: 'Lets the buyer talk for about half of the time.',
  weight,
  kind: 'talk_ratio',
})
const questions = (weight: number): NewCriterion => ({
  key: 'questions',
  name: 'Questions',
  description: 'Asks enough questions, most of them open.',
  weight,
  kind: 'questions',
})
const discovery = (weight: number): NewCriterion => ({
  key: 'discovery',
  name: 'Discovery',
  description: 'Finds out what matters to the buyer.',
  weight,
  kind: 'discovery',
})
const objections = (weight: number): NewCriterion => ({
  key: 'objections',
  name: 'Objections',
  description: 'Acknowledges objections and answers them.',
  weight,
  kind: 'objections',
})
const nextStep = (weight: number): NewCriterion => ({
  key: 'next_step',
  name: 'Next step',
  description: 'Agrees on a next step with a date.',
  weight,
  kind: 'next_step',
})
const monologue = (weight: number): NewCriterion => ({
  key: 'monologue',
  name: 'Short messages',
  description: 'Explains without long monologues.',
  weight,
  kind: 'monologue',
})
const filler = (weight: number): NewCriterion => ({
  key: 'filler',
  name: 'Clear language',
  description: 'Speaks without fillers.',
  weight,
  kind: 'filler',
})

export const presetScenarios: readonly PresetScenario[] = [
  {
    title: 'First conversation with a head of operations',
    type: 'discovery',
    difficulty: 'easy',
    persona: 'operations',
    description: 'Understand the situation before you talk about your product.',
    brief:
      'Dana Whitfield downloaded your guide on order planning and agreed to a first call. Find out how the company works today, what delays cost, who decides and when.',
    rubric: [talkRatio(20), questions(30), discovery(30), nextStep(20)],
  },
  {
    title: 'Cold call to a head of customer service',
    type: 'cold_call',
    difficulty: 'easy',
    persona: 'service',
    description: 'Earn a second conversation in a few minutes.',
    brief:
      'Aisha Rahman does not expect your call. Say why you are calling, ask about her team, and agree on a meeting.',
    max_turns: 12,
    rubric: [questions(30), monologue(20), objections(20), nextStep(30)],
  },
  {
    title: 'Demo for a chief technology officer',
    type: 'demo',
    difficulty: 'medium',
    persona: 'technology',
    description: 'Show only what solves a problem of the buyer.',
    brief:
      'Tobias Engel has asked for a demo. Before you show anything, find out what he runs today and what he has tried. Connect each function to one of his problems.',
    rubric: [talkRatio(20), questions(20), discovery(25), objections(15), nextStep(20)],
  },
  {
    title: 'Objections of a protective team lead',
    type: 'objection_handling',
    difficulty: 'medium',
    persona: 'service',
    description: 'Take concerns seriously and answer them.',
    brief:
      'Aisha Rahman likes your solution but fears the change for her team. Ask what is behind her concerns before you answer them.',
    rubric: [objections(45), questions(25), talkRatio(15), nextStep(15)],
  },
  {
    title: 'Price negotiation with a chief financial officer',
    type: 'negotiation',
    difficulty: 'hard',
    persona: 'finance',
    description: 'Defend the value and give nothing away without something in return.',
    brief:
      'Marco Bellini has your offer on the table and wants a discount. Find out how he decides, and trade instead of giving in.',
    rubric: [objections(40), discovery(25), filler(10), nextStep(25)],
  },
  {
    title: 'Closing before the end of the quarter',
    type: 'closing',
    difficulty: 'hard',
    persona: 'operations',
    description: 'Turn agreement into a signed order.',
    brief:
      'Dana Whitfield is convinced, but the order is not signed yet. Clear the last concerns, and agree who does what until when.',
    rubric: [nextStep(40), objections(30), questions(20), talkRatio(10)],
  },
]
