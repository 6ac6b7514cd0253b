import type { Static } from 'typebox'
import { strict } from '#platform/schema'
import { ErasureConfirmation } from '../erasure/erasure.schemas.ts'

export const PreviewOptions = strict({ keep_suppression: ErasureConfirmation.properties.keep_suppression })
export type PreviewOptions = Static<typeof PreviewOptions>
