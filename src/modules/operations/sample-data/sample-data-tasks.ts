import { Type } from 'typebox'
import { strict } from '#platform/schema'
import { defineTask } from '#platform/tasks'

export const loadSampleDataTask = defineTask('operations.load_sample_data', 'bulk', strict({}))

const RemovalPayload = strict({ include_modified: Type.Boolean() })
export const removeSampleDataTask = defineTask('operations.remove_sample_data', 'bulk', RemovalPayload)
