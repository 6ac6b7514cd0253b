import { type Static, Type } from 'typebox'
import { Id, strict } from '#platform/schema'

export const StartedExport = strict({ task_id: Id, status_url: Type.String(), export_id: Id })
export type StartedExport = Static<typeof StartedExport>

export const ExportParams = strict({ survey_id: Id, export_id: Id })
