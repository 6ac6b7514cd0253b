import { ProblemDetails, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { consumeResendAllowance } from '../../credentials/emails/resend-allowance.ts'
import { createAuthServices } from '../../credentials/tokens/auth-services.ts'
import { signInLimit } from '../current-session/auth-limits.ts'
import { publicRegistrationRoutes } from './registration.public.routes.ts'
import { EmailVerified, VerificationSent, VerifyEmailInput } from './registration.schemas.ts'
import { resendVerification, verifyEmail } from './verify-email.service.ts'

export const registrationRoutes =
  (services: Services): Routes =>
  async (app) => {
    const { clock, limits } = services
    await app.register(publicRegistrationRoutes(createAuthServices(services)))

    app.route({
      method: 'POST',
      url: '/api/auth/verify-email',
      config: { signedIn: true, limitedSession: true, limits: [signInLimit], tag: 'auth' },
      schema: {
        operationId: 'verifyEmail',
        summary: 'Verify your email address',
        description: 'Takes the token from the link in the verification email. The link works once, within 24 hours.',
        body: VerifyEmailInput,
        response: { 200: EmailVerified, 410: ProblemDetails },
      },
      handler: (request) => request.inTenant((tx) => verifyEmail(tx, request.actor, request.body.token, clock.now())),
    })

    app.route({
      method: 'POST',
      url: '/api/auth/resend-verification',
      config: { signedIn: true, limitedSession: true, tag: 'auth' },
      schema: {
        operationId: 'resendVerification',
        summary: 'Resend the verification email',
        description: 'At most three times per hour.',
        response: { 200: VerificationSent },
      },
      handler: async (request) => {
        await consumeResendAllowance(limits, 'verification', request.actor)
        return await request.inTenant((tx) => resendVerification(tx, request.actor))
      },
    })
  }
