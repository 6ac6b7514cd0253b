import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { Certificate, CertificateParams, Revocation } from './certificates.schemas.ts'
import { getCertificate, revokeCertificate } from './certificates.service.ts'

export const certificateRoutes =
  ({ clock }: Pick<Services, 'clock'>): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/enablement/learning/certificates/:code',
      config: { scope: 'learning.read' },
      schema: {
        operationId: 'getCertificate',
        summary: 'Get a certificate by its code',
        description: 'For all users of the workspace, to check whether a certificate is valid.',
        params: CertificateParams,
        response: { 200: Certificate },
      },
      handler: (request) => request.inTenant((tx) => getCertificate(tx, request.params.code, { now: clock.now() })),
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/learning/certificates/:code/revoke',
      config: { scope: 'learning.write', roles: ['manager', 'admin'], notWhileImpersonating: true, successStatus: 200 },
      schema: {
        operationId: 'revokeCertificate',
        summary: 'Revoke a certificate',
        description:
          'Requires `reason`, which the audit log does not contain. The certificate is no longer valid, and its holder can be enrolled again.',
        params: CertificateParams,
        body: Revocation,
        response: { 200: Certificate },
      },
      handler: (request) =>
        request.inTenant((tx) => revokeCertificate(tx, request.params.code, { ...request.body, now: clock.now() })),
    })
  }
