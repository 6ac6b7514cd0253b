import { Problem, type Routes } from '#platform/http'
import { TokenResponse } from '../auth/auth.schemas.ts'
import type { AuthServices } from '../auth/auth-services.ts'
import { SignUp } from './registration.schemas.ts'
import { signUp } from './sign-up.flow.ts'

export const publicRegistrationRoutes =
  (auth: AuthServices): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/auth/signup',
      config: { public: true, limit: 'signup', tag: 'auth' },
      schema: {
        operationId: 'signUp',
        summary: 'Join the workspace',
        description:
          'Who may do so is decided by the settings of the workspace. Where the address has to be verified, the tokens open nothing but `/api/auth/*` until it is.',
        body: SignUp,
        response: { 201: TokenResponse, 403: Problem },
      },
      handler: (request) => signUp(auth, (work) => request.inTenant(work), request.tenant, request.body),
    })
  }
