import type { QuestionKind } from './questions.schemas.ts'

type Part = { id: string; text: string }

/** The answers of a question. Learners must not see them before the review policy of their quiz allows it. */
export type QuestionSpec = {
  options?: (Part & { correct: boolean })[]
  accepted?: string[]
  value?: number
  tolerance?: number
  items?: Part[]
  pairs?: { left_id: string; left: string; right_id: string; right: string }[]
}

/** A question as it is copied into an attempt. */
export type AskedQuestion = {
  id: string
  kind: QuestionKind
  text: string
  points: number
  explanation: string | null
  spec: QuestionSpec
}

export type StoredQuestion = AskedQuestion & { topic: string | null; is_active: boolean; position: number }

export type OwnedQuestion = StoredQuestion & { module_id: string | null; bank_id: string | null }
