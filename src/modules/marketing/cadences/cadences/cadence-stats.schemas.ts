import { type Static, Type } from 'typebox'
import { Id, named, nullable, strict } from '#platform/schema'
import { exitReasons } from '../cadence-records/enrollment-states.rules.ts'
import { stepTypes } from '../cadence-records/steps.queries.ts'

const count = (description?: string) => Type.Integer({ minimum: 0, description })
const rate = (description: string) => nullable(Type.Number({ minimum: 0, maximum: 1, description }))

const emails = {
  sent: count('Emails that were sent.'),
  delivered: count('Emails that were sent and did not bounce.'),
  opened: nullable(count('Emails that were opened at least once. Null if the cadence does not track them.')),
  clicked: count('Emails with at least one click on a link.'),
  replied: count('Emails that were replied to.'),
  bounced: count('Emails that could not be delivered.'),
  tasks_done: count('Tasks that were completed.'),
  tasks_skipped: count('Tasks that were skipped.'),
}

export const CadenceStats = named(
  'CadenceStats',
  strict({
    totals: strict({
      enrolled: count('All enrollments.'),
      active: count('Enrollments that are active.'),
      paused: count('Enrollments that are paused.'),
      completed: count('Enrollments that reached the end of the cadence.'),
      exited: count('Enrollments that ended before.'),
      exited_by_reason: strict(Object.fromEntries(exitReasons.map((reason) => [reason, count()]))),
      ...emails,
      opted_out: count('Persons who opted out.'),
      persons_delivered: count('Persons with at least one delivered email.'),
      persons_replied: count('Persons who replied.'),
      reply_rate: rate('Share of the persons with a delivered email who replied. Null without a delivered email.'),
      bounce_rate: rate('Share of the sent emails that bounced.'),
      opt_out_rate: rate('Share of the persons with a delivered email who opted out.'),
    }),
    steps: Type.Array(
      strict({
        step_id: Id,
        position: nullable(Type.Integer({ description: 'Null for a removed step.' })),
        type: Type.Enum([...stepTypes]),
        waiting: count('Active and paused enrollments whose next step this is.'),
        ...emails,
        reply_rate: rate('Share of the delivered emails that were replied to.'),
        bounce_rate: rate('Share of the sent emails that bounced.'),
      }),
    ),
  }),
)
export type CadenceStats = Static<typeof CadenceStats>
