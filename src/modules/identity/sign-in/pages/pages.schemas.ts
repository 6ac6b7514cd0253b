import { Type } from 'typebox'
import { strict } from '#platform/schema'
import { LinkToken } from '../../credentials/passwords/passwords.schemas.ts'

export const ScriptParams = strict({ file: Type.String({ maxLength: 100 }) })

/** A changed logo gets another version, because browsers keep it. */
export const LogoQuery = strict({ v: Type.Optional(Type.String({ maxLength: 20 })) })

export const PasswordLink = strict({ token: LinkToken })
export const ValidLink = strict({
  status: Type.Literal('valid'),
  email: Type.String({ maxLength: 254 }),
  /** Lowercase words that the password must not be; words of five characters or more must not be in it either. */
  forbidden_words: Type.Array(Type.String({ maxLength: 254 }), { maxItems: 10 }),
})
