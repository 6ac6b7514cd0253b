import { type Static, Type } from 'typebox'
import { AcceptedTask, Id, named, strict } from '#platform/schema'

export const RestoreInput = strict({
  confirm: Type.String({ maxLength: 40, description: 'The slug of the workspace.', examples: ['acme'] }),
  reason: Type.String({
    minLength: 10,
    maxLength: 500,
    description: 'Recorded in the audit log.',
    examples: ['The data was deleted by mistake.'],
  }),
})
export type RestoreInput = Static<typeof RestoreInput>

export const StartedRestore = named('StartedRestore', strict({ ...AcceptedTask.properties, backup_id: Id }))
