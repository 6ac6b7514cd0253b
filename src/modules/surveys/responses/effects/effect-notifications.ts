import { Type } from 'typebox'
import { defineNotification } from '#platform/notify'
import { Id, nullable, strict } from '#platform/schema'

export const negativeResponse = defineNotification('survey.negative_response', {
  description: 'a person you are responsible for has responded negatively to a survey',
  payload: strict({
    survey_id: Id,
    survey_name: Type.String(),
    score: nullable(Type.Integer()),
    person: nullable(Type.String()),
    path: nullable(Type.String()),
  }),
  text: ({ survey_id, survey_name, score, person, path }) => ({
    title: `Negative response to "${survey_name}"`,
    body: `${person ?? 'A respondent'} gave the score ${score ?? 'none'}.`,
    path: path ?? `/surveys/${survey_id}`,
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: true,
})
