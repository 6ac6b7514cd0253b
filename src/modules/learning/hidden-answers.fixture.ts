import assert from 'node:assert/strict'
import { type ObservedResponse, observeResponses } from '#testing'

/** Texts of the answers and explanations in the questions of the tests. */
export const secrets = { explanation: 'marker-explanation', accepted: 'marker-accepted', number: 31337.25 }

const secretTexts = Object.values(secrets).map(String)
const secretKeys = ['correct', 'explanation', 'accepted', 'tolerance', 'solution', 'spec'].map((key) => `"${key}"`)

type Searched = Pick<ObservedResponse, 'method' | 'url' | 'status' | 'text' | 'role'>

/**
 * Fails if a response tells more about a quiz than its reader may know. Managers and admins, and users whose role is unknown, read
 * paths and question banks as authors.
 */
export function assertHidesAnswers({ method, url, status, text, role }: Searched): void {
  const isForAuthors = /\/learning\/(paths|question-banks)\b/.test(url) && role !== 'member' && role !== 'viewer'
  if (isForAuthors) return
  const moduleId = status === 200 ? url.match(/\/modules\/([^/]+)\/submit-quiz$/)?.[1] : undefined
  const searched = moduleId ? withoutAllowedReview(text, moduleId) : text
  const keys = url.includes('/enablement/learning/') ? secretKeys : []
  for (const secret of [...secretTexts, ...keys])
    assert.ok(!searched.includes(secret), `${method} ${url} responded with ${secret}: ${text}`)
}

type Outcome = {
  module_state: string
  attempts_left: number | null
  review: object[] | null
  enrollment: { modules: { module_id: string; quiz: { review: string } | null }[] }
}

/** Removes the review of a submission if the policy of the quiz allows it. */
function withoutAllowedReview(text: string, moduleId: string): string {
  const { review, ...outcome }: Outcome = JSON.parse(text)
  return review && mayReview(outcome, moduleId) ? JSON.stringify(outcome) : text
}

function mayReview({ module_state, attempts_left, enrollment }: Omit<Outcome, 'review'>, moduleId: string): boolean {
  const policy = enrollment.modules.find(({ module_id }) => module_id === moduleId)?.quiz?.review
  const hasPassed = module_state === 'completed'
  if (policy === 'after_submit') return true
  if (policy === 'after_pass') return hasPassed
  return policy === 'after_final' && (hasPassed || attempts_left === 0)
}

// Every test that uses the fixtures of learning is observed, without a call.
observeResponses(assertHidesAnswers)
