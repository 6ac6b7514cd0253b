import { Type } from 'typebox'
import { strict } from '#platform/schema'

export const ScriptParams = strict({ file: Type.String({ maxLength: 100 }) })
