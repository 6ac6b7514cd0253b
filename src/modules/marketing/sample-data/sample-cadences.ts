import { sampleLoader } from '#platform/module'
import type { ExitReason, PauseReason } from '../cadences/cadence-records/enrollments.queries.ts'

/** `steps` is the number of finished steps; the next one waits, as a task of the sender if it is no automatic email. */
export type SampleEnrollment =
  | { state: 'active' | 'completed'; steps: number; count: number }
  | { state: 'paused'; reason: PauseReason; steps: number; count: number }
  | { state: 'exited'; reason: ExitReason; steps: number; count: number }

export type SampleCadence = {
  key: string
  owner: string
  status: 'draft' | 'active' | 'paused'
  /** Days since the first enrollment. */
  days: number
  senders: readonly string[]
  name: string
  description: string
  steps: {
    type: 'email_auto' | 'call' | 'task'
    delay_days: number
    subject_template?: string
    body_template?: string
    reply_in_thread?: boolean
    instructions?: string
  }[]
  enrollments: SampleEnrollment[]
}

const signature = '{{ sender.name }}\n{{ sender.title | Sales }}'

/** 45 enrollments in every state. Sample data sends nothing. */
export const sampleCadences: readonly SampleCadence[] = [
  {
    key: 'cadence:1',
    owner: 'user:3',
    status: 'active',
    days: 21,
    senders: ['user:8', 'user:9'],
    name: 'Follow-up of inbound leads',
    description: 'Two emails, a call and a look at the company for people who asked for information.',
    steps: [
      {
        type: 'email_auto',
        delay_days: 0,
        subject_template: 'Your question about our platform',
        body_template: `Hello {{ first_name | there }},\n\nthank you for your interest. What would you like to improve first at {{ company | your company }}?\n\nYou find an overview at https://www.example.com/overview.\n\n${signature}`,
      },
      { type: 'call', delay_days: 1, instructions: 'Ask for the current process and the next decision.' },
      {
        type: 'email_auto',
        delay_days: 3,
        subject_template: 'Your question about our platform',
        body_template: `Hello {{ first_name | there }},\n\nwould 20 minutes this week suit you?\n\n${signature}`,
        reply_in_thread: true,
      },
      { type: 'task', delay_days: 4, instructions: 'Look for news about the company and write a personal message.' },
    ],
    enrollments: [
      { state: 'active', steps: 1, count: 6 },
      { state: 'active', steps: 2, count: 6 },
      { state: 'active', steps: 0, count: 3 },
      { state: 'paused', reason: 'manual', steps: 1, count: 2 },
      { state: 'paused', reason: 'auto_reply', steps: 1, count: 1 },
      { state: 'completed', steps: 4, count: 5 },
      { state: 'exited', reason: 'replied', steps: 1, count: 2 },
      { state: 'exited', reason: 'replied', steps: 3, count: 1 },
      { state: 'exited', reason: 'meeting_booked', steps: 2, count: 1 },
      { state: 'exited', reason: 'bounced', steps: 1, count: 1 },
      { state: 'exited', reason: 'removed', steps: 2, count: 1 },
      { state: 'exited', reason: 'converted', steps: 3, count: 1 },
    ],
  },
  {
    key: 'cadence:2',
    owner: 'user:2',
    status: 'paused',
    days: 40,
    senders: ['user:5', 'user:6'],
    name: 'Visitors of the spring event',
    description: 'Paused until the recordings are published.',
    steps: [
      {
        type: 'email_auto',
        delay_days: 0,
        subject_template: 'Thank you for your visit',
        body_template: `Hello {{ first_name | there }},\n\nit was good to meet you. Which talk was the most useful one for {{ company | your team }}?\n\n${signature}`,
      },
      {
        type: 'email_auto',
        delay_days: 5,
        subject_template: 'The recordings of the event',
        body_template: `Hello {{ first_name | there }},\n\nthe recordings are at https://www.example.com/recordings.\n\n${signature}`,
      },
    ],
    enrollments: [
      { state: 'active', steps: 1, count: 6 },
      { state: 'paused', reason: 'manual', steps: 1, count: 2 },
      { state: 'completed', steps: 2, count: 4 },
      { state: 'exited', reason: 'replied', steps: 1, count: 2 },
      { state: 'exited', reason: 'removed', steps: 1, count: 1 },
    ],
  },
  {
    key: 'cadence:3',
    owner: sampleLoader,
    status: 'draft',
    days: 2,
    senders: [],
    name: 'Win back quiet leads',
    description: 'A first idea: one email and a call after a quarter without an answer.',
    steps: [
      {
        type: 'email_auto',
        delay_days: 0,
        subject_template: 'Is this still a topic, {{ first_name | there }}?',
        body_template: `Hello {{ first_name | there }},\n\nwe spoke a while ago. Is it still a topic at {{ company | your company }}?\n\n${signature}`,
      },
      { type: 'call', delay_days: 2, instructions: 'Only if the email was not answered.' },
    ],
    enrollments: [],
  },
]
