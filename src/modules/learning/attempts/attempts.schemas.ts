import { type Static, Type } from 'typebox'
import { Id, named, nullable, strict, Timestamp, withExample } from '#platform/schema'
import { CertificateSummary } from '../certificates/certificates.schemas.ts'
import { EnrollmentDetails } from '../progress/enrollment.schemas.ts'
import { attemptStates } from '../quizzes/attempt-row.ts'
import { Answer, Answers, LearnerQuestion } from '../quizzes/questions.schemas.ts'
import { moduleStates } from '../records/learning.schemas.ts'

/** An open attempt: the questions and the saved answers of the learner. */
export const Attempt = named(
  'QuizAttempt',
  strict({
    id: Id,
    number: Type.Integer(),
    state: Type.Enum([...attemptStates]),
    started_at: Timestamp,
    deadline_at: nullable(Timestamp),
    questions: Type.Array(LearnerQuestion),
    answers: Type.Array(Answer, { description: 'As they were saved.' }),
  }),
)
export type Attempt = Static<typeof Attempt>

export const SavedAnswers = withExample(strict({ answers: Answers }), { answers: [] })

export const SubmittedAnswers = withExample(
  strict({
    answers: Answers,
    attempt_id: Type.Optional({ ...Id, description: 'Of `start-quiz`. Required for timed and drawn quizzes.' }),
  }),
  { answers: [] },
)
export type SubmittedAnswers = Static<typeof SubmittedAnswers>

const Solution = strict({
  option_ids: Type.Optional(Type.Array(Type.String())),
  texts: Type.Optional(Type.Array(Type.String())),
  number: Type.Optional(Type.Number()),
  tolerance: Type.Optional(Type.Number()),
  order: Type.Optional(Type.Array(Type.String())),
  pairs: Type.Optional(Type.Array(strict({ left_id: Type.String(), right_id: Type.String() }))),
})
export type Solution = Static<typeof Solution>

const ReviewedQuestion = strict({
  question_id: Id,
  points: Type.Integer(),
  earned: Type.Number(),
  answer: Type.Optional(nullable(Answer)),
  solution: Type.Optional(Solution),
  explanation: Type.Optional(nullable(Type.String())),
})
export type ReviewedQuestion = Static<typeof ReviewedQuestion>

export const QuizOutcome = named(
  'QuizOutcome',
  strict({
    attempt: strict({
      id: Id,
      number: Type.Integer(),
      score: Type.Number(),
      passed: Type.Boolean(),
      earned: Type.Number(),
      possible: Type.Integer(),
    }),
    module_state: Type.Enum([...moduleStates]),
    attempts_left: nullable(Type.Integer({ description: 'Null: any number.' })),
    next_attempt_at: nullable(Timestamp),
    review: nullable(
      Type.Array(ReviewedQuestion, { description: 'As far as the review policy of the quiz allows it; else null.' }),
    ),
    enrollment: EnrollmentDetails,
    certificate: nullable(CertificateSummary),
  }),
)
export type QuizOutcome = Static<typeof QuizOutcome>

export const AttemptParams = strict({ enrollment_id: Id, module_id: Id, attempt_id: Id })
