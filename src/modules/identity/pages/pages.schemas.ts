import { Type } from 'typebox'
import { strict } from '#platform/schema'
import { LinkToken } from '../passwords/passwords.schemas.ts'

export const ScriptParams = strict({ file: Type.String({ maxLength: 100 }) })

export const PasswordLink = strict({ token: LinkToken })
export const ValidLink = strict({ status: Type.Literal('valid') })
