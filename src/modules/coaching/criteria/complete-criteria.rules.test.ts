import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listCriteriaProblems } from './complete-criteria.rules.ts'
import { analyzeConversation, type ConversationMessage } from './conversation.rules.ts'
import { criteriaOf } from './criteria.fixture.ts'
import { type Criterion, monologueKinds, type NewCriterion } from './criteria.schemas.ts'
import { evaluateCriteria, roundScore } from './evaluate-criteria.rules.ts'

const language = 'en'
const sayAsRep = (...texts: string[]): ConversationMessage[] => texts.map((text, seq) => ({ seq, role: 'rep', text }))
const _evaluateText = (criteria: Criterion[], ...texts: string[]) =>
  evaluateCriteria(criteria, analyzeConversation({ messages: sayAsRep(...texts), language }))
const _scoresOf = ({ criteria }: ReturnType<typeof evaluateCriteria>) =>
  criteria.map(({ score }) => (score === null ? null : roundScore(score)))

test('problems of criteria are reported with their path', () => {
  const criterion = (change: Partial<NewCriterion>): NewCriterion => ({
    key: 'a',
    name: 'A',
    weight: 1,
    kind: 'next_step',
    ...change,
  })
  const problemsOf = (criteria: NewCriterion[], kinds?: typeof monologueKinds) =>
    listCriteriaProblems(criteria, { path: '/rubric', ...(kinds && { kinds }) }).map(
      ({ path, code }) => `${path} ${code}`,
    )

  assert.deepEqual(problemsOf([criterion({}), criterion({ key: 'b', kind: 'pace' })]), [])
  assert.deepEqual(
    problemsOf([
      criterion({}),
      criterion({ config: { min: 1 } }),
      criterion({ key: 'c', kind: 'keywords', config: { avoid: ['x'] } }),
      criterion({ key: 'd', kind: 'talk_ratio', config: { min: 0.6 } }),
      criterion({ key: 'e', kind: 'talk_ratio', config: { max: 60 } }),
      criterion({ key: 'f', kind: 'pace', config: { min: 200 } }),
    ]),
    [
      '/rubric/1/key duplicate_key',
      '/rubric/1/config/min not_allowed',
      '/rubric/2/config/groups required',
      '/rubric/3/config/max minimum',
      '/rubric/4/config/max maximum',
      '/rubric/5/config/max minimum',
    ],
  )
  assert.deepEqual(problemsOf([criterion({ kind: 'questions' })], monologueKinds), ['/rubric/0/kind enum'])
})

test('defaults complete the config of a criterion', () => {
  const configs = criteriaOf({
    talk_ratio: { config: { max: 0.6 } },
    questions: {},
    filler: {},
    monologue: {},
    pace: {},
    duration: {},
    judgement: {},
  }).map(({ config }) => config)

  assert.deepEqual(configs, [
    { min: 0.3, max: 0.6 },
    { target: 6, open_min_rate: 0.5 },
    { max_per_100_words: 3 },
    { max_words: 150 },
    { min: 120, max: 160 },
    { min_rate: 0.5 },
    { indicators: [] },
  ])
})
