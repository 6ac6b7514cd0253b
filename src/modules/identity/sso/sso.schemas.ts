import { type Static, Type } from 'typebox'
import { strict } from '#platform/schema'

export const providerNames = ['google', 'okta'] as const
export type ProviderName = (typeof providerNames)[number]

/** A path in the workspace. Anything that could lead to another host is refused. */
const ReturnTo = Type.String({
  pattern: '^(?!.*//)/[^\\s\\\\]*$',
  maxLength: 512,
  description: 'Where in the workspace to go on afterwards.',
})

export const Departure = Type.Object({
  return_to: Type.Optional(ReturnTo),
  prompt: Type.Optional(
    Type.Enum(['login'], {
      description: 'Have the provider ask who it is once more, to confirm a sign-in that is too old.',
    }),
  ),
})
export type Departure = Static<typeof Departure>

const Text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))

/** What providers send people back with. They add things of their own. */
export const Return = Type.Object({
  state: Type.Optional(Type.String({ maxLength: 4_096, description: 'As it was given to the provider.' })),
  code: Text(4_096),
  iss: Text(2_048),
  error: Text(1_000),
  error_description: Text(4_000),
})
export type Return = Static<typeof Return>

export const HandOff = strict({ code: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', minLength: 43, maxLength: 43 }) })

const Step = strict({
  name: Type.Enum(['discovery', 'issuer', 'keys', 'authorization_url']),
  ok: Type.Boolean(),
  detail: Type.String(),
})
export type Step = Static<typeof Step>

export const OktaTest = strict({ ok: Type.Boolean(), steps: Type.Array(Step) })
export type OktaTest = Static<typeof OktaTest>
