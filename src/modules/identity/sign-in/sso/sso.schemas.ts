import { type Static, Type } from 'typebox'
import { strict } from '#platform/schema'
import { RefreshTokenDelivery } from '../../credentials/tokens/refresh-cookie.ts'

/** The pattern rejects everything that could lead to another host. */
const ReturnTo = Type.String({
  pattern: '^(?!.*//)/[^\\s\\\\]*$',
  maxLength: 512,
  description: 'Path in the workspace to return to after the sign-in.',
})

export const StartSignOnQuery = Type.Object({
  return_to: Type.Optional(ReturnTo),
  prompt: Type.Optional(
    Type.Enum(['login'], {
      description: 'Requires the user to authenticate again at the provider, to renew an existing session.',
    }),
  ),
})
export type StartSignOnQuery = Static<typeof StartSignOnQuery>

const Text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))

/** Not strict: providers add parameters. */
export const CallbackQuery = Type.Object({
  state: Type.Optional(Type.String({ maxLength: 4_096, description: 'Value that was sent to the provider.' })),
  code: Text(4_096),
  iss: Text(2_048),
  error: Text(1_000),
  error_description: Text(4_000),
})
export type CallbackQuery = Static<typeof CallbackQuery>

export const CodeExchange = strict({
  code: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', minLength: 43, maxLength: 43 }),
  refresh_token_delivery: RefreshTokenDelivery,
})

const OktaTestStep = strict({
  name: Type.Enum(['discovery', 'issuer', 'keys', 'authorization_url']),
  ok: Type.Boolean(),
  detail: Type.String(),
})
export type OktaTestStep = Static<typeof OktaTestStep>

export const OktaTest = strict({ ok: Type.Boolean(), steps: Type.Array(OktaTestStep) })
export type OktaTest = Static<typeof OktaTest>
