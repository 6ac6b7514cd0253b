import { ProblemDetails, type Routes } from '#platform/http'
import type { AuthServices } from '../../credentials/tokens/auth-services.ts'
import { deliverTokens } from '../../credentials/tokens/refresh-cookie.ts'
import { TokenResponse } from '../../credentials/tokens/token-response.schemas.ts'
import { signupLimit } from '../current-session/auth-limits.ts'
import { SignUpInput } from './registration.schemas.ts'
import { signUp } from './sign-up.flow.ts'

export const publicRegistrationRoutes =
  (auth: AuthServices): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/auth/signup',
      config: { public: true, limits: [signupLimit], tag: 'auth' },
      schema: {
        operationId: 'signUp',
        summary: 'Sign up',
        description:
          'Creates an account and signs the user in, if the settings `signup` allow the email address. If `signup.require_verified_email` is set, the tokens are limited to `/api/auth/*` until the email address is verified.',
        body: SignUpInput,
        response: { 201: TokenResponse, 403: ProblemDetails },
      },
      handler: async (request, reply) => {
        const tokens = await signUp(auth, (work) => request.inTenant(work), request.tenant, request.body)
        return deliverTokens(auth.config, reply, tokens, request.body.refresh_token_delivery)
      },
    })
  }
