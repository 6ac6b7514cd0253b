import type { NewPersona } from '../personas/personas.schemas.ts'
import type { NewScenario } from '../scenarios/scenarios.schemas.ts'

export const sampleBuyer: NewPersona = {
  name: 'Ingrid Halvorsen',
  job_title: 'Head of Logistics',
  style: 'analytical',
  industry: 'Food distribution',
  company_profile: 'Distributor of chilled food with 900 employees and three warehouses.',
  traits: { talkativeness: 3, skepticism: 3 },
  goals: ['Fewer returns', 'A plan that survives Monday morning'],
  pains: ['Drivers call the office for every change'],
  opening_line: 'Hello, Ingrid Halvorsen speaking.',
  facts: [
    {
      key: 'tool',
      topic: 'route planning',
      text: 'We plan all routes by hand on a whiteboard.',
      reveal_keywords: ['plan', 'route', 'today'],
    },
    {
      key: 'returns',
      topic: 'returns',
      text: 'Every tenth delivery comes back, which costs us 15,000 a month.',
      reveal_keywords: ['return', 'cost', 'impact'],
    },
    {
      key: 'decision',
      topic: 'the decision',
      text: 'I decide up to 50,000 a year.',
      reveal_keywords: ['decide', 'decision', 'budget'],
    },
  ],
  objections: [
    {
      key: 'drivers',
      topic: 'the drivers',
      text: 'Our drivers will not use another app.',
      triggers: ['app', 'driver'],
      good_responses: ['training', 'simple', 'pilot'],
    },
    {
      key: 'price',
      topic: 'the price',
      text: 'That is more than we planned to spend.',
      triggers: ['price', 'license'],
      good_responses: ['savings', 'returns', 'value'],
    },
  ],
}

type SampleScenario = Omit<NewScenario, 'persona_id'> & { key: string }

export const sampleScenarios: readonly SampleScenario[] = [
  {
    key: 'coaching_scenario:1',
    title: 'Discovery call in food distribution',
    type: 'discovery',
    difficulty: 'medium',
    brief: 'Find out how routes are planned, what returns cost, and who decides.',
    rubric: [
      { key: 'questions', name: 'Questions', weight: 30, kind: 'questions' },
      { key: 'discovery', name: 'Discovery', weight: 30, kind: 'discovery' },
      { key: 'talk_ratio', name: 'Talk ratio', weight: 20, kind: 'talk_ratio' },
      { key: 'next_step', name: 'Next step', weight: 20, kind: 'next_step' },
    ],
  },
  {
    key: 'coaching_scenario:2',
    title: 'Concerns of a head of logistics',
    type: 'objection_handling',
    difficulty: 'medium',
    brief: 'Answer the concerns about drivers and price.',
    rubric: [
      { key: 'objections', name: 'Objections', weight: 40, kind: 'objections' },
      { key: 'questions', name: 'Questions', weight: 30, kind: 'questions' },
      { key: 'filler', name: 'Clear language', weight: 10, kind: 'filler' },
      { key: 'next_step', name: 'Next step', weight: 20, kind: 'next_step' },
    ],
  },
]

/** Messages of sellers, from a weak conversation to a strong one. */
export const sampleConversations: readonly (readonly string[])[] = [
  [
    'Hi, um, I would basically like to present our platform, it is, like, the leading solution for logistics and does everything.',
    'It has a driver app, dashboards, maps, reports and basically more than two hundred functions that all customers like.',
    'Most customers are happy with the app, you know, so I am sure that your people will be happy too.',
    'Our license is reasonable. Do you want an offer?',
    'Okay. I will follow up.',
  ],
  [
    'Hello, I would like to tell you about our route planning and then hear what you think.',
    'How do you plan your routes today?',
    'Our app replaces the whiteboard and tells drivers about every change as it happens.',
    'It works well everywhere. Is the number of drivers a problem?',
    'Do you have a budget for it?',
    'I can send you an offer.',
  ],
  [
    'Hello, thank you for your time. What made you take this call?',
    'How do you plan your routes today?',
    'What do returns cost you?',
    'I understand. What would your drivers need?',
    'I see. A short training and a pilot help most customers. Who is part of the decision?',
    'Let us schedule a workshop.',
  ],
  [
    'Hello, thank you for your time. What would make this call worth it for you?',
    'How do you plan your routes today?',
    'That makes sense. What do the returns cost you in a month?',
    'I understand. What would your drivers need so that an app is a help and not a burden?',
    'I hear you. With a short training and a pilot of two weeks they decide themselves. How does that sound?',
    'How do you make a decision like this?',
    'Fair point about the price. Which savings would you need to see to justify it?',
    'Let us schedule a workshop on Tuesday at 10:00 with your team.',
  ],
]

export const sampleFeedback = [
  'Good preparation. Ask one more question before you present.',
  'You listened well. Next time agree on a date before you hang up.',
  'Strong handling of the price question.',
  'Try to stay calm when the buyer pushes back; repeat the concern first.',
]

export const sampleActionItems = [
  'Prepare five open questions for the next call',
  'Record one cold call and listen to it together',
  'Read the battlecard on price objections',
]
