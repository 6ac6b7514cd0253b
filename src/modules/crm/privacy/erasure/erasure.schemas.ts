import { type Static, Type } from 'typebox'
import { strict } from '#platform/schema'

export const ErasureConfirmation = strict({
  confirm: Type.Literal('ERASE', { description: 'Must be `ERASE`.' }),
  keep_suppression: Type.Boolean({
    default: true,
    description:
      'Keeps a keyed hash of the email addresses and phone numbers, so that a new record of the person is unsubscribed. ' +
      'With false, existing opt-outs of the person are deleted too.',
  }),
})
export type ErasureConfirmation = Static<typeof ErasureConfirmation>
