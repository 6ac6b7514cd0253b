import { type Static, Type } from 'typebox'
import { named, strict } from '#platform/schema'

export const breakdowns = ['none', 'language', 'channel', 'lifecycle_stage'] as const
export type Breakdown = (typeof breakdowns)[number]

const Sentences = Type.Array(Type.String())

export const SurveyVisibility = named('SurveyVisibility', strict({ shown: Sentences, hidden: Sentences }))
export type SurveyVisibility = Static<typeof SurveyVisibility>
