import { TaskRequester } from '#modules/identity'
import { Id, strict } from '#platform/schema'
import { defineTask } from '#platform/tasks'

export const ImportInput = strict({ import_id: Id, by: TaskRequester })

export const importTask = defineTask('records.import', 'bulk', ImportInput)
export const undoImportTask = defineTask('records.undo_import', 'bulk', ImportInput)
