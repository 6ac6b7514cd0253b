import { sampleLoader } from '#platform/module'
import type { ThreadKind } from '../threads/threads.schemas.ts'

type SampleReply = { author: string; hoursLater: number; body: string; isAccepted?: true }

export type SampleThread = {
  key: string
  author: string
  daysAgo: number
  kind: ThreadKind
  title: string
  body: string
  isPinned?: true
  replies: readonly SampleReply[]
}

export const sampleThreads: readonly SampleThread[] = [
  {
    key: 'thread:1',
    author: 'user:1',
    daysAgo: 28,
    kind: 'announcement',
    isPinned: true,
    title: 'Welcome to the sales community',
    body: 'Ask questions, share what worked, and mark the answer that helped.\n\n- Search before you ask\n- One topic per thread\n- No customer names in titles',
    replies: [
      {
        author: 'user:4',
        hoursLater: 5,
        body: 'Good start. Customer success will answer questions about renewals here.',
      },
    ],
  },
  {
    key: 'thread:2',
    author: 'user:5',
    daysAgo: 20,
    kind: 'question',
    title: 'How do you answer the security questionnaire?',
    body: 'A prospect sent 180 questions. Is there a text that I can start from?',
    replies: [
      { author: 'user:8', hoursLater: 2, body: 'I copied the answers of my last deal, but some were out of date.' },
      {
        author: 'user:2',
        hoursLater: 4,
        isAccepted: true,
        body: 'Use **Security and privacy summary** in the library. It covers about 90 % and is reviewed every quarter.',
      },
      { author: 'user:5', hoursLater: 26, body: 'That saved me a day, thank you.' },
    ],
  },
  {
    key: 'thread:3',
    author: 'user:8',
    daysAgo: 12,
    kind: 'discussion',
    title: 'What worked against Northwind this month',
    body: 'Three wins, all with the same step:\n\n1. Ask for the date of their last rollout\n2. Show the two-week plan\n3. Offer a call with a customer of the same size',
    replies: [
      {
        author: 'user:3',
        hoursLater: 3,
        body: 'Step 3 is the important one. Ask me for references in the mid-market.',
      },
      { author: 'user:6', hoursLater: 22, body: 'Did they offer a discount in return?' },
      { author: 'user:8', hoursLater: 24, body: 'Yes, 20 % in two of the three deals.' },
    ],
  },
  {
    key: 'thread:4',
    author: 'user:11',
    daysAgo: 3,
    kind: 'question',
    title: 'When do you start the renewal conversation?',
    body: 'The playbook says 120 days. Does that work for small accounts?',
    replies: [
      {
        author: 'user:4',
        hoursLater: 6,
        body: 'For accounts below ten seats I start after 60 days. What do others do?',
      },
    ],
  },
  {
    key: 'thread:5',
    author: sampleLoader,
    daysAgo: 1,
    kind: 'question',
    title: 'Group contracts: one notice period for all subsidiaries?',
    body: 'The legal department of a customer asks for one date. Has anyone signed that before?',
    replies: [
      { author: 'user:6', hoursLater: 4, body: 'Not for a group. Ask Marcus, he signed two last year.' },
      {
        author: 'user:2',
        hoursLater: 20,
        isAccepted: true,
        body: 'Yes: one date for all, in return for a term of **24 months**. The clause is in the contract templates.',
      },
    ],
  },
]
