import { type Static, Type } from 'typebox'
import { AcceptedTask, Id, named, nullable, strict } from '#platform/schema'

export const CleanDataInput = strict({
  confirm: Type.String({ maxLength: 40, description: 'The slug of the workspace.', examples: ['acme'] }),
  reason: Type.String({
    minLength: 10,
    maxLength: 500,
    description: 'Recorded in the audit log.',
    examples: ['The trial has ended.'],
  }),
  backup: Type.Boolean({
    default: true,
    description: 'Backs up the workspace first. Nothing is deleted if that fails.',
  }),
  keep_configuration: Type.Boolean({
    default: true,
    description: 'Keeps pipelines, custom fields, lead sources and scoring rules.',
  }),
})
export type CleanDataInput = Static<typeof CleanDataInput>

export const StartedCleaning = named('StartedCleaning', strict({ ...AcceptedTask.properties, backup_id: nullable(Id) }))
