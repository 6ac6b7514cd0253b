import { Id, strict } from '#platform/schema'

export const CadenceParams = strict({ cadence_id: Id })
