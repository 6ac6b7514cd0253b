import { createHash, randomBytes } from 'node:crypto'
import type { InputError } from '#platform/errors'
import { newId } from '#platform/ids'
import { trimEndOf } from '#platform/text'
import type { AskedQuestion, QuestionSpec, StoredQuestion } from './question-spec.ts'
import type { LearnerQuestion, NewQuestion, Question, QuestionKind } from './questions.schemas.ts'

const partIdBytes = 6

const requiredField: Record<QuestionKind, 'options' | 'accepted' | 'value' | 'items' | 'pairs'> = {
  single: 'options',
  multiple: 'options',
  true_false: 'options',
  short_text: 'accepted',
  numeric: 'value',
  ordering: 'items',
  matching: 'pairs',
}

const specFields = ['options', 'accepted', 'value', 'tolerance', 'items', 'pairs'] as const

/** Problems of questions that their schema cannot express. */
export const listQuestionProblems = (questions: readonly NewQuestion[], path: string): InputError[] =>
  questions.flatMap((question, index) => [
    ...listProblems(question, `${path}/${index}`),
    ...(question.id !== undefined && questions.findIndex(({ id }) => id === question.id) < index
      ? [problem(`${path}/${index}/id`, 'duplicate', '`id` must be unique.')]
      : []),
  ])

function listProblems(question: NewQuestion, path: string): InputError[] {
  const { kind, options, items, pairs, accepted } = question
  const required = requiredField[kind]
  if (question[required] === undefined)
    return [problem(`${path}/${required}`, 'required', `\`${required}\` is required for questions of this kind.`)]
  const allowed: readonly string[] = kind === 'numeric' ? ['value', 'tolerance'] : [required]
  const unexpected = specFields.find((field) => question[field] !== undefined && !allowed.includes(field))
  if (unexpected)
    return [problem(`${path}/${unexpected}`, 'not_allowed', `\`${unexpected}\` is not allowed for this kind.`)]
  if (kind === 'true_false' && options!.length !== 2)
    return [problem(`${path}/options`, 'maxItems', '`options` must have two entries.')]
  const correct = options?.filter(({ correct: isCorrect }) => isCorrect).length
  if (correct !== undefined && (kind === 'multiple' ? correct < 1 : correct !== 1)) {
    const needed = kind === 'multiple' ? 'at least one correct option' : 'exactly one correct option'
    return [problem(`${path}/options`, 'invalid_answer', `\`options\` must have ${needed}.`)]
  }
  if (accepted?.some((text) => normalizeText(text) === ''))
    return [problem(`${path}/accepted`, 'invalid_answer', '`accepted` must contain letters or digits.')]
  const texts = [
    options?.map(({ text }) => text),
    items,
    pairs?.map(({ left }) => left),
    pairs?.map(({ right }) => right),
  ]
  const hasRepeated = texts.some((list) => list && new Set(list).size < list.length)
  return hasRepeated ? [problem(`${path}/${required}`, 'duplicate', `\`${required}\` must have different texts.`)] : []
}

const problem = (path: string, code: string, message: string): InputError => ({ in: 'body', path, code, message })

/** Ignores upper case, repeated spaces and final punctuation. */
export const normalizeText = (text: string): string =>
  trimEndOf(text.normalize('NFKC').toLowerCase().trim(), /[\s.,;:!?]/).replace(/\s+/gu, ' ')

/** Parts with the same text as before keep their ids, so that answers of open quizzes stay valid. */
export function toStoredQuestion(
  question: NewQuestion,
  { position, existing }: { position: number; existing: StoredQuestion | undefined },
): StoredQuestion {
  const { kind, text, points = 1, topic = null, explanation = null, is_active = true } = question
  const spec = buildSpec(question, existing?.spec)
  return { id: existing?.id ?? newId(), kind, text, points, topic, explanation, is_active, position, spec }
}

const createPartId = (): string => randomBytes(partIdBytes).toString('hex')

function buildSpec(
  { options, accepted, value, tolerance, items, pairs }: NewQuestion,
  old: QuestionSpec = {},
): QuestionSpec {
  if (options)
    return {
      options: options.map(({ text, correct = false }) => ({
        id: old.options?.find((option) => option.text === text)?.id ?? createPartId(),
        text,
        correct,
      })),
    }
  if (items)
    return {
      items: items.map((text) => ({ id: old.items?.find((item) => item.text === text)?.id ?? createPartId(), text })),
    }
  if (pairs)
    return {
      pairs: pairs.map(({ left, right }) => ({
        left_id: old.pairs?.find((pair) => pair.left === left)?.left_id ?? createPartId(),
        left,
        right_id: old.pairs?.find((pair) => pair.right === right)?.right_id ?? createPartId(),
        right,
      })),
    }
  return accepted ? { accepted } : { value: value!, tolerance: tolerance ?? 0 }
}

export const presentQuestion = ({ spec, position: _, ...question }: StoredQuestion): Question => ({
  ...question,
  ...spec,
})

export const toAskedQuestion = ({ id, kind, text, points, explanation, spec }: StoredQuestion): AskedQuestion => ({
  id,
  kind,
  text,
  points,
  explanation,
  spec,
})

/** Orders by a hash, so that the same attempt always has the same order. */
export const shuffle = <T extends { id: string }>(parts: readonly T[], seed: string): T[] =>
  parts
    .map((part) => ({ part, key: createHash('sha256').update(`${seed}:${part.id}`).digest('hex') }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ part }) => part)

export const shuffleParts = <T extends { id: string }>(parts: readonly T[], seed: string, questionId: string): T[] =>
  shuffle(parts, `${seed}:${questionId}`)

type ShownAs = { seed: string; shufflesOptions: boolean }

/** Items and pairs are always shuffled, because their order is the answer. */
export function presentToLearner(question: AskedQuestion, { seed, shufflesOptions }: ShownAs): LearnerQuestion {
  const { id, kind, text, points, spec } = question
  const options = spec.options?.map((option) => ({ id: option.id, text: option.text }))
  const lefts = spec.pairs?.map(({ left_id, left }) => ({ id: left_id, text: left }))
  const rights = spec.pairs?.map(({ right_id, right }) => ({ id: right_id, text: right }))
  return {
    id,
    kind,
    text,
    points,
    ...(options && { options: shufflesOptions ? shuffleParts(options, seed, id) : options }),
    ...(spec.items && { items: shuffleParts(spec.items, seed, id) }),
    ...(lefts && rights && { lefts: shuffleParts(lefts, seed, id), rights: shuffleParts(rights, seed, id) }),
  }
}
