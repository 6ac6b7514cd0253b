import { type Static, Type } from 'typebox'
import { strict } from '#platform/schema'
import { Password } from '../passwords/passwords.schemas.ts'

export const Credentials = strict({ email: Type.String({ minLength: 3, maxLength: 254 }), password: Password })
export type Credentials = Static<typeof Credentials>
