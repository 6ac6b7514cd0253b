import { type Static, Type } from 'typebox'
import { Email, Line, strict } from '#platform/schema'
import { LinkToken, NewPassword } from '../../credentials/passwords/passwords.schemas.ts'
import { RefreshTokenDelivery } from '../../credentials/tokens/refresh-cookie.ts'

export const SignUpInput = strict({
  email: Email,
  password: NewPassword,
  name: Line(120),
  refresh_token_delivery: RefreshTokenDelivery,
})
export type SignUpInput = Static<typeof SignUpInput>

export const VerifyEmailInput = strict({ token: LinkToken })

export const EmailVerified = strict({ status: Type.Literal('email_verified') })
export const VerificationSent = strict({ status: Type.Literal('verification_sent'), sent_to: Email })
