import { type Static, Type } from 'typebox'
import { CalendarDay, named, nullable, strict, withExample } from '#platform/schema'

const day = (description: string) => nullable({ ...CalendarDay, description })

const settings = {
  away_from: day('First day on which no step of the sender runs.'),
  away_to: day('Last day of the absence. Required with `away_from`.'),
  daily_limit: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'Emails of cadences per day. Must not exceed the limit of the workspace, which applies without it.',
    }),
  ),
  signature: nullable(
    Type.String({ maxLength: 2_000, description: 'Text of the variable `sender.signature`.', examples: ['Ada Moss'] }),
  ),
  others_may_enroll: Type.Boolean({
    description:
      'Whether other users may choose the caller as the sender of persons. Managers, admins and leads of a team of the caller always may.',
  }),
}

export const SenderSettings = named('CadenceSenderSettings', strict(settings))
export type SenderSettings = Static<typeof SenderSettings>

export const ReplacedSenderSettings = withExample(
  strict({
    away_from: Type.Optional(settings.away_from),
    away_to: Type.Optional(settings.away_to),
    daily_limit: Type.Optional(settings.daily_limit),
    signature: Type.Optional(settings.signature),
    others_may_enroll: Type.Optional({ ...settings.others_may_enroll, default: false }),
  }),
  { away_from: '2026-08-03', away_to: '2026-08-14', signature: 'Ada Moss' },
)
export type ReplacedSenderSettings = Static<typeof ReplacedSenderSettings>
