import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import type { Question } from './questions.schemas.ts'

const questionColumns = [
  'id',
  'survey_id',
  'key',
  'position',
  'question_type',
  'title',
  'help',
  'required',
  'is_primary',
  'options',
  'rules',
  'show_if',
  'end_if',
  'revision',
  'archived_at',
  'created_at',
  'updated_at',
  'version',
] as const

const selectQuestions = (tx: TenantTx, surveyId: string) =>
  tx.selectFrom('surveys.questions').select(questionColumns).where('survey_id', '=', surveyId).$castTo<Question>()

/** Live questions in order, then archived ones. */
export async function listQuestions(tx: TenantTx, surveyId: string): Promise<Question[]> {
  const questions = await selectQuestions(tx, surveyId).orderBy('position').execute()
  const isLive = ({ archived_at }: Question) => archived_at === null
  return [...questions.filter(isLive), ...questions.filter((question) => !isLive(question))]
}

export function listQuestionsOfSurveys(tx: TenantTx, surveyIds: readonly string[]): Promise<Question[]> {
  return tx
    .selectFrom('surveys.questions')
    .select(questionColumns)
    .where('survey_id', '=', sql<string>`any(${surveyIds}::uuid[])`)
    .orderBy('survey_id')
    .orderBy('position')
    .$castTo<Question>()
    .execute()
}

export const getQuestion = (tx: TenantTx, surveyId: string, id: string): Promise<Question> =>
  selectQuestions(tx, surveyId)
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .executeTakeFirstOrThrow(() => notFound('question'))

export type NewQuestionRow = Omit<Question, 'archived_at' | 'created_at' | 'updated_at' | 'version' | 'revision'>

const rowTypes = {
  id: 'uuid',
  survey_id: 'uuid',
  key: 'text',
  position: 'integer',
  question_type: 'text',
  title: 'jsonb',
  help: 'jsonb',
  required: 'boolean',
  is_primary: 'boolean',
  options: 'jsonb',
  rules: 'jsonb',
  show_if: 'jsonb',
  end_if: 'jsonb',
} as const

export async function insertQuestions(tx: TenantTx, questions: readonly NewQuestionRow[]): Promise<Question[]> {
  if (!questions.length) return []
  const { columns, rows } = selectRows(questions, rowTypes)
  const inserted = await tx
    .insertInto('surveys.questions')
    .columns(columns)
    .expression(rows)
    .returning(questionColumns)
    .$castTo<Question>()
    .execute()
  return inserted.sort((one, other) => one.position - other.position)
}

type QuestionFields = Partial<Omit<Question, 'id' | 'survey_id' | 'created_at' | 'updated_at' | 'version'>>

const jsonFields = ['title', 'help', 'options', 'rules', 'show_if', 'end_if'] as const

export function updateQuestionRow(tx: TenantTx, id: string, fields: QuestionFields): Promise<Question> {
  const json = jsonFields
    .filter((field) => fields[field] !== undefined)
    .map((field) => [field, fields[field] === null ? null : JSON.stringify(fields[field])])
  return tx
    .updateTable('surveys.questions')
    .set({ ...fields, ...Object.fromEntries(json) })
    .where('id', '=', id)
    .returning(questionColumns)
    .$castTo<Question>()
    .executeTakeFirstOrThrow()
}

/** Replaces the texts of several questions in one statement. */
export async function updateQuestionTexts(
  tx: TenantTx,
  questions: readonly Pick<Question, 'id' | 'title' | 'help' | 'options' | 'rules'>[],
): Promise<void> {
  const rows = questions.map(({ id, title, help, options, rules }) => ({ id, title, help, options, rules }))
  await sql`
    update surveys.questions as question
    set title = changed.title, help = changed.help, options = changed.options, rules = changed.rules
    from json_to_recordset(${JSON.stringify(rows)}::json) as changed (id uuid, title jsonb, help jsonb, options jsonb, rules jsonb)
    where question.id = changed.id
  `.execute(tx)
}

/** Numbers the questions in the order of their ids. */
export async function updatePositions(tx: TenantTx, surveyId: string, ids: readonly string[]): Promise<void> {
  await sql`set constraints surveys.questions_position_unique deferred`.execute(tx)
  await sql`
    update surveys.questions as question set position = moved.position
    from unnest(${ids}::uuid[]) with ordinality as moved (id, position)
    where question.survey_id = ${surveyId}::uuid and question.id = moved.id and question.position <> moved.position
  `.execute(tx)
}

export async function deleteQuestionRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('surveys.questions').where('id', '=', id).execute()
}
