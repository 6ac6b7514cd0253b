import { type Static, type TSchema, Type } from 'typebox'
import { clearable, Id, Instant, Line, named, nullable, strict, Timestamp, withExample } from '#platform/schema'
import { maxMinSeconds } from '../progress/progress.rules.ts'
import { NewQuestions, Question } from '../quizzes/questions.schemas.ts'
import { gradings, moduleKinds, QuizDraw, reviewPolicies } from '../records/learning.schemas.ts'

const Quiz = strict({
  passing_score: Type.Integer(),
  max_attempts: nullable(Type.Integer()),
  cooldown_minutes: Type.Integer(),
  grading: Type.Enum([...gradings]),
  shuffle_questions: Type.Boolean(),
  shuffle_options: Type.Boolean(),
  time_limit_seconds: nullable(Type.Integer()),
  partial_credit: Type.Boolean(),
  review: Type.Enum([...reviewPolicies]),
  draws: Type.Array(QuizDraw),
  questions: Type.Array(Question),
})

const Assignment = strict({
  instructions: Type.String(),
  requires: Type.Enum(['text', 'link', 'both']),
  max_points: Type.Integer(),
  passing_points: Type.Integer(),
})

const forAuthors = <T extends TSchema>(schema: T) => Type.Optional(schema)

/** Users who are not authors get only the first fields. */
export const Module = named(
  'LearningModule',
  strict({
    id: Id,
    path_id: Id,
    position: Type.Integer(),
    title: Type.String(),
    kind: Type.Enum([...moduleKinds]),
    is_required: Type.Boolean(),
    description: nullable(Type.String()),
    estimated_minutes: Type.Integer(),
    question_count: nullable(Type.Integer({ description: 'Of a quiz: its own questions and those it draws.' })),
    prerequisite_module_ids: forAuthors(Type.Array(Id)),
    unlock_after_days: forAuthors(nullable(Type.Integer())),
    unlock_at: forAuthors(nullable(Timestamp)),
    content_item_id: forAuthors(nullable(Id)),
    body: forAuthors(nullable(Type.String())),
    min_seconds: forAuthors(Type.Integer()),
    min_progress: forAuthors(Type.Number()),
    quiz: forAuthors(nullable(Quiz)),
    assignment: forAuthors(nullable(Assignment)),
    scenario_id: forAuthors(nullable(Id)),
    prompt_id: forAuthors(nullable(Id)),
    min_score: forAuthors(nullable(Type.Integer())),
    allow_voice: forAuthors(Type.Boolean()),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer(),
  }),
)
export type Module = Static<typeof Module>

const integer = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }))

const QuizInput = strict({
  passing_score: integer(1, 100, 'Default: 80.'),
  max_attempts: clearable(Type.Integer({ minimum: 1, maximum: 20, description: 'Default: any number.' })),
  cooldown_minutes: integer(0, 10_080, 'Pause between two attempts. Default: 0.'),
  grading: Type.Optional(Type.Enum([...gradings], { description: 'Which attempts count. Default: `highest`.' })),
  shuffle_questions: Type.Optional(Type.Boolean({ description: 'Default: true.' })),
  shuffle_options: Type.Optional(Type.Boolean({ description: 'Default: true.' })),
  time_limit_seconds: clearable(Type.Integer({ minimum: 30, maximum: 14_400, description: 'Default: none.' })),
  partial_credit: Type.Optional(Type.Boolean({ description: 'Default: true.' })),
  review: Type.Optional(
    Type.Enum([...reviewPolicies], {
      description: 'When learners see the right answers. Default: `after_final`, when passed or without attempts left.',
    }),
  ),
  draws: Type.Optional(Type.Array(QuizDraw, { maxItems: 20 })),
  questions: Type.Optional({ ...NewQuestions, description: 'Replaces all questions of the quiz.' }),
})
export type QuizInput = Static<typeof QuizInput>

const AssignmentInput = strict({
  instructions: Type.String({ minLength: 1, maxLength: 10_000 }),
  requires: Type.Optional(Type.Enum(['text', 'link', 'both'], { description: 'Default: `text`.' })),
  max_points: integer(1, 1_000, 'Default: 100.'),
  passing_points: integer(0, 1_000, 'Default: 60.'),
})
export type AssignmentInput = Static<typeof AssignmentInput>

const optionalFields = {
  is_required: Type.Optional(Type.Boolean({ description: 'Default: true.' })),
  description: clearable(Type.String({ maxLength: 4_000 })),
  estimated_minutes: integer(1, 600, 'Default: 10.'),
  prerequisite_module_ids: Type.Optional(
    Type.Array(Id, { maxItems: 10, uniqueItems: true, description: 'Modules of the same path.' }),
  ),
  unlock_after_days: clearable(Type.Integer({ minimum: 0, maximum: 365, description: 'Days after the enrollment.' })),
  unlock_at: clearable(Instant),
  content_item_id: clearable({ ...Id, description: 'Of `content` and `video`.' }),
  body: clearable(Type.String({ minLength: 1, maxLength: 50_000, description: 'Markdown, of `content`.' })),
  min_seconds: clearable(
    Type.Integer({
      minimum: 0,
      maximum: maxMinSeconds,
      description:
        'Seconds that the content item must be read or watched. Default: half of the duration of a video, if it is known, else 0.',
    }),
  ),
  min_progress: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Share that must be seen. Default: 0.9 for videos, else 0.' }),
  ),
  quiz: Type.Optional(QuizInput),
  assignment: Type.Optional(AssignmentInput),
  scenario_id: clearable({ ...Id, description: 'Of `roleplay`.' }),
  prompt_id: clearable({ ...Id, description: 'Of `pitch`.' }),
  min_score: clearable(
    Type.Integer({ minimum: 0, maximum: 100, description: 'Of `roleplay` and `pitch`. Default: the passing score.' }),
  ),
  allow_voice: Type.Optional(Type.Boolean({ description: 'Voice roleplays count, too. Default: false.' })),
  position: integer(1, 200, 'Default: the end.'),
}

const applyTo = Type.Optional(
  Type.Enum(['open', 'new'], {
    description: 'Which enrollments of a published path get the module: open ones too (default), or only new ones.',
  }),
)

export const NewModule = withExample(
  strict({ title: Line(150), kind: Type.Enum([...moduleKinds]), ...optionalFields, apply_to: applyTo }),
  { title: 'Read the price list', kind: 'content', body: 'Our prices are per seat.' },
)
export type NewModule = Static<typeof NewModule>

export const ModuleChanges = strict({
  title: Type.Optional(Line(150)),
  kind: Type.Optional(Type.Enum([...moduleKinds], { description: 'Only of a draft without enrollments.' })),
  ...optionalFields,
})
export type ModuleChanges = Static<typeof ModuleChanges>

export const PathModulesParams = strict({ path_id: Id })
export const ModuleParams = strict({ path_id: Id, module_id: Id })
