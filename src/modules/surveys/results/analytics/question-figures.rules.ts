import { otherOption } from '../../design/conditions/visible-path.rules.ts'
import type { Question } from '../../design/question-records/questions.schemas.ts'
import { roundHalfAway, scoreRanges } from '../../design/scores/scores.rules.ts'
import type { TextMap } from '../../design/translations/texts.schemas.ts'
import { anyBucket, skippedBucket } from '../../responses/answers/stored-answers.rules.ts'
import type { AnswerSum } from './analytics.queries.ts'
import type { ChoiceFigures, QuestionFigures } from './analytics.schemas.ts'

type Sums = ReadonlyMap<string, AnswerSum>
type Figures = Pick<QuestionFigures, 'answered' | 'distribution' | 'average' | 'median'> & Pick<QuestionFigures, 'rows'>

export const rateOf = (part: number, whole: number): number | null =>
  whole > 0 ? roundHalfAway(part / whole, 4) : null

const countOf = (sums: Sums, bucket: string): number => sums.get(bucket)?.n ?? 0

/** Calculates the figures of a question from its sums. `median` of numbers is not in the sums and comes from a sample. */
export function toQuestionFigures(
  question: Question,
  sums: Sums,
  { median, texts }: { median: number | null; texts: string[] },
): QuestionFigures {
  const { id, key, question_type, title, revision, archived_at } = question
  const figures = toFigures(question, sums)
  return {
    id,
    key,
    question_type,
    title,
    revision,
    archived: archived_at !== null,
    skipped: countOf(sums, skippedBucket),
    ...figures,
    median: figures.median ?? median,
    latest_texts: texts,
  }
}

function toFigures(question: Question, sums: Sums): Figures {
  switch (question.question_type) {
    case 'nps':
    case 'csat':
    case 'ces':
      return toScaleFigures(scoreRanges[question.question_type], sums)
    case 'rating':
      return toScaleFigures({ min: 1, max: question.rules.scale ?? 5 }, sums)
    case 'yes_no':
    case 'consent':
      return toChoiceFigures(['yes', 'no'].map(withoutLabel), sums)
    case 'single_choice':
      return toChoiceFigures(choicesOf(question, sums), sums)
    case 'multiple_choice':
      return toChoiceFigures(choicesOf(question, sums), sums, countOf(sums, anyBucket))
    case 'ranking':
      return toRankingFigures(question, sums)
    case 'matrix':
      return toMatrixFigures(question, sums)
    case 'number':
      return { ...noFigures, answered: countOf(sums, anyBucket), average: sums.get(anyBucket)?.average ?? null }
    default:
      return { ...noFigures, answered: countOf(sums, anyBucket) }
  }
}

const noFigures: Figures = { answered: 0, distribution: [], average: null, median: null }

type Labelled = { key: string; label: TextMap | null }
const withoutLabel = (key: string): Labelled => ({ key, label: null })

function toDistribution(choices: readonly Labelled[], countOfKey: (key: string) => number, whole: number) {
  return choices.map(({ key, label }): ChoiceFigures => {
    const count = countOfKey(key)
    return { key, label, count, rate: rateOf(count, whole) }
  })
}

function toScaleFigures({ min, max }: { min: number; max: number }, sums: Sums): Figures {
  const scores = Array.from({ length: max - min + 1 }, (_, index) => min + index)
  const counts = scores.map((score) => countOf(sums, String(score)))
  const answered = sumOf(counts)
  const total = sumOf(scores.map((score, index) => score * counts[index]!))
  return {
    answered,
    distribution: toDistribution(
      scores.map((score) => withoutLabel(String(score))),
      (key) => countOf(sums, key),
      answered,
    ),
    average: answered ? roundHalfAway(total / answered, 2) : null,
    median: answered
      ? (valueAt(scores, counts, (answered - 1) >> 1) + valueAt(scores, counts, answered >> 1)) / 2
      : null,
  }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/** The value at a position of the sorted answers. */
function valueAt(values: readonly number[], counts: readonly number[], position: number): number {
  let index = 0
  for (let seen = counts[0]!; seen <= position; seen += counts[index]!) index += 1
  return values[index]!
}

/** Options that were deleted stay as long as they have answers. */
function choicesOf({ options, rules }: Question, sums: Sums): Labelled[] {
  const shown = options.filter(({ key, archived }) => !archived || countOf(sums, key) > 0)
  const hasOther = rules.allow_other === true || countOf(sums, otherOption) > 0
  return [...shown.map(({ key, label }) => ({ key, label })), ...(hasOther ? [withoutLabel(otherOption)] : [])]
}

function toChoiceFigures(choices: readonly Labelled[], sums: Sums, responses?: number): Figures {
  const answered = responses ?? sumOf(choices.map(({ key }) => countOf(sums, key)))
  return { ...noFigures, answered, distribution: toDistribution(choices, (key) => countOf(sums, key), answered) }
}

function toRankingFigures(question: Question, sums: Sums): Figures {
  const answered = countOf(sums, anyBucket)
  const ranks = question.options.map((_, index) => index + 1)
  const distribution = question.options.flatMap(({ key, label, archived }) => {
    const counts = ranks.map((rank) => countOf(sums, `${rank}:${key}`))
    const count = sumOf(counts)
    if (archived && count === 0) return []
    const total = sumOf(ranks.map((rank, index) => rank * counts[index]!))
    const mean_rank = count ? roundHalfAway(total / count, 2) : null
    return [{ key, label, count, rate: rateOf(count, answered), mean_rank }]
  })
  return { ...noFigures, answered, distribution }
}

function toMatrixFigures({ rules }: Question, sums: Sums): Figures {
  const rows = (rules.rows ?? []).map((row) => {
    const columns = rules.columns ?? []
    const countOfKey = (key: string) => countOf(sums, `${row.key}:${key}`)
    const whole = sumOf(columns.map(({ key }) => countOfKey(key)))
    return { ...row, distribution: toDistribution(columns, countOfKey, whole) }
  })
  return { ...noFigures, answered: countOf(sums, anyBucket), rows }
}
