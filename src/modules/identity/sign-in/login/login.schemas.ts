import { type Static, Type } from 'typebox'
import { strict } from '#platform/schema'
import { Password } from '../../credentials/passwords/passwords.schemas.ts'
import { RefreshTokenDelivery } from '../../credentials/tokens/refresh-cookie.ts'

export const Credentials = strict({
  email: Type.String({ minLength: 3, maxLength: 254 }),
  password: Password,
  refresh_token_delivery: RefreshTokenDelivery,
})
export type Credentials = Static<typeof Credentials>
