import type { NewPrompt } from '../prompts/prompts.schemas.ts'

export type SamplePrompt = {
  key: string
  author: string
  team: string
  dueInDays: number
  prompt: Pick<NewPrompt, 'title' | 'instructions' | 'criteria' | 'time_limit_seconds'>
}

export const samplePrompts: readonly SamplePrompt[] = [
  {
    key: 'pitch_prompt:1',
    author: 'user:2',
    team: 'team:1',
    dueInDays: 7,
    prompt: {
      title: 'Elevator pitch',
      instructions: 'Explain in one minute what we do, for whom, and what should happen next.',
      time_limit_seconds: 60,
      criteria: [
        {
          key: 'topics',
          name: 'Key messages',
          description: 'One pipeline, a forecast to rely on, live in two weeks.',
          weight: 40,
          kind: 'keywords',
          config: {
            groups: [['one pipeline', 'one place'], ['forecast'], ['two weeks']],
            avoid: ['cheap', 'to be honest'],
          },
        },
        { key: 'pace', name: 'Pace', weight: 20, kind: 'pace' },
        { key: 'filler', name: 'Fillers', weight: 20, kind: 'filler' },
        { key: 'next_step', name: 'Next step', weight: 20, kind: 'next_step' },
      ],
    },
  },
  {
    key: 'pitch_prompt:2',
    author: 'user:3',
    team: 'team:2',
    dueInDays: 14,
    prompt: {
      title: 'Answer to "You are too expensive"',
      instructions: 'The buyer compares your price with Northwind. Answer in 90 seconds, and agree on a next step.',
      time_limit_seconds: 90,
      criteria: [
        {
          key: 'value',
          name: 'Value before price',
          description: 'Names setup, integrations and saved time before the price.',
          weight: 50,
          kind: 'keywords',
          config: { groups: [['setup'], ['integration'], ['hours', 'time']], avoid: ['discount'] },
        },
        { key: 'next_step', name: 'Next step', weight: 30, kind: 'next_step' },
        { key: 'filler', name: 'Fillers', weight: 20, kind: 'filler' },
      ],
    },
  },
  {
    key: 'pitch_prompt:3',
    author: 'user:1',
    team: 'team:1',
    dueInDays: -3,
    prompt: {
      title: 'Launch of deal rooms',
      instructions: 'Introduce deal rooms to an existing customer in two minutes.',
      time_limit_seconds: 120,
      criteria: [
        {
          key: 'story',
          name: 'Customer story',
          description: 'Tells how another customer used a room.',
          weight: 60,
          kind: 'judgement',
          config: { indicators: ['customer', 'read the contract', 'faster'] },
        },
        { key: 'next_step', name: 'Next step', weight: 40, kind: 'next_step' },
      ],
    },
  },
]

const transcripts = {
  strong: [
    'Most revenue teams keep three spreadsheets and argue about the numbers. We give you one pipeline for marketing, sales and success, so the forecast is the same for everyone. A logistics company with 1,200 employees forecasts within four percent today. You can be live in two weeks, without a change of your process. Shall we look at your own numbers together on Tuesday at ten?',
    'I understand that the price per seat looks higher. Compare it with the setup and the integrations, which Northwind charges separately, and with the four hours a week that each seller gets back. Over two years our customers pay less. Let us schedule a call on Thursday, and I will bring the calculation for your team.',
    'You know the moment when a proposal disappears in an inbox. With deal rooms a medical devices customer saw which buyer read the contract, and closed 21 days faster. Everything is in one place, and your legal team sees the same version as you do. Let us set up your first room next week.',
  ],
  fair: [
    'We help sales teams to work better. Um, you have one place for your deals, and, you know, a forecast. It is basically a platform for the whole revenue team, and customers like it a lot because it saves them time. I will send you a link.',
    'Yes, the price is what it is, but you get, um, a lot for it. The setup is included, and support too. Many customers have said the same at first. We can talk about it again.',
    'We have a new feature called deal rooms. A customer can, um, share documents there, and it is really helpful. I think you should try it. We can follow up on that.',
  ],
} as const

export type SamplePitch = {
  key: string
  prompt: number
  author?: string
  daysAgo: number
  transcript: string
  seconds: number
  hasVideo?: true
  review?: { author: string; score: number; decision: 'approved' | 'returned'; comment: string }
  comment?: { author: string; at: number; body: string; reply?: string }
  isExemplar?: true
}

const pitch = (
  number: number,
  prompt: number,
  quality: keyof typeof transcripts,
  [author, daysAgo, seconds]: [author: string | undefined, daysAgo: number, seconds: number],
  more: Partial<SamplePitch> = {},
): SamplePitch => ({
  key: `pitch_submission:${number}`,
  prompt,
  ...(author && { author }),
  daysAgo,
  seconds,
  transcript: transcripts[quality][prompt - 1]!,
  ...more,
})

const approve = (author: string, score: number, comment: string) =>
  ({ author, score, decision: 'approved', comment }) as const
const sendBack = (author: string, score: number, comment: string) =>
  ({ author, score, decision: 'returned', comment }) as const

/** Without an author, a pitch belongs to the user who loads the data. */
export const samplePitches: readonly SamplePitch[] = [
  pitch(1, 1, 'fair', ['user:5', 12, 34], {
    review: sendBack('user:2', 55, 'Say what changes for the buyer, and name a date.'),
  }),
  pitch(2, 1, 'strong', ['user:5', 9, 38], {
    hasVideo: true,
    review: approve('user:2', 92, 'Clear, calm and with a next step.'),
    comment: { author: 'user:2', at: 0.5, body: 'This opening works.', reply: 'Thank you, I practiced it.' },
    isExemplar: true,
  }),
  pitch(3, 1, 'strong', ['user:6', 8, 36], { review: approve('user:2', 84, 'Good. Slow down at the end.') }),
  pitch(4, 1, 'fair', ['user:7', 3, 30]),
  pitch(5, 1, 'strong', ['user:11', 2, 40]),
  pitch(6, 2, 'strong', ['user:8', 10, 41], {
    hasVideo: true,
    review: approve('user:3', 88, 'You compared the whole cost. Well done.'),
    comment: { author: 'user:3', at: 1, body: 'Use this example in the next call.' },
  }),
  pitch(7, 2, 'fair', ['user:9', 7, 28], { review: sendBack('user:3', 48, 'Explain the value before the price.') }),
  pitch(8, 2, 'strong', ['user:9', 4, 43]),
  pitch(9, 2, 'fair', ['user:10', 1, 25]),
  pitch(10, 2, 'strong', ['user:10', 0.5, 42]),
  pitch(11, 3, 'strong', ['user:6', 6, 44], { review: approve('user:1', 90, 'The story is memorable.') }),
  pitch(12, 3, 'fair', ['user:7', 5, 27], { review: approve('user:1', 71, 'Good enough. Add a customer story.') }),
  pitch(13, 3, 'strong', ['user:5', 2, 46]),
  pitch(14, 1, 'strong', [undefined, 6, 39], { review: approve('user:1', 86, 'Convincing.') }),
  pitch(15, 3, 'fair', [undefined, 1, 31]),
]
