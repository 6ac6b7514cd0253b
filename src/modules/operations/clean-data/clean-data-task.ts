import { Type } from 'typebox'
import { Id, nullable, strict } from '#platform/schema'
import { defineTask } from '#platform/tasks'

const CleanDataPayload = strict({ backup_id: nullable(Id), keep_configuration: Type.Boolean() })

/** The queue `maintenance` also runs for workspaces in maintenance. */
export const cleanDataTask = defineTask('operations.clean_data', 'maintenance', CleanDataPayload)

/** Reason of the maintenance; it marks the workspaces whose maintenance ends with the task. */
export const cleaningReason = 'All data of the workspace is being deleted.'
