import { Problem, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { openAuth } from '../auth/auth-services.ts'
import { publicRegistrationRoutes } from './registration.public.routes.ts'
import { EmailVerified, Verification, VerificationSent } from './registration.schemas.ts'
import { takeVerification } from './verification-limit.ts'
import { resendVerification, verifyEmail } from './verify-email.service.ts'

export const registrationRoutes =
  (services: Services): Routes =>
  async (app) => {
    const { clock, limits } = services
    await app.register(publicRegistrationRoutes(openAuth(services)))

    app.route({
      method: 'POST',
      url: '/api/auth/verify-email',
      config: { signedIn: true, limitedSession: true, limit: 'signIn', tag: 'auth' },
      schema: {
        operationId: 'verifyEmail',
        summary: 'Prove that an e-mail address is yours, with a link from a mail',
        body: Verification,
        response: { 200: EmailVerified, 410: Problem },
      },
      handler: (request) => request.inTenant((tx) => verifyEmail(tx, request.actor, request.body.token, clock.now())),
    })

    app.route({
      method: 'POST',
      url: '/api/auth/resend-verification',
      config: { signedIn: true, limitedSession: true, tag: 'auth' },
      schema: {
        operationId: 'resendVerification',
        summary: 'Get another mail to verify your e-mail address with',
        response: { 200: VerificationSent },
      },
      handler: async (request) => {
        await takeVerification(limits, request.actor)
        return await request.inTenant((tx) => resendVerification(tx, request.actor))
      },
    })
  }
