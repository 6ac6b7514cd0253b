import type { NewModule } from '../modules/modules.schemas.ts'
import type { NewPath } from '../paths/paths.schemas.ts'
import type { NewQuestion } from '../quizzes/questions.schemas.ts'

export type SamplePath = {
  key: string
  author: string
  daysAgo: number
  isDraft?: true
  path: NewPath
  modules: readonly NewModule[]
}

const question = (text: string, right: string, ...wrong: string[]): NewQuestion => ({
  kind: 'single',
  text,
  explanation: `The right answer is: ${right}`,
  options: [{ text: right, correct: true }, ...wrong.map((option) => ({ text: option }))],
})

export const samplePaths: readonly SamplePath[] = [
  {
    key: 'learning_path:1',
    author: 'user:1',
    daysAgo: 400,
    path: {
      title: 'Onboarding for sellers',
      type: 'onboarding',
      description: 'Your first two weeks: who our customers are, how we sell, and where everything is.',
      due_in_days: 14,
    },
    modules: [
      {
        title: 'Welcome',
        kind: 'content',
        body: 'We sell to revenue teams of **200 to 5,000 employees**. Their first problem is a forecast that they do not believe.',
        estimated_minutes: 5,
      },
      {
        title: 'How we sell',
        kind: 'content',
        body: 'Every deal has five stages. A deal moves when the *buyer* has done something, not when we have.',
        estimated_minutes: 15,
      },
      {
        title: 'Check your knowledge',
        kind: 'quiz',
        estimated_minutes: 10,
        quiz: {
          questions: [
            question(
              'When does a deal move to the next stage?',
              'When the buyer has acted',
              'When we have sent an email',
            ),
            question(
              'Which companies do we sell to?',
              '200 to 5,000 employees',
              'Any company',
              'Fewer than 50 employees',
            ),
          ],
        },
      },
    ],
  },
  {
    key: 'learning_path:2',
    author: 'user:2',
    daysAgo: 120,
    path: {
      title: 'Product basics',
      type: 'product',
      description: 'What the product does, and how it differs from Northwind.',
      due_in_days: 30,
    },
    modules: [
      {
        title: 'One pipeline for everyone',
        kind: 'content',
        body: 'Marketing, sales and success share one pipeline, so all of them see the same forecast.',
      },
      {
        title: 'Product quiz',
        kind: 'quiz',
        quiz: {
          max_attempts: 2,
          passing_score: 50,
          questions: [
            question('What do all teams share?', 'One pipeline', 'One password'),
            {
              kind: 'multiple',
              text: 'What does the setup include?',
              options: [
                { text: 'Import of contacts', correct: true },
                { text: 'Integrations', correct: true },
                { text: 'A new laptop' },
              ],
            },
          ],
        },
      },
    ],
  },
  {
    key: 'learning_path:3',
    author: 'user:1',
    daysAgo: 420,
    path: {
      title: 'Data protection for sales',
      type: 'compliance',
      description: 'What we may store about buyers, and for how long. Renewed every year.',
      due_in_days: 21,
      certificate: {
        enabled: true,
        title: 'Data protection for sales',
        valid_days: 365,
        recertify: true,
        recertify_lead_days: 10,
      },
    },
    modules: [
      {
        title: 'What the law says',
        kind: 'content',
        body: 'Store what you need for the deal, and nothing else. Every person may ask what we store about them.',
      },
      {
        title: 'Final quiz',
        kind: 'quiz',
        quiz: {
          max_attempts: 2,
          questions: [
            question('A buyer asks to be forgotten. What do you do?', 'Request the erasure', 'Hide the contact'),
            question('May you store notes about the health of a buyer?', 'No', 'Yes', 'Only in emails'),
          ],
        },
      },
    ],
  },
  {
    key: 'learning_path:4',
    author: 'user:3',
    daysAgo: 3,
    isDraft: true,
    path: { title: 'Negotiation', type: 'skills', description: 'A draft: discounts, deadlines and silence.' },
    modules: [{ title: 'Before the call', kind: 'content', body: 'Write down your walk-away price.' }],
  },
]

export type SampleState = 'not_started' | 'in_progress' | 'completed' | 'failed' | 'withdrawn'
export type SampleEnrollment = {
  key: string
  path: string
  learner?: string
  state: SampleState
  daysAgo: number
  dueInDays: number
}

/** Without a learner, an enrollment belongs to the user who loads the data. */
const learners = [undefined, 'user:5', 'user:6', 'user:7', 'user:8', 'user:9', 'user:10', 'user:11', 'user:2', 'user:3']

type Planned = [state: SampleState, daysAgo: number, dueInDays: number]

const done = (daysAgo: number): Planned => ['completed', daysAgo, 14 - daysAgo]

/** In the order of the learners. Two enrollments are overdue, and one certificate expires in two weeks. */
const plans: Record<string, Planned[]> = {
  'learning_path:1': [
    ['in_progress', 4, 10],
    done(90),
    done(80),
    ['in_progress', 6, 8],
    done(60),
    ['not_started', 20, -6],
    ['in_progress', 18, -4],
    done(45),
    done(200),
    ['withdrawn', 30, -16],
  ],
  'learning_path:2': [
    ['not_started', 2, 28],
    done(40),
    ['failed', 25, 5],
    ['not_started', 3, 27],
    done(35),
    ['in_progress', 5, 25],
    ['withdrawn', 15, 15],
    ['not_started', 1, 29],
    done(70),
    done(65),
  ],
  'learning_path:3': [
    done(30),
    done(100),
    done(351),
    ['not_started', 5, 16],
    ['in_progress', 4, 17],
    done(150),
    ['failed', 12, 9],
    done(20),
    done(250),
    ['not_started', 2, 19],
  ],
}

export const sampleEnrollments: readonly SampleEnrollment[] = Object.entries(plans).flatMap(([path, planned], group) =>
  planned.map(([state, daysAgo, dueInDays], index) => {
    const learner = learners[index]
    const key = `learning_enrollment:${group * learners.length + index + 1}`
    return { key, path, state, daysAgo, dueInDays, ...(learner && { learner }) }
  }),
)
